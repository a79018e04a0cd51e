import type { BuilderCondition, QueryModel } from '../../src/logs/explorer/panel/messages';
import { createSelect, element, type Select } from './dom';
import type { PageQuery } from './pageQuery';
import type { Strings } from './strings';

interface Builder {
  /** Opens and closes it. */
  readonly toggle: HTMLElement;
  readonly element: HTMLElement;
}

const id = 'builder';

/** Conditions to put together; they are conditions of the query all the while. */
export function createBuilder(
  search: PageQuery,
  offered: { readonly fields: readonly string[]; readonly operators: readonly string[] },
  strings: Strings,
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
    strings('builder.toggle'),
  );
  const match = createSelect(
    strings('builder.match'),
    [
      { value: 'and', label: strings('builder.matchAnd') },
      { value: 'or', label: strings('builder.matchOr') },
    ],
    () => change(),
  );
  const list = element('div', { class: 'conditions' });
  const panel = element(
    'div',
    { class: 'builder', attributes: { id, role: 'group', 'aria-label': strings('builder.label') } },
    element(
      'div',
      { class: 'match' },
      element('span', { text: strings('builder.match'), attributes: { 'aria-hidden': 'true' } }),
      match.element,
    ),
    list,
    element('vscode-button', {
      text: strings('builder.add'),
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
      row.element.setAttribute('aria-label', strings('builder.row', index + 1));
      const joined = index === 0 ? '' : strings(`chips.${readMatch()}`);
      row.element.querySelector('.joined')?.replaceChildren(joined);
      const remove = row.element.querySelector('.remove');
      remove?.setAttribute('aria-label', strings('builder.remove', index + 1));
    });
  };
  const make = (row: ConditionRow): ConditionInputs => {
    const made = conditionInputs(row, offered, strings, change, () => {
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

/** The field whose values have names of their own. */
const attribute = 'attr';

/** A row of the builder: the name of an attribute stands in an input of its own. */
interface ConditionRow {
  readonly field: string;
  /** Only where the field is that of attributes. */
  readonly name: string;
  readonly operator: string;
  readonly value: string;
}

function isAttribute(field: string): boolean {
  return field === attribute;
}

/** Whether an operator asks for nothing but that there is a value, or none. */
function takesValue(operator: string): boolean {
  return !operator.endsWith('*');
}

export function rowOf({ field, operator, value }: BuilderCondition): ConditionRow {
  const prefix = `${attribute}.`;
  return field.startsWith(prefix)
    ? { field: attribute, name: field.slice(prefix.length), operator, value }
    : { field, name: '', operator, value };
}

/** The conditions of the rows that say all they need to; the others are still being filled in. */
export function conditionsOf(rows: readonly ConditionRow[]): BuilderCondition[] {
  return rows.filter(isComplete).map(({ field, name, operator, value }) => ({
    field: isAttribute(field) ? `${attribute}.${name.trim()}` : field,
    operator,
    value: takesValue(operator) ? value : '',
  }));
}

function isComplete({ field, name, operator, value }: ConditionRow): boolean {
  if (isAttribute(field) && name.trim() === '') return false;
  return !takesValue(operator) || value !== '';
}

/** Whether the rows say what a query says already, so that nobody's row is taken away from them. */
export function saysTheSame(
  rows: readonly ConditionRow[],
  conditions: readonly BuilderCondition[],
): boolean {
  const said = conditionsOf(rows);
  return (
    said.length === conditions.length &&
    said.every((one, index) => {
      const other = conditions[index];
      return (
        one.field === other?.field &&
        one.operator === other.operator &&
        (!takesValue(one.operator) || one.value === other.value)
      );
    })
  );
}

/** The inputs of one condition. */
interface ConditionInputs {
  readonly element: HTMLElement;
  readonly first: HTMLElement;
  readonly read: () => ConditionRow;
}

/** The words of the operators, by the signs that queries have for them. */
const operatorLabels = {
  '=': 'operator.equals',
  '!=': 'operator.notEquals',
  '~': 'operator.contains',
  '!~': 'operator.notContains',
  '^=': 'operator.startsWith',
  '$=': 'operator.endsWith',
  ':*': 'operator.exists',
  '-:*': 'operator.notExists',
} as const;

/**
 * Inputs that say what a condition says.
 *
 * @param change called when a person has changed what they say, `remove` when it is to go.
 */
function conditionInputs(
  row: ConditionRow,
  offered: { readonly fields: readonly string[]; readonly operators: readonly string[] },
  strings: Strings,
  change: () => void,
  remove: () => void,
): ConditionInputs {
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
  const field = choice(strings('builder.field'), offered.fields, row.field, (one) => one, changed);
  const operator = choice(
    strings('builder.operator'),
    offered.operators,
    row.operator,
    (one) => labelOf(one, strings),
    changed,
  );
  const name = input(strings('builder.attribute'), row.name);
  const value = input(strings('builder.value'), row.value);
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

function labelOf(operator: string, strings: Strings): string {
  return operator in operatorLabels
    ? strings(operatorLabels[operator as keyof typeof operatorLabels])
    : operator;
}
