/** A range of positions in the text of a query, in UTF-16 units. `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Text extends Span {
  /** The text without quotes and escapes. */
  readonly text: string;
  readonly quoted: boolean;
}

/**
 * A term: `name:value,value`, `name.key=value`, free text (without `field`), or parentheses (with `group`
 * and without values).
 */
export interface Term extends Span {
  readonly field?: Field;
  readonly values: readonly Text[];
  readonly group?: readonly Term[];
}

export interface Field extends Span {
  readonly name: string;
  /** The text after the dot, as in `attr.user`. */
  readonly key: Text | undefined;
  readonly operator: string;
  /** Whether a minus precedes the name. */
  readonly negated: boolean;
}

export interface Tokens {
  readonly terms: readonly Term[];
  /** A quote without its closing quote. */
  readonly unclosed: readonly Span[];
  /** A parenthesis without its closing parenthesis. */
  readonly unclosedGroups: readonly Span[];
  /** Text directly after a closing quote. */
  readonly unexpected: readonly Span[];
}

const whitespace = /\s*/y;
const fieldName = /[A-Za-z_][\w-]*/y;
const plainKey = /[^\s"=~!^$:,]+/y;
const fieldOperator = /:|[!^$]?=|!?~/y;

interface Patterns {
  readonly word: RegExp;
  readonly listItem: RegExp;
  readonly wholeValue: RegExp;
}

const outside: Patterns = { word: /\S+/y, listItem: /[^\s,]*/y, wholeValue: /\S*/y };
/** A word in parentheses ends at `)` unless it is quoted. */
const inside: Patterns = { word: /[^\s)]+/y, listItem: /[^\s,)]*/y, wholeValue: /[^\s)]*/y };

/** Text that needs no quotes as a name, a value or a list item. */
const plain = /^[^\s",=~!^$:{}()*]+$/;

/** Quoted text. `\"` and `\\` are escapes; any other `\` is itself. */
export function quoteAlways(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

export function quote(text: string): string {
  return plain.test(text) ? text : quoteAlways(text);
}

/** Splits a query into terms with their positions, in linear time. */
export function tokenizeQuery(query: string): Tokens {
  const terms: Term[] = [];
  const unclosed: Span[] = [];
  const unclosedGroups: Span[] = [];
  const unexpected: Span[] = [];
  let position = 0;

  /** Reads what the pattern matches at the current position, if it matches. */
  function take(pattern: RegExp): Text | undefined {
    pattern.lastIndex = position;
    const text = pattern.exec(query)?.[0];
    if (text === undefined) return undefined;
    const start = position;
    position += text.length;
    return { text, start, end: position, quoted: false };
  }

  function takeQuoted(): Text | undefined {
    if (query[position] !== '"') return undefined;
    const start = position;
    let text = '';
    for (position++; position < query.length; position++) {
      const escaped = query[position] === '\\' && /["\\]/.test(query.charAt(position + 1));
      if (escaped) position++;
      else if (query[position] === '"') {
        position++;
        return { text, start, end: position, quoted: true };
      }
      text += query.charAt(position);
    }
    unclosed.push({ start, end: position });
    return { text, start, end: position, quoted: true };
  }

  /** Reads `name:` or `name.key=`. If there is neither, the position does not change. */
  function takeField(): Field | undefined {
    const start = position;
    const unclosedBefore = unclosed.length;
    const negated = query[position] === '-';
    if (negated) position++;
    const name = take(fieldName);
    let key: Text | undefined;
    if (name !== undefined && query[position] === '.') {
      position++;
      key = takeQuoted() ?? take(plainKey);
    }
    const operator = name && take(fieldOperator);
    if (name !== undefined && operator !== undefined) {
      return { name: name.text, key, operator: operator.text, negated, start, end: position };
    }
    position = start;
    unclosed.length = unclosedBefore;
    return undefined;
  }

  function takeValues(operator: string, { listItem, wholeValue }: Patterns): Text[] {
    const pattern = operator === ':' ? listItem : wholeValue;
    const values: Text[] = [];
    do {
      if (values.length > 0) position++;
      const value = takeQuoted() ?? take(pattern);
      if (value !== undefined) values.push(value);
    } while (operator === ':' && query[position] === ',');
    return values;
  }

  function takeTerm(patterns: Patterns): Term {
    const start = position;
    const field = takeField();
    if (field !== undefined) {
      return { field, values: takeValues(field.operator, patterns), start, end: position };
    }
    const value = takeQuoted() ?? take(patterns.word);
    return { values: value === undefined ? [] : [value], start, end: position };
  }

  function takeRest({ word }: Patterns): void {
    const rest = take(word);
    if (rest !== undefined) unexpected.push({ start: rest.start, end: rest.end });
  }

  /** Reads parentheses if they start with a field. Other parentheses are free text. */
  function takeGroup(): Term | undefined {
    if (query[position] !== '(') return undefined;
    const start = position++;
    take(whitespace);
    const first = position;
    if (takeField() === undefined) {
      position = start;
      return undefined;
    }
    position = first;
    const group: Term[] = [];
    for (; position < query.length && query[position] !== ')'; take(whitespace)) {
      group.push(takeTerm(inside));
      takeRest(inside);
    }
    if (position < query.length) position++;
    else unclosedGroups.push({ start, end: start + 1 });
    return { group, values: [], start, end: position };
  }

  for (take(whitespace); position < query.length; take(whitespace)) {
    terms.push(takeGroup() ?? takeTerm(outside));
    takeRest(outside);
  }
  return { terms, unclosed, unclosedGroups, unexpected };
}
