import type { ApartRow } from '../../src/logs/explorer/protocol/comparisonMessages';
import { element } from '../logExplorer/dom';
import type { Strings } from '../logExplorer/panel';

/**
 * Creates the values that set records apart, with a bar for each share.
 *
 * @param none what to say if there are none; otherwise the part is hidden.
 */
export function createApart(strings: Strings, none?: string) {
  const list = element('ul', { class: 'apart-rows', attributes: { role: 'list' } });
  const nothing = element('div', { class: 'muted' });
  // The details of each pattern have one, which is no landmark of the page.
  const root = element(
    'div',
    { class: 'apart', attributes: { role: 'group', 'aria-label': strings('comparison.apart') } },
    element('h2', {
      text: strings('comparison.apart'),
      attributes: { title: strings('comparison.apartHint') },
    }),
    list,
    nothing,
  );
  root.hidden = true;
  return {
    element: root,
    show(rows: readonly ApartRow[]): void {
      list.replaceChildren(...rows.map((row) => apartRow(row, strings)));
      nothing.textContent = rows.length === 0 ? (none ?? '') : '';
      root.hidden = rows.length === 0 && none === undefined;
    },
  };
}

function apartRow(
  { field, value, share, otherShare, shareText, otherShareText }: ApartRow,
  strings: Strings,
): HTMLElement {
  const bar = (which: string, part: number): HTMLElement => {
    const made = element('span', { class: `bar ${which}` });
    made.style.width = `${part * 100}%`;
    return made;
  };
  return element(
    'li',
    {},
    element('span', { class: 'field', text: field }),
    element('span', { class: 'value', text: value, attributes: { title: value } }),
    element(
      'span',
      { class: 'share-bars', attributes: { 'aria-hidden': 'true' } },
      bar('now', share),
      bar('before', otherShare),
    ),
    element('span', {
      class: 'shares',
      text: strings('comparison.share', shareText, otherShareText),
    }),
  );
}
