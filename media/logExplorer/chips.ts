import { element } from './dom';
import type { PageQuery } from './pageQuery';
import type { QueryBar } from './queryBar';
import type { Strings } from './panel';

/**
 * Creates the chips of a query that is longer than the query bar, with a button to remove each. Tab moves
 * to one of them, arrow keys to the others. While a chip has the focus, the chips stay.
 */
export function createChips(
  search: PageQuery,
  strings: Strings,
  bar: Pick<QueryBar, 'focus' | 'isCut' | 'onResize'>,
): HTMLElement {
  const list = element('ul', {
    class: 'chips',
    attributes: { role: 'list', 'aria-label': strings('chips.label') },
  });
  let shown = '';
  let current = 0;

  const buttons = (): HTMLElement[] => [...list.querySelectorAll<HTMLElement>('button')];
  const makeCurrent = (index: number): void => {
    const all = buttons();
    current = Math.min(Math.max(index, 0), all.length - 1);
    all.forEach((button, one) => (button.tabIndex = one === current ? 0 : -1));
  };
  const goTo = (index: number): void => {
    makeCurrent(index);
    const next = buttons()[current];
    if (next === undefined) bar.focus();
    else next.focus();
  };
  const remove = async (index: number): Promise<void> => {
    const running = search.narrow({ kind: 'removeChip', index });
    makeCurrent(index);
    await running;
  };
  const fit = (hasFocus = list.contains(document.activeElement)): void => {
    const isNeeded = bar.isCut() || hasFocus;
    list.hidden = list.childElementCount === 0 || !isNeeded;
  };
  const draw = (): void => {
    const { chips } = search.parsed;
    list.classList.toggle('old', search.errors.length > 0);
    const key = JSON.stringify(chips);
    if (key === shown) {
      fit();
      return;
    }
    shown = key;
    const hadFocus = list.contains(document.activeElement);
    list.replaceChildren(
      ...chips.map(({ text, joinedBy }, index) =>
        element(
          'li',
          {},
          ...(index === 0
            ? []
            : [element('span', { class: 'joined', text: strings(`chips.${joinedBy}`) })]),
          element(
            'span',
            { class: 'chip' },
            element('span', { class: 'chip-text', text, attributes: { title: text } }),
            element('button', {
              class: 'codicon codicon-close',
              attributes: { type: 'button', 'aria-label': strings('chips.remove', text) },
              onClick: () => remove(index),
            }),
          ),
        ),
      ),
    );
    fit(hadFocus);
    if (hadFocus) goTo(current);
    else makeCurrent(current);
  };
  list.addEventListener('keydown', (event) => {
    const at = buttons().findIndex((button) => button === document.activeElement);
    if (at < 0) return;
    const steps: Readonly<Record<string, () => unknown>> = {
      ArrowRight: () => goTo(at + 1),
      ArrowLeft: () => goTo(at - 1),
      Home: () => goTo(0),
      End: () => goTo(buttons().length - 1),
      Delete: () => remove(at),
      Backspace: () => remove(at),
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    void step();
  });
  bar.onResize(() => fit());
  search.onChange(draw);
  list.hidden = true;
  draw();
  return list;
}
