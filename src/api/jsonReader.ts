import { isObject, type JsonObject, membersOf, parseJson } from '../base/json';

/** What a response may have at most. */
export interface JsonLimits {
  /** Its text, in UTF-16 units. */
  readonly text: number;
  /** The items of its lists. */
  readonly items: number;
  /** All its values: items, members, and what is in them. */
  readonly values: number;
  /** The values of one item, and of what is in no list. */
  readonly valuesAtOnce: number;
  /** The members of one object: a list of their names is made at once. */
  readonly members: number;
}

/** Far more than a workspace has: what is accepted is read, kept and shown at once. */
export const listingLimits: JsonLimits = {
  text: 8 * 1024 * 1024,
  items: 100_000,
  values: 500_000,
  valuesAtOnce: 20_000,
  members: 100_000,
};

/** A page has up to 500 records, whose texts may be long. */
export const logPageLimits: JsonLimits = {
  text: 64 * 1024 * 1024,
  items: 100_000,
  values: 4_000_000,
  valuesAtOnce: 100_000,
  members: 100_000,
};

/** The error of a response has a code, a message and an id. */
export const errorLimits: JsonLimits = {
  text: 64 * 1024,
  items: 1000,
  values: 10_000,
  valuesAtOnce: 10_000,
  members: 10_000,
};

/** A server describes its API as one object, whose members are large. */
export const descriptionLimits: JsonLimits = {
  text: 8 * 1024 * 1024,
  items: 100_000,
  values: 500_000,
  valuesAtOnce: 500_000,
  members: 10_000,
};

/** How much text is parsed at once, in UTF-16 units. */
const usualStep = 64 * 1024;

/** The signs of JSON that are not within a value, as UTF-16 units. */
const quote = 0x22;
const comma = 0x2c;
const openList = 0x5b;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** A list or an object that is parsed in parts. */
interface Part {
  /** Those that were parsed. */
  readonly members: unknown[] | Record<string, unknown>;
  /** How many were added. */
  count: number;
  /** What the last of them was: without a comma, no other may follow. */
  after: 'nothing' | 'value' | 'comma';
}

/**
 * Reads a JSON object in steps, each of which takes about as long as its text is, whatever is in what: a list or an object
 * that is longer than a step is parsed in parts. What breaks a limit is found before it is parsed.
 */
export class JsonReader {
  /** The only item is what is read. */
  private readonly whole: unknown[] = [];
  /** What is parsed in parts and has not ended, the outermost first. */
  private readonly parts: Part[] = [{ members: this.whole, count: 0, after: 'nothing' }];
  /** The text of the innermost part that was not parsed yet. */
  private rest = '';
  /** The places of the brackets in `rest` that are open. */
  private readonly brackets: number[] = [];
  private isMalformed = false;
  /** How many brackets are open. */
  private depth = 0;
  /** Whether it is in a list that is a member of the object. */
  private isInList = false;
  private isInString = false;
  private isEscaped = false;
  private readonly counts = { text: 0, items: 0, values: 0, valuesAtOnce: 0, members: 0 };
  private valuesOfFrame = 0;

  /** @param step how much text is parsed at once, in UTF-16 units. */
  constructor(
    private readonly limits: JsonLimits,
    private readonly step = usualStep,
  ) {}

  /** Whether nothing was read. */
  get isEmpty(): boolean {
    return this.counts.text === 0;
  }

  /** Reads the next part of the text. Returns the limit that it breaks: then nothing more is to be read. */
  read(text: string): keyof JsonLimits | undefined {
    this.counts.text += text.length;
    const strings = new StringEnds(text);
    /** Where what was not kept yet begins. */
    let start = 0;
    const keepTo = (end: number, next = end): void => {
      this.rest += text.slice(start, end);
      start = next;
    };
    for (let at = 0; at < text.length;) {
      if (this.isInString) {
        at = strings.after(at, this.isEscaped);
        this.isEscaped = strings.endsEscaped;
        this.isInString = strings.isOpen;
        continue;
      }
      const sign = text.charCodeAt(at++);
      switch (sign) {
        case quote:
          this.isInString = true;
          break;
        case openList:
        case openObject:
          this.depth++;
          this.countValue();
          this.brackets.push(this.rest.length + at - 1 - start);
          if (this.depth === 2 && sign === openList) this.beginList();
          break;
        case closeList:
        case closeObject:
          this.depth--;
          if (this.depth === 1) this.isInList = false;
          if (this.brackets.pop() !== undefined) break;
          keepTo(at - 1, at);
          this.endPart(sign === closeList);
          break;
        case comma:
          this.countValue();
          if (this.isInList && this.depth === 2) this.countItem();
          if (this.rest.length + at - start < this.step && !this.isAfterPart()) break;
          keepTo(at - 1, at);
          this.parseToComma();
      }
    }
    keepTo(text.length);
    return this.broken();
  }

  /** The object; undefined if the text is anything else. */
  end(): JsonObject | undefined {
    const [part, ...open] = this.parts;
    if (part === undefined || open.length > 0) return undefined;
    this.parseRest(part, '');
    const [object, ...others] = this.whole;
    return this.isMalformed || others.length > 0 || !isObject(object) ? undefined : object;
  }

