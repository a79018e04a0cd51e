import '@vscode-elements/elements/dist/vscode-button/index.js';
import type { BuilderCondition, QueryModel } from '../../src/logs/explorer/panel/messages';
import { conditionInputs, type ConditionInputs } from './conditionInputs';
import { conditionsOf, rowOf, saysTheSame, type ConditionRow } from './conditionRows';
import { element } from './dom';
import type { Search } from './search';
import { createSelect } from './select';
import type { Words } from './words';

export interface Builder {
  /** Opens and closes it. */
  readonly toggle: HTMLElement;
  readonly element: HTMLElement;
}

const id = 'builder';

/** Conditions to put together; they are conditions of the query all the while. */
export function createBuilder(
  search: Search,
  offered: { readonly fields: readonly string[]; readonly operators: readonly string[] },
  words: Words,
): Builder {
  const toggle = element(
    'button',
    {
      class: 'toggle',
      attributes: { type: 'button', 'aria-expanded': 'false', 'aria-controls': id },
      onClick: () => {
        panel.hidden = !panel.hidden;
        toggle.setAttribute('aria-expanded', String(!panel.hidden));
        if (!panel.hidden && rows.length === 0) add();
      },
    },
    element('span', { class: 'codicon codicon-filter', attributes: { 'aria-hidden': 'true' } }),
    words('builder.toggle'),
  );
  const match = createSelect(
    words('builder.match'),
    [
      { value: 'and', label: words('builder.matchAnd') },
      { value: 'or', label: words('builder.matchOr') },
    ],
    () => change(),
  );
  const list = element('div', { class: 'conditions' });
  const panel = element(
    'div',
    { class: 'builder', attributes: { id, role: 'group', 'aria-label': words('builder.label') } },
    element(
      'div',
      { class: 'match' },
      element('span', { text: words('builder.match'), attributes: { 'aria-hidden': 'true' } }),
      match.element,
    ),
    list,
    element('vscode-button', {
      text: words('builder.add'),
      attributes: { secondary: '' },
      onClick: () => add().first.focus(),
    }),
  );
  panel.hidden = true;
  let rows: ConditionInputs[] = [];
  /** What the rows said when a change was told last: what somebody types now is not among it yet. */
  let told: readonly ConditionRow[] = [];
  let underWay = 0;

  const readMatch = (): QueryModel['match'] => (match.value === 'or' ? 'or' : 'and');
  const read = (): BuilderCondition[] => {
    told = rows.map((row) => row.read());
    return conditionsOf(told);
  };
  const change = (): void => {
    label();
    const conditions = read();
    if (conditions.length === 0 && search.said.conditions.length === 0) return;
    void apply(search.edit({ kind: 'conditions', match: readMatch(), conditions }));
  };
  /** What a change comes to is no news for the rows, which may say more by then. */
  const apply = async (change: Promise<unknown>): Promise<void> => {
    underWay++;
    await change;
    underWay--;
    if (underWay === 0 && search.errors.length === 0) draw();
  };
  /** Rows are called by their places, which change. */
  const label = (): void => {
    rows.forEach((row, index) => {
      row.element.setAttribute('aria-label', words('builder.row', index + 1));
      const joined = index === 0 ? '' : words(`chips.${readMatch()}`);
      row.element.querySelector('.joined')?.replaceChildren(joined);
      const remove = row.element.querySelector('.remove');
      remove?.setAttribute('aria-label', words('builder.remove', index + 1));
    });
  };
  const make = (row: ConditionRow): ConditionInputs => {
    const made = conditionInputs(row, offered, words, change, () => {
      const at = rows.indexOf(made);
      rows = rows.filter((one) => one !== made);
      made.element.remove();
      (rows[at] ?? rows.at(-1))?.first.focus();
      if (rows.length === 0) toggle.focus();
      change();
    });
    made.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
      event.preventDefault();
      void apply(search.narrow({ kind: 'conditions', match: readMatch(), conditions: read() }));
    });
    return made;
  };
  const add = (): ConditionInputs => {
    const [field = '', operator = ''] = [offered.fields[0], offered.operators[0]];
    const made = make({ field, name: '', operator, value: '' });
    rows.push(made);
    list.append(made.element);
    label();
    return made;
  };
  const draw = (): void => {
    if (underWay > 0) return;
    const { conditions, match: said } = search.said;
    if (conditions.length > 1) match.value = said;
    if (!saysTheSame(told, conditions)) {
      told = conditions.map(rowOf);
      rows = told.map(make);
      list.replaceChildren(...rows.map((row) => row.element));
    }
    label();
  };
  search.onChange(draw);
  draw();
  return { toggle, element: panel };
}
