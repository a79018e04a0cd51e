import type { LogRecord } from '../../api/types';
import { getOrMake } from '../../base/maps';
import { spokenLine, joined, readSlots, signs, type Slot } from './messageSlots';

/** What messages that are alike have in common. It becomes more general when more messages are alike. */
export class Pattern {
  /** The pattern that this one became part of. */
  private into: Pattern | undefined;
  private readonly gaps: readonly string[];
  private readonly slots: Slot[];
  private ownText: string | undefined;
  /** How many patterns it is made of. */
  private size = 1;

  constructor(gaps: readonly string[], slots: readonly Slot[]) {
    this.gaps = gaps;
    this.slots = [...slots];
  }

  /**
   * What its messages say, with `<n>`, `<id>`, `<time>`, `<address>`, `<path>`, `<url>`, `<email>`, `<text>` or
   * `<value>` for what varies. Patterns with the same text are the same. One line, untrusted.
   */
  get text(): string {
    const root = this.root();
    root.ownText ??= root.gaps.map((gap, index) => gap + (root.slots[index]?.text ?? '')).join('');
    return root.ownText;
  }

  /** Makes one pattern of two. @returns whether they were two. */
  unite(other: Pattern): boolean {
    const [one, two] = [this.root(), other.root()];
    if (one === two) return false;
    const [into, from] = one.size < two.size ? [two, one] : [one, two];
    from.into = into;
    into.size += from.size;
    into.cover(from.slots);
    return true;
  }

  /** Makes it general enough for the slots of another one. @returns whether it was not. */
  cover(others: readonly Slot[]): boolean {
    const root = this.root();
    let changed = false;
    for (const [index, other] of others.entries()) {
      const slot = root.slots[index] ?? other;
      const general = joined(slot, other);
      if (general.text === slot.text) continue;
      root.slots[index] = general;
      root.ownText = undefined;
      changed = true;
    }
    return changed;
  }

  private root(): Pattern {
    if (this.into === undefined) return this;
    // The smaller one joins the larger one, so this is not deep.
    this.into = this.into.root();
    return this.into;
  }
}

/** Patterns that differ in one place only. */
interface Alike {
  /** One for each word in that place; one only once they are united. */
  readonly patterns: Pattern[];
  /** Whether one of the words is a name or a value. */
  hasNames: boolean;
  united: boolean;
}

/**
 * How many words there must be in one place for it to vary, by how many words the messages have in common: the
 * more they have, the less it is chance. Names and values are soon taken to vary; other words may be states, such
 * as started, paused, resumed and stopped.
 */
const namesThatVary = [Infinity, 3, 2];
const wordsThatVary = [Infinity, 12, 6, 5, 5, 5, 4];

/** What names follow, if there is only a space between. */
const beforeName = /^(?:user|username|account|host|hostname|node|group|role)$/i;

/** The most different messages that are compared with each other: more would take too much memory. */
const mostCompared = 100_000;

/**
 * Finds the patterns of messages without knowing the programs that wrote them. What is alike among some messages
 * stays so if there are more: their order does not matter, and patterns only become more general.
 */
export class Patterns {
  /** Those of messages that differ in more than their values. */
  private readonly patterns: Pattern[] = [];
  private readonly alike: Alike[] = [];
  /** The index of a pattern by the hash of a line: many lines are the same to the letter as an earlier one. */
  private readonly byLine = new HashTable();
  /** The index of a pattern by the hash of its first message. */
  private readonly byHash = new HashTable();
  /** By the hash of a message without what is in some places: the index of its pattern, or `~index` of an `Alike`. */
  private readonly byRest = new HashTable();
  private changeCount = 0;

  /** How often patterns became more general or one: as long as it is the same, so are their texts. */
  get changes(): number {
    return this.changeCount;
  }

