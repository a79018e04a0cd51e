import type { Condition, ConditionGroup } from '../../api/types';
import {
  anyValue,
  attributePrefix,
  fieldNamed,
  fieldOfAttribute,
  isId,
  type NameKind,
  queryFields,
  signOf,
} from './fields';
import type { LogFilter } from './filter';
import { quote, quoteAlways } from './tokens';

/** The name of an id; undefined unless `ResolveName` resolves it to this id alone. */
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
    terms.push(`${fieldOfAttribute(quote(key))}${sign}${quote(value)}`);
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

/** Whether a condition on its own would be read as an attribute filter. */
function isAttributeFilter({ field, operator }: Condition): boolean {
  return field.startsWith(attributePrefix) && (operator === 'equals' || operator === 'contains');
}

/** Prints a condition as it is written in parentheses. */
export function printCondition(condition: Condition, nameOf?: NameOf): string {
  const { field, operator, value } = condition;
  const known = fieldNamed(field);
  const name = field.startsWith(attributePrefix)
    ? fieldOfAttribute(quote(field.slice(attributePrefix.length)))
    : (known?.name ?? field);
  if (operator === 'exists') return `${name}:${anyValue}`;
  if (operator === 'not_exists') return `-${name}:${anyValue}`;
  const sign = signOf(operator);
  const isWhole = operator === 'equals' || operator === 'not_equals';
  if (known?.names === undefined || !isWhole) return `${name}${sign}${quote(value)}`;
  // The contract's own field name never takes names, so the value cannot be mistaken for one.
  if (!isId(value)) return `${field}${sign}${quote(value)}`;
  return `${name}${sign}${quote(nameOrId(known.names, value, nameOf))}`;
}

/** The names that resolve to a single id. A shared name would match all ids that have it. */
export function unambiguousNames(names: {
  nameOf(kind: NameKind, id: string): string | undefined;
  idsOf(kind: NameKind, name: string): readonly string[];
}): NameOf {
  return (kind, id) => {
    const name = names.nameOf(kind, id);
    if (name === undefined || name === '' || isId(name)) return undefined;
    const [found, ...more] = names.idsOf(kind, name);
    return found === id && more.length === 0 ? name : undefined;
  };
}
