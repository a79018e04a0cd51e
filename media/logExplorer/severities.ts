import { severities, type RowSeverity } from '../../src/logs/explorer/panel/messages';
import { element } from './dom';
import { severityParts } from './rowElement';
import type { Search } from './search';
import type { Words } from './words';

/** A button for each severity that can be asked for; with none pressed, all are. */
export function createSeverities(search: Search, words: Words): HTMLElement {
  const buttons = severities.map((severity) => {
    const button = element(
      'button',
      {
        class: `toggle severity ${severity}`,
        attributes: { type: 'button', 'aria-pressed': 'false' },
        onClick: () =>
          search.narrow((said) => ({
            kind: 'severities',
            severities: toggled(said.severities, severity),
          })),
      },
      ...severityParts(severity, words),
    );
    return { severity, button };
  });
  const draw = (): void => {
    for (const { severity, button } of buttons) {
      button.setAttribute('aria-pressed', String(search.said.severities.includes(severity)));
    }
  };
  search.onChange(draw);
  draw();
  return element(
    'div',
    {
      class: 'severities',
      attributes: { role: 'group', 'aria-label': words('severities.label') },
    },
    ...buttons.map(({ button }) => button),
  );
}

function toggled(chosen: readonly RowSeverity[], one: RowSeverity): RowSeverity[] {
  const next = severities.filter((other) => chosen.includes(other) !== (other === one));
  return next.length === severities.length ? [] : next;
}