  /** The pattern of a body: of its message if it is structured, and of the headline of a stack trace. */
  add(body: string): Pattern {
    const line = spokenLine(body);
    const lineHash = hashOf(line, -2);
    const same = this.patterns[this.byLine.get(lineHash) ?? -1];
    if (same !== undefined) return same;
    const { gaps, slots } = readSlots(line);
    const hashes = slots.map(({ kind, text }, index) =>
      hashOf(kind === 'value' ? '' : text, index),
    );
    const hash = hashes.reduce((sum, one) => sum + one, hashOf(gaps.join('\n'), -1));
    const index = this.byHash.get(hash) ?? -1;
    const known = this.patterns[index];
    if (known !== undefined) {
      if (this.byLine.size < mostCompared) this.byLine.set(lineHash, index);
      if (known.cover(slots)) this.changeCount++;
      return known;
    }
    const pattern = new Pattern(gaps, slots);
    const id = this.patterns.length;
    if (id >= mostCompared) return pattern;
    this.patterns.push(pattern);
    this.byHash.set(hash, id);
    this.byLine.set(lineHash, id);
    const without = (index: number): number => hashOf('\n', index) - (hashes[index] ?? 0);
    const areWords = slots.map(isWord);
    const words = areWords.filter(Boolean).length;
    for (const [index, slot] of slots.entries()) {
      const previous = gaps[index] === ' ' ? slots[index - 1] : undefined;
      const isName = slot.kind !== 'word' || beforeName.test(previous?.text ?? '');
      const common = words - (areWords[index] === true ? 1 : 0);
      if (common > 0) this.compare(id, hash + without(index), common, isName);
    }
    // Names that vary together, such as a class and its loader.
    const names = slots.flatMap(({ kind }, index) => (kind === 'word' ? [] : [index]));
    if (names.length > 1 && words > 1) {
      const rest = names.reduce((sum, index) => sum + without(index), hash);
      this.compare(id, rest, 1, true);
    }
    return pattern;
  }

  /**
   * Compares a new pattern with those that are the same without some places.
   *
   * @param common how many words they have in common.
   */
  private compare(id: number, hash: number, common: number, isName: boolean): void {
    const known = this.byRest.get(hash);
    // Most are alone: these take no more memory than needed.
    if (known === undefined && !isName) {
      this.byRest.set(hash, id);
      return;
    }
    let alike = known !== undefined && known < 0 ? this.alike[~known] : undefined;
    if (alike === undefined) {
      const first = known === undefined ? undefined : this.patterns[known];
      alike = { patterns: first === undefined ? [] : [first], hasNames: false, united: false };
      this.byRest.set(hash, ~this.alike.length);
      this.alike.push(alike);
    }
    const { patterns } = alike;
    const pattern = this.patterns[id];
    if (pattern !== undefined) patterns.push(pattern);
    alike.hasNames ||= isName;
    const needed = alike.hasNames ? namesThatVary : wordsThatVary;
    alike.united ||= patterns.length >= (needed[Math.min(common, needed.length - 1)] ?? Infinity);
    if (!alike.united) return;
    for (const other of patterns.splice(1))
      if (patterns[0]?.unite(other) === true) this.changeCount++;
  }
}

/**
 * Integers of 31 bits by hash. It has many small parts, so that none takes long to grow: a `Map` of a million
 * entries would stop everything else for a while.
 */
class HashTable {
  private readonly parts: { hashes: Float64Array; values: Int32Array; size: number }[] = [];
  private count = 0;

  get size(): number {
    return this.count;
  }

  get(hash: number): number | undefined {
    const { hashes, values } = this.part(hash);
    const at = placeIn(hashes, hash);
    return hashes[at] === hash ? values[at] : undefined;
  }

  set(hash: number, value: number): void {
    const part = this.part(hash);
    let at = placeIn(part.hashes, hash);
    if (part.hashes[at] !== hash) {
      this.count++;
      part.size++;
      if (2 * part.size > part.hashes.length) {
        const before = { ...part };
        part.hashes = new Float64Array(2 * before.hashes.length).fill(-1);
        part.values = new Int32Array(part.hashes.length);
        for (const [index, one] of before.hashes.entries()) {
          if (one < 0) continue;
          const to = placeIn(part.hashes, one);
          part.hashes[to] = one;
          part.values[to] = before.values[index] ?? 0;
        }
        at = placeIn(part.hashes, hash);
      }
    }
    part.hashes[at] = hash;
    part.values[at] = value;
  }

