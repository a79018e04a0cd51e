import { conditionOperators, fieldNamed, attributeField, fieldNames } from './fields';
import type { Completion, QueryKnowledge } from './completionTypes';
import { placeAt, type Place } from './completionContext';
import { quote, type Span } from './tokens';
import { valueItems } from './valueItems';

/** What can replace a part of a query; the best first. */
export interface Completions extends Span {
  readonly items: readonly Completion[];
}

/** More than anybody reads. */
const maxItems = 50;

/**
 * What can stand at a position of a query, by what is typed before it. What stands behind it, up to
 * the end of the word or value, is replaced too.
 *
 * @param offset in UTF-16 units.
 */
export function completionsAt(
  text: string,
  offset: number,
  knowledge: QueryKnowledge,
): Completions {
  const place = placeAt(text, offset);
  const { start, end } = place;
  return { start, end, items: itemsAt(place, knowledge).slice(0, maxItems) };
}

function itemsAt(place: Place, knowledge: QueryKnowledge): readonly Completion[] {
  switch (place.kind) {
    case 'text':
      return [];
    case 'word':
      return wordItems(place.typed, place.afterField, knowledge);
    case 'value':
      return fitting(place.typed, valueItems(place, knowledge));
  }
}

/** Those that begin with what was typed, then those that hold it. */
function fitting(typed: string, items: readonly Completion[]): readonly Completion[] {
  const wanted = typed.toLowerCase();
  const found = items
    .map((item) => ({ item, at: item.label.toLowerCase().indexOf(wanted) }))
    .filter(({ at }) => at >= 0);
  const pick = (isFirst: boolean): Completion[] =>
    found.filter(({ at }) => (at === 0) === isFirst).map(({ item }) => item);
  return [...pick(true), ...pick(false)];
}

function wordItems(
  typed: string,
  afterField: boolean,
  knowledge: QueryKnowledge,
): readonly Completion[] {
  const minus = typed.startsWith('-') ? '-' : '';
  const name = typed.slice(minus.length);
  const fields = fieldNames.map((one): Completion => {
    const text = minus + one + (one === attributeField ? '.' : ':');
    return { kind: 'field', label: one, text };
  });
  const attributes = knowledge.attributes().map((one): Completion => {
    const text = `${minus}${attributeField}.${quote(one)}=`;
    return { kind: 'field', label: `${attributeField}.${one}`, text };
  });
  const word: Completion = { kind: 'word', label: 'or', text: 'or' };
  return fitting(name, [
    ...fields,
    ...operators(minus, name),
    ...attributes,
    ...(afterField && minus === '' ? [word] : []),
  ]);
}

/** Once the name of a field is complete, what is left to choose is the operator. */
function operators(minus: string, typed: string): Completion[] {
  const known = fieldNamed(typed);
  if (known?.condition === undefined) return [];
  const signs = minus === '' ? conditionOperators : conditionOperators.slice(0, 1);
  return signs.map((sign) => {
    const label = typed + sign;
    return { kind: 'operator', label, text: minus + label };
  });
}
