import { isAttribute, takesValue, type ConditionRow } from './conditionRows';
import { element } from './dom';
import { createSelect, type Select } from './select';
import type { Words } from './words';

/** The inputs of one condition. */
export interface ConditionInputs {
  readonly element: HTMLElement;
  readonly first: HTMLElement;
  readonly read: () => ConditionRow;
}

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

/**
 * Inputs that say what a condition says.
 *
 * @param change called when a person has changed what they say, `remove` when it is to go.
 */
export function conditionInputs(
  row: ConditionRow,
  offered: { readonly fields: readonly string[]; readonly operators: readonly string[] },
  words: Words,
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
