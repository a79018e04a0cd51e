import { element } from './dom';

/**
 * A bar between two parts that moves by mouse and by keyboard; the split layout of the components
 * cannot be reached by keyboard and always shows both of its parts. The share of the second part is
 * the variable `--share` of their container.
 *
 * @param container its class `below` says whether the parts are one below the other.
 */
export function createSplitter(container: HTMLElement, label: string): HTMLElement {
  const limits = { least: 15, most: 80 };
  let share = 45;
  const bar = element('div', {
    class: 'splitter',
    attributes: {
      role: 'separator',
      tabindex: '0',
      'aria-label': label,
      'aria-valuemin': String(limits.least),
      'aria-valuemax': String(limits.most),
    },
  });
  const isBelow = (): boolean => container.classList.contains('below');

  function set(next: number): void {
    share = Math.max(limits.least, Math.min(limits.most, next));
    container.style.setProperty('--share', `${share}%`);
    bar.setAttribute('aria-valuenow', String(Math.round(share)));
  }

  bar.addEventListener('pointerdown', (event) => {
    bar.setPointerCapture(event.pointerId);
    event.preventDefault();
    bar.focus();
  });
  bar.addEventListener('pointermove', (event) => {
    if (!bar.hasPointerCapture(event.pointerId)) return;
    const { left, right, top, bottom } = container.getBoundingClientRect();
    const isRightToLeft = getComputedStyle(container).direction === 'rtl';
    const [from, to, at] = isBelow()
      ? [bottom, top, event.clientY]
      : isRightToLeft
        ? [left, right, event.clientX]
        : [right, left, event.clientX];
    set(((from - at) / (from - to)) * 100);
  });
  bar.addEventListener('keydown', ({ key }) => {
    const larger = isBelow() ? 'ArrowUp' : 'ArrowLeft';
    const smaller = isBelow() ? 'ArrowDown' : 'ArrowRight';
    if (key === larger) set(share + 3);
    else if (key === smaller) set(share - 3);
    else if (key === 'Home') set(limits.least);
    else if (key === 'End') set(limits.most);
  });
  new ResizeObserver(() => {
    // The bar itself lies across the way that it moves.
    bar.setAttribute('aria-orientation', isBelow() ? 'horizontal' : 'vertical');
  }).observe(container);
  set(share);
  return bar;
}
