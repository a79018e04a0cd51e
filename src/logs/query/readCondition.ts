import { conditionsOn, join, type Group, type Operand } from './conditions';
import {
  anyValue,
  attributeOfField,
  attributePrefix,
  conditionFields,
  conditionSigns,
  fieldNamed,
  isId,
  type NamedField,
} from './fields';
import { report, type ParseState } from './parseState';
import type { Field, Span, Text } from './tokens';

/** The field of a condition. */
interface Subject {
  /** As written in the query, for problems. */
  readonly label: string;
  /** As the contract names it. */
  readonly condition: string;
}

/** Whether there is no value. An empty quoted text is a value. */
export function isMissing(value: Text | undefined): value is undefined {
  return value === undefined || (value.text === '' && !value.quoted);
}

/** Whether a term tests existence: `spanId:*`, `-spanId:*` or `-spanId:`. */
export function isExistence({ operator, negated }: Field, values: readonly Text[]): boolean {
  const [value, ...more] = values;
  if (operator !== ':' || more.length > 0) return false;
  return isMissing(value) ? negated : value.text === anyValue && !value.quoted;
}

export function existence({ label, condition }: Subject, { negated }: Field, span: Span): Group {
  const operator = negated ? 'not_exists' : 'exists';
  return conditionsOn(span, label, condition, operator, [{ ...span, value: '' }]);
}

/** Reads the other form, `field:spanId,attr.user`. */
export function readExistence(
  state: ParseState,
  field: Field,
  values: readonly Text[],
): Group | undefined {
  const groups: Group[] = [];
  for (const value of values) {
    const subject = subjectNamed(value.text);
    if (subject !== undefined) groups.push(existence(subject, field, value));
    else {
      const problem = { kind: 'unknownValue', field: field.name, value: value.text } as const;
      report(state, value, problem, conditionFields);
    }
  }
  return join(state, field.negated ? 'and' : 'or', groups);
}

function subjectNamed(label: string): Subject | undefined {
  const attribute = attributeOfField(label) ?? '';
  if (attribute !== '') return { label, condition: `${attributePrefix}${attribute}` };
  const condition = fieldNamed(label)?.condition;
  return condition === undefined ? undefined : { label, condition };
}

/**
 * Reads a value after any operator: in the form of the contract, or as the ids that have it as their name.
 *
 * @param field undefined for an attribute, whose values have any form.
 * @param isWhole whether it is not only a part of the value, so that it can be a name.
 */
export function operandsOf(
  { resolve, unresolved }: ParseState,
  field: NamedField | undefined,
  { text, start, end }: Text,
  isWhole = true,
): readonly Operand[] {
  const { names, exact, normalise } = field ?? {};
  if (names === undefined || exact === true || !isWhole || isId(text)) {
    return [{ value: normalise?.(text) ?? text, start, end }];
  }
  const ids = resolve(names, text);
  if (ids.length === 0) unresolved.push({ kind: names, name: text, start, end });
  return ids.map((value) => ({ value, start, end }));
}

/** Reads a condition with an operator, such as `service^=web`. */
export function readSigned(
  state: ParseState,
  field: Field,
  { label, condition }: Subject,
  value: Text | undefined,
  allowed: readonly string[],
  known?: NamedField,
): Group | undefined {
  const sign = field.operator;
  // Only these two operators have a negation.
  const isNegatable = sign === '=' || sign === '~';
  const operator = conditionSigns.get(field.negated && isNegatable ? `!${sign}` : sign);
  if (operator === undefined) {
    report(state, field, { kind: 'operator', field: label, operator: sign }, allowed);
  } else if (field.negated && !isNegatable) {
    report(state, field, { kind: 'negation', field: `${label}${sign}` });
  } else if (isMissing(value)) {
    report(state, field, { kind: 'missingValue', field: label });
  } else {
    const isWhole = operator === 'equals' || operator === 'not_equals';
    const operands = operandsOf(state, known, value, isWhole);
    const span = { start: field.start, end: value.end };
    if (operands.length > 0) return conditionsOn(span, label, condition, operator, operands);
  }
  return undefined;
}
