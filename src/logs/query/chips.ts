import { queryFields } from './fields';
import type { LogFilter } from './filter';
import { printCondition, printQuery, type NameOf } from './print';

/** A part of what a filter asks for. */
export interface Chip {
  /** As the query has it. */
  readonly text: string;
  /** How it is joined to the one before it. */
  readonly joinedBy: 'and' | 'or';
  /** The filter without it. */
  readonly without: LogFilter;
}

/** The parts of a filter, in the order in which it is printed; each can be taken out alone. */
export function chipsOf(filter: LogFilter, nameOf?: NameOf): readonly Chip[] {
  const { attributes = [], conditionGroup, search } = filter;
  const chips: Chip[] = [];
  const add = (text: string, without: LogFilter, joinedBy: Chip['joinedBy'] = 'and'): void => {
    if (text !== '') chips.push({ text, joinedBy, without });
  };
  for (const { member } of queryFields.values()) {
    if (member === undefined) continue;
    const { [member]: one, ...without } = filter;
    add(printQuery(one === undefined ? {} : { [member]: one }, nameOf), without);
  }
  attributes.forEach((one, index) => {
    const rest = attributes.filter((_, other) => other !== index);
    const { attributes: all, ...without } = filter;
    const text = printQuery({ attributes: [one] });
    add(text, rest.length === 0 ? without : { ...without, attributes: rest });
  });
  conditionGroup?.conditions.forEach((one, index) => {
    const rest = conditionGroup.conditions.filter((_, other) => other !== index);
    const { conditionGroup: all, ...without } = filter;
    add(
      printCondition(one, nameOf),
      rest.length === 0
        ? without
        : { ...without, conditionGroup: { ...conditionGroup, conditions: rest } },
      index === 0 ? 'and' : conditionGroup.match,
    );
  });
  if (search !== undefined) {
    const { search: all, ...without } = filter;
    add(printQuery({ search }), without);
  }
  return chips;
}
