import { isObject, type JsonObject, parseJson } from '../base/json';

/** What a response may have at most. */
export interface JsonLimits {
  /** Its text, in UTF-16 units. */
  readonly text: number;
  /** The items of its lists. */
  readonly items: number;
  /** All its values: items, members, and what is in them. */
  readonly values: number;
  /** The values of one item, and of what is in no list: they are parsed at once. */
  readonly valuesAtOnce: number;
}

/** Far more than a workspace has: what is accepted is read, kept and shown at once. */
export const listingLimits: JsonLimits = {
  text: 8 * 1024 * 1024,
  items: 100_000,
  values: 500_000,
  valuesAtOnce: 20_000,
};

/** A page has up to 500 records, whose texts may be long. */
export const logPageLimits: JsonLimits = {
  text: 64 * 1024 * 1024,
  items: 100_000,
  values: 4_000_000,
  valuesAtOnce: 100_000,
};

/** The error of a response has a code, a message and an id. */
export const errorLimits: JsonLimits = {
  text: 64 * 1024,
  items: 1000,
  values: 10_000,
  valuesAtOnce: 10_000,
};

/** How much text is parsed at once if its items are not longer, in UTF-16 units. */
const atOnce = 64 * 1024;

/** The signs of JSON that are not within a value, as UTF-16 units. */
const quote = 0x22;
const comma = 0x2c;
const openList = 0x5b;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/**
 * Reads a JSON object in steps, each of which takes about as long as its text is: the lists that are its members are
 * parsed some items at a time, and what breaks a limit is found before it is parsed.
 */
export class JsonReader {
  /** The text without the items of the lists: each list is `[n]`, with its index in `lists`. */
  private frame = '';
  private readonly lists: unknown[][] = [];
  /** The text of items of the last list that were not parsed yet. */
  private batch = '';
  private isMalformed = false;
  /** How many brackets are open. */
  private depth = 0;
  private isInList = false;
  private isInString = false;
  private isEscaped = false;
  private readonly counts = { text: 0, items: 0, values: 0, valuesAtOnce: 0 };
  private valuesOfFrame = 0;

  constructor(private readonly limits: JsonLimits) {}

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
    const keepTo = (end: number): void => {
      const piece = text.slice(start, end);
      if (this.isInList) this.batch += piece;
      else this.frame += piece;
      start = end;
    };
    for (let at = 0; at < text.length;) {
      if (this.isInString) {
        at = strings.after(at, this.isEscaped);
        this.isEscaped = strings.endsEscaped;
        this.isInString = strings.isOpen;
        continue;
      }
      switch (text.charCodeAt(at++)) {
        case quote:
          this.isInString = true;
          break;
        case openList:
          this.depth++;
          this.countValue();
          if (this.depth !== 2) break;
          keepTo(at);
          this.beginList();
          break;
        case openObject:
          this.depth++;
          this.countValue();
          break;
        case closeList:
        case closeObject:
          this.depth--;
          if (!this.isInList || this.depth !== 1) break;
          keepTo(at - 1);
          this.endList();
          break;
        case comma:
          this.countValue();
          if (!this.isInList || this.depth !== 2) break;
          this.counts.items++;
          this.counts.valuesAtOnce = 0;
          if (this.batch.length + at - start < atOnce) break;
          keepTo(at - 1);
          start = at;
          this.parseBatch(false);
      }
    }
    keepTo(text.length);
    return this.broken();
  }

  /** The object; undefined if the text is anything else. */
  end(): JsonObject | undefined {
    const frame = this.isMalformed || this.isInList ? undefined : parseJson(this.frame);
    if (!isObject(frame)) return undefined;
    return Object.fromEntries(
      Object.entries(frame).map(([name, value]) => [
        name,
        Array.isArray(value) ? this.lists[Number(value[0])] : value,
      ]),
    );
  }

  private countValue(): void {
    this.counts.values++;
    if (this.isInList) this.counts.valuesAtOnce++;
    else this.valuesOfFrame++;
  }

  private broken(): keyof JsonLimits | undefined {
    const { limits, counts } = this;
    if (this.valuesOfFrame > limits.valuesAtOnce) return 'valuesAtOnce';
    const names = ['text', 'items', 'values', 'valuesAtOnce'] as const;
    return names.find((name) => counts[name] > limits[name]);
  }

  private beginList(): void {
    this.frame += String(this.lists.length);
    this.lists.push([]);
    this.isInList = true;
    this.counts.items++;
    this.counts.valuesAtOnce = 0;
  }

  private endList(): void {
    // Only a list without a comma may have no items.
    this.parseBatch(this.lists.at(-1)?.length === 0);
    this.isInList = false;
  }

  private parseBatch(mayBeEmpty: boolean): void {
    const items = this.isMalformed ? undefined : parseJson(`[${this.batch}]`);
    this.batch = '';
    if (!Array.isArray(items) || (items.length === 0 && !mayBeEmpty)) this.isMalformed = true;
    else for (const item of items) this.lists.at(-1)?.push(item);
  }
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
