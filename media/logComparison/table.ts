import type {
  ChangeRow,
  ComparisonView,
  SideName,
} from '../../src/logs/explorer/protocol/comparisonMessages';
import { element, icon, setText, severityIcon } from '../logExplorer/dom';
import type { Strings } from '../logExplorer/panel';
import { rove } from '../logExplorer/roving';
import { createApart } from './apart';
import type { ComparisonHost } from './panel';

/** The patterns of both sides. A click on a pattern shows what sets it apart. */
export interface Table {
  readonly element: HTMLElement;
  show(view: ComparisonView): void;
}

/** The same icons as in the view Errors. */
const icons: Readonly<Record<ChangeRow['change'], string>> = {
  new: 'diff-added',
  more: 'arrow-up',
  gone: 'pass',
  fewer: 'arrow-down',
  same: 'dash',
  rare: 'question',
};

const cell = { role: 'gridcell' };

export function createTable(
  ask: ComparisonHost['ask'],
  strings: Strings,
  fail: (error: unknown) => void,
): Table {
  const rows = element('div', {
    class: 'change-rows',
    attributes: { role: 'rowgroup' },
  });
  const names = { now: element('span'), before: element('span') };
  const header = element(
    'div',
    { class: 'change header', attributes: { role: 'row' } },
    ...[
      strings('comparison.change'),
      strings('listSeverity'),
      strings('comparison.times'),
      names.now,
      names.before,
      strings('comparison.pattern'),
      strings('comparison.code'),
    ].map((label, index) =>
      element(
        'div',
        {
          class: ['', 'narrow', '', 'count', 'count', '', ''][index] ?? '',
          attributes: { role: 'columnheader' },
        },
        label,
      ),
    ),
  );
  const grid = element(
    'div',
    { class: 'changes', attributes: { role: 'grid', 'aria-label': strings('comparison.changes') } },
    element('div', { class: 'header-rows', attributes: { role: 'rowgroup' } }, header),
    rows,
  );
  const rest = element('div', { class: 'rest muted' });
  const root = element('section', { class: 'table' }, grid, rest);
  const roving = rove(rows);
  let shown = '';
  let epoch = -1;
  /** The pattern whose details are open. */
  let open: string | undefined;

  function row(change: ChangeRow, view: ComparisonView): HTMLElement {
    const { key, template, words, severity, counts, times, place } = change;
    const button = (what: string, label: string, onClick: () => unknown): HTMLButtonElement => {
      const made = element('button', {
        class: 'text-button',
        text: label,
        attributes: { type: 'button', tabindex: '-1' },
        onClick,
      });
      Object.assign(made.dataset, { key, what });
      return made;
    };
    const countOf = (side: SideName): HTMLElement => {
      const made = button(side, counts[side], () => ask('records', { side, key }).catch(fail));
      const name = view.sides?.[side].name ?? '';
      made.title = made.ariaLabel = strings('comparison.showRecords', counts[side], name);
      return element('div', { class: `count ${side}`, attributes: cell }, made);
    };
    const pattern = button('pattern', template, () => toggle(made, change));
    pattern.classList.add('template');
    pattern.ariaExpanded = String(open === key);
    const code = button('code', place ?? '', () => ask('openCode', { key }).catch(fail));
    code.title = code.ariaLabel =
      place === undefined
        ? strings('comparison.openCode')
        : `${strings('comparison.openCode')}: ${place}`;
    if (place === undefined) code.append(icon('go-to-file'));
    const made = element(
      'div',
      { class: `change ${change.change}`, attributes: { role: 'row' } },
      element(
        'div',
        { class: 'words', attributes: cell },
        icon(icons[change.change]),
        element('span', { text: words }),
      ),
      element(
        'div',
        {
          class: `severity ${severity}`,
          attributes: { ...cell, title: strings(`severity.${severity}`) },
        },
        severityIcon(severity),
        element('span', { class: 'unseen', text: strings(`severity.${severity}`) }),
      ),
      element(
        'div',
        { class: 'sparks', attributes: cell },
        spark('now', times.now),
        spark('before', times.before),
      ),
      countOf('now'),
      countOf('before'),
      element('div', { class: 'message', attributes: cell }, pattern),
      element('div', { class: 'code', attributes: cell }, code),
    );
    if (open === key) void showDetails(made, change);
    return made;
  }

  function toggle(at: HTMLElement, change: ChangeRow): void {
    const wasOpen = open === change.key;
    for (const details of rows.querySelectorAll('.details')) details.remove();
    for (const one of rows.querySelectorAll('.template')) one.ariaExpanded = 'false';
    open = wasOpen ? undefined : change.key;
    if (wasOpen) return;
    const button = at.querySelector('.template');
    if (button !== null) button.ariaExpanded = 'true';
    void showDetails(at, change);
  }

  /** Shows the whole pattern and what sets it apart below its row. */
  async function showDetails(at: HTMLElement, { key, template }: ChangeRow): Promise<void> {
    const apart = createApart(strings, strings('comparison.apartNone'));
    const details = element(
      'div',
      { class: 'details', attributes: { ...cell, 'aria-live': 'polite' } },
      element('div', { class: 'whole', text: template }),
      apart.element,
    );
    at.append(details);
    try {
      apart.show(await ask('apart', { key }));
    } catch (error) {
      fail(error);
    }
  }

  function draw(view: ComparisonView): void {
    const active = document.activeElement;
    const focused = active instanceof HTMLElement && rows.contains(active) ? active.dataset : {};
    const { key = '', what = '' } = focused;
    rows.replaceChildren(...view.rows.map((change) => row(change, view)));
    roving.update();
    if (key === '') return;
    const again = `[data-key="${CSS.escape(key)}"][data-what="${what}"]`;
    rows.querySelector<HTMLElement>(again)?.focus();
  }

  return {
    element: root,
    show(view) {
      if (view.epoch !== epoch) open = undefined;
      ({ epoch } = view);
      const key = JSON.stringify([view.rows, view.sides, view.epoch]);
      root.hidden = view.rows.length === 0;
      setText(rest, view.rest);
      if (key === shown) return;
      shown = key;
      setText(names.now, view.sides?.now.name ?? '');
      setText(names.before, view.sides?.before.name ?? '');
      draw(view);
    },
  };
}

const svg = 'http://www.w3.org/2000/svg';
/** The height of a spark; each of its parts is 1 wide. */
const height = 10;

/** A bar for each part of the time of a side, as high as its share of the most. */
function spark(side: SideName, shares: readonly number[]): SVGElement {
  const made = document.createElementNS(svg, 'svg');
  made.setAttribute('class', `spark ${side}`);
  made.setAttribute('viewBox', `0 0 ${Math.max(1, shares.length)} ${height}`);
  made.setAttribute('preserveAspectRatio', 'none');
  made.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(svg, 'path');
  path.setAttribute(
    'd',
    shares
      .map((share, index) => {
        const high = share === 0 ? 0 : Math.max(1, share * height);
        return `M${index} ${height}v${-high}h0.8v${high}z`;
      })
      .join(''),
  );
  made.append(path);
  return made;
}
