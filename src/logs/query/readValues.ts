import { conditionsOn, type Group } from './conditions';
import { allowedValues, type Part } from './filterBuilder';
import {
  closedMembers,
  conditionFields,
  singleMembers,
  type FieldMember,
  type NamedField,
} from './fields';
import { existence, isExistence, operandsOf } from './readCondition';
import { partsOf, report, type ParseState } from './parseState';
import type { Field, Span, Text } from './tokens';

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
  const parts = state.excluded.get(member) ?? [];
  state.excluded.set(member, parts);
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
