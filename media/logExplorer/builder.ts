import '@vscode-elements/elements/dist/vscode-button/index.js';
import type { QueryModel } from '../../src/panels/logExplorer/messages';
import { conditionsOf, isAttribute, rowOf, saysTheSame, takesValue } from './conditionRows';
import type { ConditionRow } from './conditionRows';
import { element } from './dom';
import { createSelect } from './select';
import type { Select } from './select';
import type { Search } from './search';
import type { Words } from './words';

export interface Builder {
  /** Opens and closes it. */
  readonly toggle: HTMLElement;
  readonly element: HTMLElement;
}

/** What a row is made of. */
interface RowParts {
  readonly element: HTMLElement;
  readonly first: HTMLElement;
  readonly read: () => ConditionRow;
}

const id = 'builder';

/** The words of the operators, by the signs that queries have for them. */
const operatorWords = {
  '=': 'operator.equals',
  '!=': 'operator.notEquals',
  '~': 'operator.contains',
  '!~': 'operator.notContains',
  '^=': 'operator.startsWith',
  '$=': 'operator.endsWith',
  ':*': 'operator.exists',
  '-:*': 'operator.notExists',
} as const;

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
  let rows: RowParts[] = [];
  let underWay = 0;

  const readMatch = (): QueryModel['match'] => (match.value === 'or' ? 'or' : 'and');
  const change = (): void => {
    label();
    const conditions = conditionsOf(rows.map((row) => row.read()));
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
  const make = (row: ConditionRow): RowParts => {
    const made = makeRow(row, offered, words, change, () => {
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
      const conditions = conditionsOf(rows.map((one) => one.read()));
      void apply(search.narrow({ kind: 'conditions', match: readMatch(), conditions }));
    });
    return made;
  };
  const add = (): RowParts => {
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
    const now = rows.map((row) => row.read());
    if (!saysTheSame(now, conditions)) {
      rows = conditions.map((one) => make(rowOf(one)));
      list.replaceChildren(...rows.map((row) => row.element));
    }
    label();
  };
  search.onChange(draw);
  draw();
  return { toggle, element: panel };
}

function makeRow(
  row: ConditionRow,
  offered: { readonly fields: readonly string[]; readonly operators: readonly string[] },
  words: Words,
  change: () => void,
  remove: () => void,
): RowParts {
  const show = (): void => {
    name.hidden = !isAttribute(field.value);
    value.hidden = !takesValue(operator.value);
  };
  const changed = (): void => {
    show();
    change();
  };
  const input = (label: string, text: string): HTMLInputElement => {
    const made = element('input', {
      class: 'text',
      attributes: {
        type: 'text',
        'aria-label': label,
        placeholder: label,
        spellcheck: 'false',
        maxlength: '8192',
      },
    });
    made.value = text;
    made.addEventListener('change', changed);
    return made;
  };
  const field = choice(words('builder.field'), offered.fields, row.field, (one) => one, changed);
  const operator = choice(
    words('builder.operator'),
    offered.operators,
    row.operator,
    (one) => labelOf(one, words),
    changed,
  );
  const name = input(words('builder.attribute'), row.name);
  const value = input(words('builder.value'), row.value);
  show();
  return {
    first: field.element,
    read: () => ({
      field: field.value,
      name: name.value,
      operator: operator.value,
      value: value.value,
    }),
    element: element(
      'div',
      { class: 'condition', attributes: { role: 'group' } },
      element('span', { class: 'joined' }),
      field.element,
      name,
      operator.element,
      value,
      element('button', {
        class: 'remove codicon codicon-close',
        attributes: { type: 'button' },
        onClick: remove,
      }),
    ),
  };
}

/** A box of these values; one that the query has is offered too, whatever it is. */
function choice(
  label: string,
  values: readonly string[],
  value: string,
  labelFor: (value: string) => string,
  onChange: () => void,
): Select {
  const all = values.includes(value) ? values : [...values, value];
  const select = createSelect(
    label,
    all.map((one) => ({ value: one, label: labelFor(one) })),
    onChange,
  );
  select.value = value;
  return select;
}

function labelOf(operator: string, words: Words): string {
  return operator in operatorWords
    ? words(operatorWords[operator as keyof typeof operatorWords])
    : operator;
}
