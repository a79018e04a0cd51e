import { nearest, singular } from '../../base/textFormat';
import {
  type LogFilter,
  attributeField,
  attributePrefix,
  conditionFields,
  conditionOperators,
  existenceField,
  fieldNamed,
  fieldNames,
  fieldOfAttribute,
  type TimeField,
  timeFields,
} from './fields';
import { toFilter, type QueryError } from './filterBuilder';
import {
  join,
  newParseState,
  partsOf,
  type ParseState,
  report,
  type ResolveName,
  type TimePart,
  type UnresolvedName,
  applyExclusions,
  dropRepeated,
  type Group,
  existence,
  isExistence,
  isMissing,
  readExistence,
  readSigned,
  type FieldTerm,
  readValues,
} from './readValues';
import {
  quoteAlways,
  type Span,
  tokenizeQuery,
  type Tokens,
  type Term,
  type Text,
} from './queryTokens';

type QueryResult =
  | {
      readonly ok: true;
      readonly filter: LogFilter;
      /** The values of `last`, `from` and `to`. An error if the query cannot have a range. */
      readonly times: readonly TimePart[];
      /**
       * Names without an id. The filter does not contain them and matches more than intended: resolve
       * them before you use it.
       */
      readonly unresolved: readonly UnresolvedName[];
      /** Set if something that looks like a field is searched for as text. */
      readonly pasted?: PastedText;
    }
  | {
      readonly ok: false;
      readonly times: readonly TimePart[];
      readonly errors: readonly QueryError[];
    };

/** Text in the form of a field, such as `std::bad_alloc`, that no field has. */
export interface PastedText {
  /** What would be its fields, as written, each once. */
  readonly fields: readonly string[];
  /** The query with quotes around all its free text, which says the same. */
  readonly quoted: string;
}

/** Longer than any printed filter that the contract allows. In UTF-16 units. */
export const maxQueryLength = 65_536;

/**
 * Compiles a query such as `severity:error,fatal workload:web-api attr.user=42 "free text"`. Words and
 * quoted text are free text. A name directly before an operator is a field: one that does not exist is an error if it
 * is nearly another one, and otherwise free text, as people paste it. Values of one field are alternatives.
 */
export function parseQuery(query: string, resolve: ResolveName = () => []): QueryResult {
  const state = newParseState(resolve);
  const { errors, times, unresolved } = state;
  if (query.length > maxQueryLength) {
    const span = { start: maxQueryLength, end: query.length };
    report(state, span, { kind: 'tooLong', field: 'query', limit: maxQueryLength });
    return { ok: false, times, errors };
  }
  const { terms, unclosed, unclosedGroups, unexpected, fields } = withPastedText(query);
  const group = join(state, 'and', readTerms(state, terms, false));
  if (group !== undefined) {
    partsOf(state, 'conditionGroup').push(...group.parts);
    state.builder.match = group.parts.length > 1 ? group.match : 'and';
  }
  addTexts(state, query);
  dropRepeated(state);
  applyExclusions(state);
  for (const span of unclosed) report(state, span, { kind: 'unclosedQuote' });
  for (const span of unclosedGroups) report(state, span, { kind: 'unclosedGroup' });
  for (const span of unexpected) report(state, span, { kind: 'unexpectedText' });

  const { filter, errors: broken } = toFilter(state.builder);
  errors.push(...broken);
  if (errors.length === 0) {
    const pasted = { fields, quoted: withQuotes(query, state.texts) };
    return { ok: true, filter, times, unresolved, ...(fields.length === 0 ? {} : { pasted }) };
  }
  return { ok: false, times, errors: errors.sort((a, b) => a.start - b.start) };
}

/**
 * The name of the field that a term is, or that its parentheses begin with, if that is nearly no field of ours.
 *
 * @param known names of which that is so: a pasted text has many of one.
 */
function pastedField(
  { field, group, values }: Term,
  known: ReadonlySet<string>,
  before: Term | undefined,
): string | undefined {
  const { name, key } = field ?? group?.[0]?.field ?? {};
  if (name === undefined || known.has(name)) return name;
  if (fieldNamed(name) !== undefined || fieldNames.includes(name.toLowerCase())) return undefined;
  // `constraint failed: a.b` is a sentence.
  const isInSentence = before !== undefined && !canBeJoined(before) && values[0]?.text === '';
  return isNear(name, key) && !isInSentence ? undefined : name;
}

function isNear(name: string, key: Text | undefined): boolean {
  const meant = nearest(name, fieldNames) ?? nearest(singular(name), fieldNames);
  // `nod.path` is no attribute.
  return meant !== undefined && (key === undefined || meant === attributeField);
}

