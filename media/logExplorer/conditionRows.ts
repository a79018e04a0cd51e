import type { BuilderCondition } from '../../src/logs/explorer/panel/messages';

/** The field whose values have names of their own. */
const attribute = 'attr';

/** A row of the builder: the name of an attribute stands in an input of its own. */
export interface ConditionRow {
  readonly field: string;
  /** Only where the field is that of attributes. */
  readonly name: string;
  readonly operator: string;
  readonly value: string;
}

export function isAttribute(field: string): boolean {
  return field === attribute;
}

/** Whether an operator asks for nothing but that there is a value, or none. */
export function takesValue(operator: string): boolean {
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
