import { type RowSeverity, severities, type View } from '../../src/logs/explorer/panel/view';
import { element, setText } from './dom';
import { severityIcon } from './listElements';
import type { PageQuery } from './pageQuery';
import { bySeverity, countsOf } from './stackedBars';
import type { Strings } from './strings';

interface SeverityFilter {
  readonly element: HTMLElement;
  show(view: View): void;
}

/**
 * Creates a toggle button for each severity, with its number of loaded records. If none is pressed, all
 * severities are searched for.
 */
export function createSeverityFilter(
  search: PageQuery,
  strings: Strings,
  locale: string,
): SeverityFilter {
  const numbers = new Intl.NumberFormat(locale);
  const buttons = bySeverity.map((severity) => {
    const name = strings(`severity.${severity}`);
    const count = element('span', { class: 'count' });
    const button = element(
      'button',
      {
        class: `toggle severity ${severity}`,
        attributes: { type: 'button', 'aria-pressed': 'false' },
        onClick: () =>
          search.narrow((query) => ({
            kind: 'severities',
            severities: toggled(query.severities, severity),
          })),
      },
      severityIcon(severity),
      element('span', { class: 'name', text: name }),
      ' ',
      count,
    );
    button.dataset['severity'] = severity;
    return { severity, name, button, count };
  });
  const draw = (): void => {
    for (const { severity, button } of buttons) {
      button.setAttribute('aria-pressed', String(search.parsed.severities.includes(severity)));
    }
  };
  search.onChange(draw);
  draw();
  return {
    element: element(
      'div',
      {
        class: 'severities',
        attributes: { role: 'group', 'aria-label': strings('severities.label') },
      },
      ...buttons.map(({ button }) => button),
    ),
    show({ histogram }) {
      const counts = countsOf(histogram);
      for (const { severity, name, button, count } of buttons) {
        const records = counts.get(severity) ?? 0;
        setText(count, records === 0 ? '' : numbers.format(records));
        button.classList.toggle('empty', records === 0);
        button.title = strings('severities.count', name, numbers.format(records));
      }
    },
  };
}

function toggled(chosen: readonly RowSeverity[], one: RowSeverity): RowSeverity[] {
  const next = severities.filter((other) => chosen.includes(other) !== (other === one));
  return next.length === severities.length ? [] : next;
}