/** Terms that are a sentence with something in quotes, such as `relation "carts" does not exist`, as the text it is. */
function withSentence(query: string, tokens: Tokens): Tokens {
  const { terms, unclosed } = tokens;
  const [first, last] = [terms[0], terms.at(-1)];
  const isText = (term: Term | undefined): boolean =>
    term !== undefined && !canBeJoined(term) && term.values[0]?.quoted === false;
  if (terms.some(canBeJoined) || terms.every(isText) || unclosed.length > 0) return tokens;
  if (first === undefined || last === undefined || !isText(first) || !isText(last)) return tokens;
  const [start, end] = [first.start, last.end];
  const text = { text: query.slice(start, end), start, end, quoted: false };
  return { ...tokens, terms: [{ values: [text], start, end }], unexpected: [] };
}

/** The tokens of a query, in which what has the form of a field that does not exist is text. */
function withPastedText(query: string): Tokens & { readonly fields: readonly string[] } {
  const { terms, unexpected, ...tokens } = tokenizeQuery(query);
  if (!terms.some(canBeJoined)) {
    return { ...withSentence(query, { terms, unexpected, ...tokens }), fields: [] };
  }
  const rests = new Map(unexpected.map((span) => [span.start, span]));
  const fields = new Set<string>();
  const pasted: Span[] = [];
  const all = terms.map((term, index): Term => {
    const field = pastedField(term, fields, terms[index - 1]);
    if (field === undefined) return term;
    fields.add(field);
    const { start } = term;
    const end = rests.get(term.end)?.end ?? term.end;
    pasted.push({ start, end });
    return { values: [{ text: query.slice(start, end), start, end, quoted: false }], start, end };
  });
  const outside = (spans: readonly Span[]): readonly Span[] => {
    let next = 0;
    // An outer parenthesis comes after those within it.
    const inOrder = [...spans].sort((a, b) => a.start - b.start);
    return inOrder.filter(({ start }) => {
      while ((pasted[next]?.end ?? Infinity) <= start) next++;
      return !((pasted[next]?.start ?? Infinity) <= start);
    });
  };
  const others = {
    terms: all,
    unexpected: outside(unexpected),
    unclosed: outside(tokens.unclosed),
    unclosedGroups: outside(tokens.unclosedGroups),
  };
  return { ...withSentence(query, others), fields: [...fields] };
}

/** The query with its free text in quotes, where the first of it was. */
function withQuotes(query: string, texts: readonly Text[]): string {
  let at = 0;
  const parts = texts.map(({ start, end }, index) => {
    const before = query.slice(at, start);
    at = end;
    return index === 0 ? before + quoteAlways(joinTexts(query, texts)) : before.trimEnd();
  });
  return parts.join('') + query.slice(at);
}

/** Texts as one, with the spaces between them. */
function joinTexts(query: string, texts: readonly Text[]): string {
  return texts
    .map(({ text, end }, index) => {
      const next = texts[index + 1];
      if (next === undefined) return text;
      const between = query.slice(end, next.start);
      return text + (/^ +$/.test(between) ? between : ' ');
    })
    .join('');
}

function addTexts(state: ParseState, query: string): void {
  const { texts } = state;
  const [first] = texts;
  const value = joinTexts(query, texts);
  if (first === undefined || value === '') return;
  const end = texts.at(-1)?.end ?? first.end;
  partsOf(state, 'search').push({ field: searchField, value, start: first.start, end });
}

/** The name of free text in problems. */
const searchField = 'search';

/**
 * Reads terms into the builder and returns their conditions. `or` joins the terms next to it and binds more
 * tightly than adjacency, because the contract has one group.
 */
function readTerms(state: ParseState, terms: readonly Term[], inGroup: boolean): Group[] {
  const words = terms.map((term, index) => connective(terms, term, index, inGroup));
  const found: Group[][] = [];
  terms.forEach((term, index) => {
    const word = words[index];
    if (word !== undefined) {
      checkOperands(state, terms, index, word);
      return;
    }
    if (!inGroup && isTimeOfDay(terms[index - 1], term)) {
      addTimeOfDay(state, term);
      return;
    }
    const group = readTerm(state, term, {
      inGroup,
      strict: inGroup || words[index - 1] === 'or' || words[index + 1] === 'or',
    });
    if (group === undefined) return;
    const before = words[index - 1] === 'or' ? found.at(-1) : undefined;
    if (before === undefined) found.push([group]);
    else before.push(group);
  });
  return found.flatMap((groups) => join(state, 'or', groups) ?? []);
}

function readTerm(
  state: ParseState,
  { field, values, group, start, end }: Term,
  { inGroup, strict }: { readonly inGroup: boolean; readonly strict: boolean },
): Group | undefined {
  if (group !== undefined) {
    const joined = join(state, 'and', readTerms(state, group, true));
    return joined && { ...joined, start, end };
  }
  if (field !== undefined) return readField(state, { field, values, start, end, strict });
  for (const text of values) {
    if (inGroup) report(state, text, { kind: 'textInGroup' });
    else readText(state, text);
  }
  return undefined;
}