  private part(hash: number): { hashes: Float64Array; values: Int32Array; size: number } {
    return (this.parts[hash % 1024] ??= {
      hashes: new Float64Array(4).fill(-1),
      values: new Int32Array(4),
      size: 0,
    });
  }
}

/** Where a hash is, or the free place for it; there is one. A free place has -1. */
function placeIn(hashes: Float64Array, hash: number): number {
  let at = Math.floor(hash / 1024) % hashes.length;
  for (let there = hashes[at]; there !== hash && there !== -1; there = hashes[at]) {
    at = (at + 1) % hashes.length;
  }
  return at;
}

const twoLetters = /\p{L}\p{L}/u;
/** The letters that most words have: Unicode takes five times as long. */
const twoLatinLetters = /[a-z]{2}/i;

function isWord({ kind, text }: Slot): boolean {
  return kind === 'word' && (twoLatinLetters.test(text) || twoLetters.test(text));
}

/**
 * A hash of what is in a place of a message; the sum of those of all its places is one of the message. 46 bits, so
 * that the sum of up to 128 is exact.
 */
function hashOf(text: string, place: number): number {
  let high = 0x811c9dc5 ^ place;
  let low = 0x1b873593 + place;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit, 0x01000193);
    low = Math.imul(low ^ unit, 0x5bd1e995);
    low ^= low >>> 15;
  }
  return (scattered(high) >>> 0) * 2 ** 14 + (scattered(low) >>> 18);
}

function scattered(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

/**
 * The text of the pattern of each body, with signs such as `<n>` for what varies; see `Pattern.text`.
 *
 * @returns as many as there are bodies; bodies with the same pattern have the same.
 */
export function patternIds(bodies: readonly string[]): readonly string[] {
  const patterns = new Patterns();
  return bodies.map((body) => patterns.add(body)).map(({ text }) => text);
}

/** Words and signs with what belongs to them. */
const part = new RegExp(`(?:${signs.source}|:(?=<n>)|[^\\s()[\\]{}<>"'\`,;=|:])+`, 'g');

/**
 * Finds patterns by their text although they, or what is looked for, have become more general: a pattern is the
 * same as one that says the same with signs in place of some words.
 */
export class PatternLookup<T> {
  /** By what is between the parts: that never changes. */
  private readonly items = new Map<
    string,
    { readonly parts: readonly string[]; readonly item: T }[]
  >();

  /** @param text that of a pattern, untrusted. */
  add(text: string, item: T): void {
    const shape = text.replace(part, '\n');
    getOrMake(this.items, shape, () => []).push({ parts: text.match(part) ?? [], item });
  }

  /** What was added with the text of a pattern that covers another one, or that it covers; in that order. */
  of(text: string): readonly T[] {
    const parts = text.match(part) ?? [];
    return (this.items.get(text.replace(part, '\n')) ?? [])
      .filter((one) => covers(one.parts, parts) || covers(parts, one.parts))
      .map(({ item }) => item);
  }
}

function covers(general: readonly string[], special: readonly string[]): boolean {
  return general.every((one, index) => {
    const other = special[index] ?? '';
    if (one === other) return true;
    if (!one.includes('<')) return false;
    const [first = '', ...rest] = one.split(signs);
    const last = rest.pop();
    if (last === undefined || !other.startsWith(first)) return false;
    let from = first.length;
    for (const piece of rest) {
      const at = other.indexOf(piece, from);
      if (at < 0) return false;
      from = at + piece.length;
    }
    return from + last.length <= other.length && other.endsWith(last);
  });
}

/** Signs, control characters, escaped or not, and where something is left out. */
const notSearched = new RegExp(`${signs.source}|\\u2026|\\\\u\\{[\\da-f]+\\}|\\p{C}`, 'u');

/** The shortest text to search for, in UTF-16 units. */
const shortest = 3;

/**
 * The text to search for to find the records of a pattern: the longest part of its template, without control
 * characters, escaped or not, that is in the body of one of them. Undefined if there is none.
 */
export function searchTextOf(template: string, { body }: LogRecord): string | undefined {
  return template
    .split(notSearched)
    .map((part) => part.trim())
    .sort((one, other) => other.length - one.length)
    .find((part) => part.length >= shortest && body.includes(part));
}
