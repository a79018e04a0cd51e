import type { Condition, ConditionGroup } from '../../api/types';
import {
  anyValue,
  attributeField,
  attributePrefix,
  conditionSigns,
  fieldNamed,
  isId,
  type NameKind,
  queryFields,
} from './fields';
import type { LogFilter } from './filter';
import type { ResolveName } from './parser';
import { quote, quoteAlways } from './tokens';

/** The name to print for an id, if there is one that `ResolveName` takes back to this id alone. */
export type NameOf = (kind: NameKind, id: string) => string | undefined;

/** Prints a filter as a query that compiles to the same filter. */
export function printQuery(filter: LogFilter, nameOf?: NameOf): string {
  const terms: string[] = [];
  for (const [field, { member, names }] of queryFields) {
    const value = (member && filter[member]) ?? [];
    const values = typeof value === 'string' ? [value] : value;
    if (values.length === 0) continue;
    const printed = values.map((one) => quote(nameOrId(names, one, nameOf)));
    terms.push(`${field}:${printed.join(',')}`);
  }
  for (const { key, value, operator } of filter.attributes ?? []) {
    const sign = operator === 'contains' ? '~' : '=';
    terms.push(`${attributeField}.${quote(key)}${sign}${quote(value)}`);
  }
  if (filter.conditionGroup !== undefined) terms.push(printGroup(filter.conditionGroup, nameOf));
  if (filter.search !== undefined && filter.search !== '') terms.push(quoteAlways(filter.search));
  return terms.join(' ');
}

function nameOrId(names: NameKind | undefined, id: string, nameOf: NameOf | undefined): string {
  const name = names && nameOf?.(names, id);
  return name === undefined || name === '' || isId(name) ? id : name;
}

function printGroup({ match, conditions }: ConditionGroup, nameOf: NameOf | undefined): string {
  const joinedByOr = match === 'or' && conditions.length > 1;
  const printed = conditions.map((condition) => printCondition(condition, nameOf));
  const needsGroup = joinedByOr || conditions.some(isAttributeFilter);
  const text = printed.join(joinedByOr ? ' or ' : ' ');
  return needsGroup ? `(${text})` : text;
}

/** Whether a condition looks like a filter of attributes where it stands alone. */
function isAttributeFilter({ field, operator }: Condition): boolean {
  return field.startsWith(attributePrefix) && (operator === 'equals' || operator === 'contains');
}

/** Prints one condition, as it stands in parentheses. */
export function printCondition(condition: Condition, nameOf?: NameOf): string {
  const { field, operator, value } = condition;
  const known = fieldNamed(field);
  const name = field.startsWith(attributePrefix)
    ? `${attributeField}.${quote(field.slice(attributePrefix.length))}`
    : (known?.name ?? field);
  if (operator === 'exists') return `${name}:${anyValue}`;
  if (operator === 'not_exists') return `-${name}:${anyValue}`;
  const sign = [...conditionSigns].find(([, one]) => one === operator)?.[0] ?? '=';
  const isWhole = operator === 'equals' || operator === 'not_equals';
  if (known?.names === undefined || !isWhole) return `${name}${sign}${quote(value)}`;
  // The contract's own name of the field takes no names: what is not an id stays what it is.
  if (!isId(value)) return `${field}${sign}${quote(value)}`;
  return `${name}${sign}${quote(nameOrId(known.names, value, nameOf))}`;
}

/**
 * Names that can be printed: those that lead back to their id and to no other. A name that several
 * share would ask for all of them.
 */
export function unambiguousNames(nameOf: NameOf, resolve: ResolveName): NameOf {
  return (kind, id) => {
    const name = nameOf(kind, id);
    if (name === undefined || name === '' || isId(name)) return undefined;
    const [found, ...more] = resolve(kind, name);
    return found === id && more.length === 0 ? name : undefined;
  };
}
