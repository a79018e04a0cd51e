import type { Completion, QueryKnowledge } from './completionTypes';
import { allowedValues } from './filterBuilder';
import {
  anyValue,
  attributeField,
  conditionFields,
  existenceField,
  fieldNamed,
  isId,
  type NamedField,
  type TimeField,
} from './fields';
import type { Place } from './completionContext';
import { quote } from './tokens';

const times: ReadonlyMap<string, readonly string[]> = new Map<TimeField, readonly string[]>([
  ['last', ['15m', '1h', '6h', '24h', '7d']],
  ['from', ['today', 'yesterday', '1h', '24h', '7d']],
  ['to', ['now', 'today', 'yesterday', '1h']],
]);

const anything: Completion = { kind: 'value', label: anyValue, text: anyValue };

/** The values that a field can have next; they need not fit what is typed. */
export function valueItems(
  { field, operator, others }: Place & { readonly kind: 'value' },
  knowledge: QueryKnowledge,
): readonly Completion[] {
  const name = field.name.toLowerCase();
  const known = fieldNamed(name);
  const canExist = name === attributeField || known?.condition !== undefined;
  const items =
    name === attributeField
      ? attributeItems(field.key, operator, knowledge)
      : name === existenceField
        ? existenceItems(knowledge)
        : known === undefined
          ? (times.get(name) ?? []).map(valueItem)
          : fieldItems(known, operator, knowledge);
  return [
    ...items.filter(({ label }) => !others.includes(label)),
    ...(canExist && operator === ':' && others.length === 0 ? [anything] : []),
  ];
}

function valueItem(value: string): Completion {
  return { kind: 'value', label: value, text: quote(value) };
}

function attributeItems(
  name: string | undefined,
  operator: string,
  knowledge: QueryKnowledge,
): Completion[] {
  // Behind a colon there is only the question whether the attribute is there.
  return name === undefined || operator === ':'
    ? []
    : knowledge.attributeValues(name).map(valueItem);
}

function existenceItems(knowledge: QueryKnowledge): Completion[] {
  const attributes = knowledge.attributes().map((one) => `${attributeField}.${one}`);
  return [...conditionFields.filter((one) => one !== attributeField), ...attributes].map(valueItem);
}

function fieldItems(
  { name, member, names, exact }: NamedField,
  operator: string,
  knowledge: QueryKnowledge,
): Completion[] {
  const isWhole = [':', '=', '!='].includes(operator);
  const named = names === undefined || exact || !isWhole ? [] : knowledge.names(names);
  const nameItems = named
    .filter((one) => one.name !== '' && !isId(one.name))
    .map((one): Completion => ({
      kind: 'name',
      label: one.name,
      text: quote(one.name),
      detail: one.id,
    }));
  const haveName = new Set(nameItems.map(({ detail }) => detail));
  const listed = member === undefined ? [] : allowedValues(member);
  const seen = knowledge.values(name).filter((value) => !haveName.has(value));
  return [...nameItems, ...[...new Set([...listed, ...seen])].map(valueItem)];
}