  private countValue(): void {
    this.counts.values++;
    if (this.isInList) this.counts.valuesAtOnce++;
    else this.valuesOfFrame++;
  }

  private countItem(): void {
    this.counts.items++;
    this.counts.valuesAtOnce = 0;
  }

  private broken(): keyof JsonLimits | undefined {
    const { limits, counts } = this;
    if (this.valuesOfFrame > limits.valuesAtOnce) return 'valuesAtOnce';
    const names = ['text', 'items', 'values', 'valuesAtOnce', 'members'] as const;
    return names.find((name) => counts[name] > limits[name]);
  }

  private beginList(): void {
    this.isInList = true;
    this.countItem();
  }

  /** Whether what was parsed in parts has just ended, so that the rest begins after it. */
  private isAfterPart(): boolean {
    return this.brackets.length === 0 && this.parts.at(-1)?.after === 'value';
  }

  /** Parses the rest, which a comma follows. What is open in it is parsed in parts from now on. */
  private parseToComma(): void {
    const part = this.parts.at(-1);
    if (part === undefined) return;
    const { rest, brackets } = this;
    const isEnded = this.isAfterPart();
    // A bracket that a comma follows: nothing would be missing once it is closed.
    if (/[[{][ \t\n\r]*$/.test(rest)) this.isMalformed = true;
    const ends = brackets.map((place) => (rest[place] === '[' ? ']' : '}')).reverse();
    let members: unknown = this.parseRest(part, ends.join(''));
    if (brackets.length === 0 && !isEnded && !hasMembers(members)) this.isMalformed = true;
    if (!this.isMalformed) {
      for (const place of brackets) {
        members = Array.isArray(members)
          ? members.at(-1)
          : membersOf(members)[nameBefore(rest, place)];
        const count = Object.keys(membersOf(members)).length;
        this.parts.push({ members: members as Part['members'], count, after: 'value' });
      }
      const innermost = this.parts.at(-1);
      if (innermost !== undefined) innermost.after = 'comma';
    }
    brackets.length = 0;
  }

  /** Ends the innermost part at its bracket. */
  private endPart(isList: boolean): void {
    const part = this.parts.at(-1);
    if (part === undefined) return;
    this.parseRest(part, '');
    const isOwn = this.parts.length > 1 && Array.isArray(part.members) === isList;
    if (isOwn) this.parts.pop();
    else this.isMalformed = true;
  }

  /**
   * Parses the rest of a part and adds it.
   *
   * @param ends the brackets that close what is open in it.
   * @returns the members that were added.
   */
  private parseRest(part: Part, ends: string): unknown {
    const { rest } = this;
    this.rest = '';
    if (this.isMalformed) return undefined;
    const isBlank = /^[ \t\n\r]*$/.test(rest);
    if (isBlank && part.after !== 'comma') return undefined;
    const isList = Array.isArray(part.members);
    const added = parseJson(isList ? `[${rest}${ends}]` : `{${rest}${ends}}`);
    if (added === undefined || isBlank || part.after === 'value') this.isMalformed = true;
    else part.count += addMembers(part.members, added);
    if (!isList) this.counts.members = Math.max(this.counts.members, part.count);
    part.after = 'value';
    return added;
  }
}

function hasMembers(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Object.keys(membersOf(value)).length > 0;
}

/** Returns how many it has added. */
function addMembers(to: Part['members'], added: unknown): number {
  if (Array.isArray(to)) {
    for (const item of added as readonly unknown[]) to.push(item);
    return 0;
  }
  const members = Object.entries(membersOf(added));
  for (const [name, value] of members) {
    // It would be the prototype if it were assigned.
    if (name !== '__proto__') to[name] = value;
    else Object.defineProperty(to, name, { value, ...ordinary });
  }
  return members.length;
}

const ordinary = { writable: true, enumerable: true, configurable: true };

/** The name of the member whose value begins at a place of valid JSON. */
function nameBefore(text: string, place: number): string {
  const end = text.lastIndexOf('"', place);
  let start = end;
  do start = text.lastIndexOf('"', start - 1);
  while (isEscaped(text, start));
  return String(parseJson(text.slice(start, end + 1)));
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === '\\') slashes++;
  return slashes % 2 === 1;
}

/** Finds where the strings of a text end, in linear time: each sign is looked for once. */
class StringEnds {
  isOpen = false;
  /** Whether the text ends after a backslash. */
  endsEscaped = false;
  private quoteAt = -1;
  private slashAt = -1;

  constructor(private readonly text: string) {}

  /** The place after the string that `from` is in, or the end of the text. */
  after(from: number, isEscaped: boolean): number {
    const { length } = this.text;
    this.endsEscaped = false;
    for (let at = isEscaped ? from + 1 : from; ;) {
      if (this.quoteAt < at) this.quoteAt = this.next('"', at);
      if (this.slashAt < at) this.slashAt = this.next('\\', at);
      this.isOpen = this.quoteAt >= length;
      if (this.quoteAt <= this.slashAt) return Math.min(length, this.quoteAt + 1);
      at = this.slashAt + 2;
      if (at <= length) continue;
      this.endsEscaped = true;
      this.isOpen = true;
      return length;
    }
  }

  private next(sign: string, from: number): number {
    const at = this.text.indexOf(sign, from);
    return at === -1 ? this.text.length : at;
  }
}
