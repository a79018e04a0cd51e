import { makeRow } from './rowElement';

/**
 * Says how high a row of one line is: by one that is never seen, since fonts and their sizes are those
 * of the editor and change with it.
 *
 * @param onChange told whenever that is another height.
 */
export function probeRowHeight(
  parent: HTMLElement,
  onChange: () => void,
): { readonly height: number } {
  let height = 22;
  const probe = makeRow();
  probe.classList.add('probe');
  probe.setAttribute('aria-hidden', 'true');
  for (const cell of probe.children) cell.textContent = 'M';
  parent.append(probe);
  new ResizeObserver(() => {
    const { offsetHeight } = probe;
    if (offsetHeight === 0 || offsetHeight === height) return;
    height = offsetHeight;
    onChange();
  }).observe(probe);
  return {
    get height() {
      return height;
    },
  };
}