function readText(state: ParseState, text: Text): void {
  const { texts } = state;
  const alone = text.quoted || texts[0]?.quoted === true;
  if (alone && texts.length > 0) report(state, text, { kind: 'onlyOne', field: searchField });
  else texts.push(text);
}

/** Whether a term is the time of day for the date before it, as in `from:yesterday 10:00`. */
function isTimeOfDay(before: Term | undefined, { field, values: [time] }: Term): boolean {
  const [day, ...more] = before?.values ?? [];
  if (!/^(?:from|to)$/i.test(before?.field?.name ?? '') || more.length > 0) return false;
  if (field !== undefined || time === undefined || time.quoted) return false;
  return (
    /^(?:[a-z]+day|\d{4}-\d\d-\d\d)$/i.test(day?.text ?? '') &&
    /^\d\d?:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d(?::?\d\d)?)?$/i.test(time.text)
  );
}

function addTimeOfDay({ times }: ParseState, { values: [time] }: Term): void {
  const day = times.pop();
  if (day !== undefined && time !== undefined) {
    times.push({ ...day, text: `${day.text} ${time.text}`, end: time.end });
  }
}

/** Whether `and` and `or` can join a term: a field or a group. */
function canBeJoined(term: Term | undefined): boolean {
  return term?.field !== undefined || term?.group !== undefined;
}

/** The connective that a term is. Next to free text only, it is free text. */
function connective(
  terms: readonly Term[],
  { field, values }: Term,
  index: number,
  inGroup: boolean,
): 'and' | 'or' | undefined {
  const [text] = values;
  if (field !== undefined || text === undefined || text.quoted) return undefined;
  const word = text.text.toLowerCase();
  if (word !== 'and' && word !== 'or') return undefined;
  const isBesideField = canBeJoined(terms[index - 1]) || canBeJoined(terms[index + 1]);
  return inGroup || isBesideField ? word : undefined;
}

function checkOperands(
  state: ParseState,
  terms: readonly Term[],
  index: number,
  word: 'and' | 'or',
): void {
  const [before, term, after] = [terms[index - 1], terms[index], terms[index + 1]];
  if (term === undefined) return;
  // `and` may stand next to free text, because everything must match anyway.
  const isJoining =
    word === 'or'
      ? canBeJoined(before) && canBeJoined(after)
      : before !== undefined && after !== undefined;
  if (!isJoining) report(state, term, { kind: 'operand', word });
}

/** Reads a field into the builder, or returns its conditions. */
function readField(state: ParseState, term: FieldTerm): Group | undefined {
  const { field, values } = term;
  const { operator } = field;
  const name = field.name.toLowerCase();
  if (name === attributeField) return readAttribute(state, term);

  const hasKey = field.key !== undefined;
  const time = timeFields.find((one) => one === name);
  const known = fieldNamed(name);
  if (hasKey || (known === undefined && time === undefined && name !== existenceField)) {
    report(state, field, { kind: 'unknownField', field: field.name }, fieldNames);
  } else if (known?.condition !== undefined && operator !== ':') {
    const subject = { label: known.name, condition: known.condition };
    return readSigned(state, field, subject, values[0], [':', ...conditionOperators], known);
  } else if (operator !== ':') {
    report(state, field, { kind: 'operator', field: name, operator }, [':']);
  } else if (known !== undefined) return readValues(state, term, known);
  else if (time !== undefined) readTime(state, term, time);
  else return readExistence(state, field, values);
  return undefined;
}

function readAttribute(state: ParseState, term: FieldTerm): Group | undefined {
  const { field, values, strict } = term;
  const { key, operator, negated } = field;
  const [value] = values;
  if (key === undefined || key.text === '') {
    report(state, field, { kind: 'missingAttribute' });
    return undefined;
  }
  const label = fieldOfAttribute(key.text);
  const subject = { label, condition: `${attributePrefix}${key.text}` };
  if (isExistence(field, values)) return existence(subject, field, term);
  const isPlain = (operator === '=' || operator === '~') && !strict && !negated;
  if (!isPlain || isMissing(value)) {
    return readSigned(state, field, subject, value, conditionOperators);
  }
  const filter = { key: key.text, value: value.text };
  partsOf(state, 'attributes').push({
    field: label,
    // `equals` is the default operator of the contract.
    value: operator === '=' ? filter : { ...filter, operator: 'contains' },
    start: field.start,
    end: value.end,
  });
  return undefined;
}

function readTime(state: ParseState, { field, values, strict }: FieldTerm, time: TimeField): void {
  if (field.negated) report(state, field, { kind: 'negation', field: time });
  else if (strict) report(state, field, { kind: 'noCondition', field: time }, conditionFields);
  else {
    for (const { text, start, end } of values) {
      if (text === '') report(state, field, { kind: 'missingValue', field: time });
      else state.times.push({ field: time, text, start, end });
    }
  }
}
