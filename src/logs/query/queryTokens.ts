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
  const tokenizer = new QueryTokenizer(query);
  tokenizer.run();
  const { terms, unclosed, unclosedGroups, unexpected } = tokenizer;
  return { terms, unclosed, unclosedGroups, unexpected };
}

/** Reads a query from its beginning to its end. */
class QueryTokenizer {
  readonly terms: Term[] = [];
  readonly unclosed: Span[] = [];
  readonly unclosedGroups: Span[] = [];
  readonly unexpected: Span[] = [];
  private position = 0;

  constructor(private readonly query: string) {}

  run(): void {
    for (
      this.readMatch(whitespace);
      this.position < this.query.length;
      this.readMatch(whitespace)
    ) {
      this.terms.push(this.readGroup() ?? this.readTerm(outside));
      this.readRest(outside);
    }
  }

  /** Reads what the pattern matches at the current position, if it matches. */
  private readMatch(pattern: RegExp): Text | undefined {
    pattern.lastIndex = this.position;
    const text = pattern.exec(this.query)?.[0];
    if (text === undefined) return undefined;
    const start = this.position;
    this.position += text.length;
    return { text, start, end: this.position, quoted: false };
  }

  private readQuoted(): Text | undefined {
    if (this.query[this.position] !== '"') return undefined;
    const start = this.position;
    let text = '';
    for (this.position++; this.position < this.query.length; this.position++) {
      const escaped =
        this.query[this.position] === '\\' && /["\\]/.test(this.query.charAt(this.position + 1));
      if (escaped) this.position++;
      else if (this.query[this.position] === '"') {
        this.position++;
        return { text, start, end: this.position, quoted: true };
      }
      text += this.query.charAt(this.position);
    }
    this.unclosed.push({ start, end: this.position });
    return { text, start, end: this.position, quoted: true };
  }

  /** Reads `name:` or `name.key=`. If there is neither, the position does not change. */
  private readField(): Field | undefined {
    const start = this.position;
    const unclosedBefore = this.unclosed.length;
    const negated = this.query[this.position] === '-';
    if (negated) this.position++;
    const name = this.readMatch(fieldName);
    let key: Text | undefined;
    if (name !== undefined && this.query[this.position] === '.') {
      this.position++;
      key = this.readQuoted() ?? this.readMatch(plainKey);
    }
    const operator = name && this.readMatch(fieldOperator);
    if (name !== undefined && operator !== undefined) {
      return { name: name.text, key, operator: operator.text, negated, start, end: this.position };
    }
    this.position = start;
    this.unclosed.length = unclosedBefore;
    return undefined;
  }

  private readValueList(operator: string, { listItem, wholeValue }: Patterns): Text[] {
    const pattern = operator === ':' ? listItem : wholeValue;
    const values: Text[] = [];
    do {
      if (values.length > 0) this.position++;
      const value = this.readQuoted() ?? this.readMatch(pattern);
      if (value !== undefined) values.push(value);
    } while (operator === ':' && this.query[this.position] === ',');
    return values;
  }

  private readTerm(patterns: Patterns): Term {
    const start = this.position;
    const field = this.readField();
    if (field !== undefined) {
      return {
        field,
        values: this.readValueList(field.operator, patterns),
        start,
        end: this.position,
      };
    }
    const value = this.readQuoted() ?? this.readMatch(patterns.word);
    return { values: value === undefined ? [] : [value], start, end: this.position };
  }

  private readRest({ word }: Patterns): void {
    const rest = this.readMatch(word);
    if (rest !== undefined) this.unexpected.push({ start: rest.start, end: rest.end });
  }

  /** Reads parentheses if they start with a field. Other parentheses are free text. */
  private readGroup(): Term | undefined {
    if (this.query[this.position] !== '(') return undefined;
    const start = this.position++;
    this.readMatch(whitespace);
    const first = this.position;
    if (this.readField() === undefined) {
      this.position = start;
      return undefined;
    }
    this.position = first;
    const group: Term[] = [];
    for (
      ;
      this.position < this.query.length && this.query[this.position] !== ')';
      this.readMatch(whitespace)
    ) {
      group.push(this.readTerm(inside));
      this.readRest(inside);
    }
    if (this.position < this.query.length) this.position++;
    else this.unclosedGroups.push({ start, end: start + 1 });
    return { group, values: [], start, end: this.position };
  }
}
