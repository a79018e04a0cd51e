import type { BuilderCondition, QueryModel } from '../../src/logs/explorer/protocol/messages';
import type { StringId } from '../../src/logs/explorer/ui/pageStrings';
import { createSelect, element, setAttribute, toolButton } from './dom';
import type { PageContext } from './pageQuery';
import type { Strings } from './panel';

interface Builder {
  /** The button that opens and closes it. */
  readonly toggle: HTMLElement;
  readonly element: HTMLElement;
}

const id = 'builder';

/** Creates the condition builder, which edits the conditions of the query. */
export function createBuilder(
  { search, strings }: PageContext,
  offered: { readonly fields: readonly string[]; readonly operators: readonly string[] },
): Builder {
  const label = strings('builder.toggle');
  const toggle = toolButton('filter', label, label, () => {
    panel.hidden = !panel.hidden;
    toggle.setAttribute('aria-expanded', String(!panel.hidden));
    if (panel.hidden) return;
    if (rows.length === 0) add();
    match.focus();
  });
  setAttribute(toggle, 'aria-expanded', 'false');
  setAttribute(toggle, 'aria-controls', id);
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
      match,
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
  /** The rows at the last change; later typing is not included yet. */
  let lastRows: readonly ConditionRow[] = [];
  let changes = 0;

  const readMatch = (): QueryModel['match'] => (match.value === 'or' ? 'or' : 'and');
  const read = (): BuilderCondition[] => {
    lastRows = rows.map((row) => row.read());
    return conditionsOf(lastRows);
  };
  const change = (): void => {
    labelRows();
    const conditions = read();
    if (conditions.length === 0 && search.parsed.conditions.length === 0) return;
    void apply(search.edit({ kind: 'conditions', match: readMatch(), conditions }));
  };
  /** Rows are not drawn again for their own changes: the user may have typed more. */
  const apply = async (change: Promise<unknown>): Promise<void> => {
    changes++;
    await change;
    changes--;
    if (changes === 0 && search.errors.length === 0) draw();
  };
  const labelRows = (): void => {
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
    labelRows();
    return made;
  };
  const draw = (): void => {
    if (changes > 0) return;
    const { conditions } = search.parsed;
    if (conditions.length > 1) match.value = search.parsed.match;
    if (!isSame(lastRows, conditions)) {
      lastRows = conditions.map(rowOf);
      rows = lastRows.map(make);
      list.replaceChildren(...rows.map((row) => row.element));
    }
    labelRows();
  };
  search.onChange(draw);
  draw();
  return { toggle, element: panel };
}

/** The field for attributes, which have names. */
const attribute = 'attr';

/** A row of the builder. The name of an attribute has its own input. */
interface ConditionRow {
  readonly field: string;
  /** The name of an attribute, if the field is `attr`. */
  readonly name: string;
  readonly operator: string;
  readonly value: string;
}

function takesValue(operator: string): boolean {
  return !operator.endsWith('*');
}

export function rowOf({ field, operator, value }: BuilderCondition): ConditionRow {
  const prefix = `${attribute}.`;
  return field.startsWith(prefix)
    ? { field: attribute, name: field.slice(prefix.length), operator, value }
    : { field, name: '', operator, value };
}

export function conditionsOf(rows: readonly ConditionRow[]): BuilderCondition[] {
  return rows.filter(isComplete).map(({ field, name, operator, value }) => ({
    field: field === attribute ? `${attribute}.${name.trim()}` : field,
    operator,
    value: takesValue(operator) ? value : '',
  }));
}

function isComplete({ field, name, operator, value }: ConditionRow): boolean {
  if (field === attribute && name.trim() === '') return false;
  return !takesValue(operator) || value !== '';
}

/** Whether the rows have the conditions of the query, so that they need not be replaced. */
export function isSame(
  rows: readonly ConditionRow[],
  conditions: readonly BuilderCondition[],
): boolean {
  const current = conditionsOf(rows);
  return (
    current.length === conditions.length &&
    current.every((one, index) => {
      const other = conditions[index];
      return (
        one.field === other?.field &&
        one.operator === other.operator &&
        (!takesValue(one.operator) || one.value === other.value)
      );
    })
  );
}

interface ConditionInputs {
  readonly element: HTMLElement;
  readonly first: HTMLElement;
  readonly read: () => ConditionRow;
}

const operatorLabels: Readonly<Record<string, StringId>> = {
  '=': 'operator.equals',
  '!=': 'operator.notEquals',
  '~': 'operator.contains',
  '!~': 'operator.notContains',
  '^=': 'operator.startsWith',
  '$=': 'operator.endsWith',
  ':*': 'operator.exists',
  '-:*': 'operator.notExists',
};

/**
 * Creates the inputs of a condition.
 *
 * @param change called after a change, `remove` when the row is removed.
 */
function conditionInputs(
  row: ConditionRow,
  offered: { readonly fields: readonly string[]; readonly operators: readonly string[] },
  strings: Strings,
  change: () => void,
  remove: () => void,
): ConditionInputs {
  const show = (): void => {
    name.hidden = field.value !== attribute;
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
    (one) => {
      const id = operatorLabels[one];
      return id === undefined ? one : strings(id);
    },
    changed,
  );
  const name = input(strings('builder.attribute'), row.name);
  const value = input(strings('builder.value'), row.value);
  show();
  return {
    first: field,
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
      field,
      name,
      operator,
      value,
      element('button', {
        class: 'remove codicon codicon-close',
        attributes: { type: 'button' },
        onClick: remove,
      }),
    ),
  };
}

/** Creates a select with these values, and the value of the query if it is another one. */
function choice(
  label: string,
  values: readonly string[],
  value: string,
  labelFor: (value: string) => string,
  onChange: () => void,
): HTMLSelectElement {
  const all = values.includes(value) ? values : [...values, value];
  const select = createSelect(
    label,
    all.map((one) => ({ value: one, label: labelFor(one) })),
    onChange,
  );
  select.value = value;
  return select;
}
