import type { Condition, ConditionGroup } from '../../api/types';
import { getOrMake } from '../../base/maps';
import {
  type FieldMember,
  type NameKind,
  type TimeField,
  anyValue,
  attributeOfField,
  attributePrefix,
  conditionFields,
  conditionSigns,
  fieldNamed,
  isId,
  type NamedField,
  closedMembers,
  singleMembers,
  type LogFilter,
} from './fields';
import {
  type FilterBuilder,
  type Part,
  type QueryError,
  type QueryProblem,
  allowedValues,
} from './filterBuilder';
import type { Span, Text, Field } from './queryTokens';

export interface UnresolvedName extends Span {
  readonly kind: NameKind;
  readonly name: string;
}

/** The ids that have a name: none, one, or several if they share it. */
export type ResolveName = (kind: NameKind, name: string) => readonly string[];

/** The value of `last`, `from` or `to`. */
export interface TimePart extends Span {
  readonly field: TimeField;
  readonly text: string;
}

/** The result of parsing so far. */
export interface ParseState {
  readonly resolve: ResolveName;
  readonly builder: FilterBuilder;
  readonly texts: Text[];
  readonly times: TimePart[];
  readonly unresolved: UnresolvedName[];
  readonly errors: QueryError[];
  /** Excluded values of closed members. */
  readonly excluded: Map<FieldMember, Part[]>;
}

export function newParseState(resolve: ResolveName): ParseState {
  return {
    resolve,
    builder: { members: new Map(), match: 'and' },
    texts: [],
    times: [],
    unresolved: [],
    errors: [],
    excluded: new Map(),
  };
}

/** Adds an error for a part of the query. */
export function report(
  { errors }: ParseState,
  { start, end }: Span,
  problem: QueryProblem,
  allowed: readonly string[] = [],
): void {
  errors.push({ start, end, problem, allowed });
}

/** The mutable list of parts of a member. */
export function partsOf({ builder }: ParseState, member: keyof LogFilter): Part[] {
  return getOrMake(builder.members, member, () => []);
}

/** Conditions joined by one word. For a single condition either word is correct. */
export interface Group extends Span {
  readonly match: ConditionGroup['match'];
  readonly parts: readonly Part[];
}

/** A value of a condition, with its position. */
interface Operand extends Span {
  readonly value: string;
}

/** Makes one condition for each operand: joined by `or`, or by `and` if the operator is negative. */
function conditionsOn(
  { start, end }: Span,
  field: string,
  name: string,
  operator: Condition['operator'],
  operands: readonly Operand[],
): Group {
  return {
    match: operator.startsWith('not_') ? 'and' : 'or',
    parts: operands.map((operand) => ({
      field,
      value: { field: name, operator, value: operand.value } satisfies Condition,
      start: operand.start,
      end: operand.end,
    })),
    start,
    end,
  };
}

/**
 * Joins groups into one, because the contract has no nested groups. Reports groups that are joined by the
 * other word.
 */
export function join(
  state: ParseState,
  match: Group['match'],
  groups: readonly Group[],
): Group | undefined {
  const [first, ...more] = groups;
  const last = more.at(-1);
  if (first === undefined || last === undefined) return first;
  for (const group of groups) {
    if (group.parts.length > 1 && group.match !== match) report(state, group, { kind: 'mixed' });
  }
  const parts = groups.flatMap((group) => group.parts);
  return { match, parts, start: first.start, end: last.end };
}

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
function operandsOf(
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

/** A field with its values, as written in a query. */
export interface FieldTerm extends Span {
  readonly field: Field;
  readonly values: readonly Text[];
  /** Whether only a condition is allowed here. */
  readonly strict: boolean;
}

/** Reads `name:value,value` into a filter member, or as conditions if the member cannot express it. */
export function readValues(
  state: ParseState,
  term: FieldTerm,
  known: NamedField,
): Group | undefined {
  const { field, values, strict } = term;
  const { name, member, condition } = known;
  const { negated } = field;
  if (condition !== undefined && isExistence(field, values)) {
    return existence({ label: name, condition }, field, term);
  }
  const given = values.filter((value) => {
    if (value.text === '') report(state, value, { kind: 'missingValue', field: name });
    return value.text !== '';
  });
  if (member !== undefined && !strict && !negated) readMember(state, known, member, given);
  else if (member !== undefined && !strict && closedMembers.has(member)) {
    exclude(state, known, member, given);
  } else if (condition === undefined) {
    report(state, field, { kind: 'noCondition', field: name }, conditionFields);
  } else {
    const operands = given.flatMap((value) => operandsOf(state, known, value));
    const operator = negated ? 'not_equals' : 'equals';
    if (operands.length > 0) return conditionsOn(term, name, condition, operator, operands);
  }
  return undefined;
}

function readMember(
  state: ParseState,
  known: NamedField,
  member: FieldMember,
  values: readonly Text[],
): void {
  const parts = partsOf(state, member);
  for (const value of values) {
    if (singleMembers.has(member) && parts.length > 0) {
      report(state, value, { kind: 'onlyOne', field: known.name });
      continue;
    }
    for (const operand of operandsOf(state, known, value)) {
      parts.push({ ...operand, field: known.name });
    }
  }
}

function exclude(
  state: ParseState,
  known: NamedField,
  member: FieldMember,
  values: readonly Text[],
): void {
  const allowed = allowedValues(member);
  const parts = getOrMake(state.excluded, member, () => []);
  for (const value of values) {
    for (const operand of operandsOf(state, known, value)) {
      if (allowed.includes(operand.value)) parts.push({ ...operand, field: known.name });
      else {
        const problem = { kind: 'unknownValue', field: known.name, value: operand.value } as const;
        report(state, value, problem, allowed);
      }
    }
  }
}

/** Removes all but the first of equal values. */
export function dropRepeated({ builder: { members } }: ParseState): void {
  for (const [member, parts] of members) {
    const kept = new Map<unknown, Part>();
    for (const part of parts) if (!kept.has(part.value)) kept.set(part.value, part);
    members.set(member, [...kept.values()]);
  }
}

/** Removes excluded values from the requested ones, or from all values if none are requested. */
export function applyExclusions(state: ParseState): void {
  for (const [member, excluded] of state.excluded) {
    const [first] = excluded;
    if (first === undefined) continue;
    const asked = partsOf(state, member);
    const all = allowedValues(member).map((value) => ({ ...first, value }));
    const left = (asked.length > 0 ? asked : all).filter(
      ({ value }) => !excluded.some((part) => part.value === value),
    );
    if (left.length === 0) report(state, first, { kind: 'nothingLeft', field: first.field });
    state.builder.members.set(member, left);
  }
}
