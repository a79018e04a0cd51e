import type { LogRecord } from '../../api/types';
import { lazyRegExp } from '../../base/textFormat';
import { getOrMake } from '../../base/maps';
import { spokenLine } from './headline';
import { joinedSlot, readSlots, signs, type Slot } from './messageSlots';

/** A place of a pattern. `any`: more than one word was seen there, or words and values. */
interface GeneralSlot {
  readonly text: string;
  readonly kind: Slot['kind'] | 'any';
  /** That of its messages if all have one. */
  readonly aside?: Slot['aside'];
}

/**
 * What messages that are alike have in common: words, and places for values. It becomes more general when more
 * messages are alike.
 */
export class Pattern {
  /** The pattern that this one became part of. */
  private into: Pattern | undefined;
  /** Undefined as long as it is what its first message said. */
  private general: GeneralSlot[] | undefined;
  private ownText: string | undefined;
  private ownKey: string | undefined;
  private firstKey: string | undefined;
  /** How many patterns it is made of. */
  private size = 1;

  /** @param slots those of its first message. */
  constructor(
    private readonly gaps: readonly string[],
    private readonly slots: readonly Slot[],
  ) {}

  /**
   * What its messages say, with `<n>`, `<id>`, `<time>`, `<address>`, `<path>`, `<url>`, `<email>`, `<text>` or
   * `<value>` for what varies. For people: a message may contain the same as its own words. One line, untrusted.
   */
  get text(): string {
    const root = this.root();
    const slots = root.general ?? root.slots;
    const shown = (slot?: GeneralSlot): string => `${slot?.text ?? ''}${slot?.aside ?? ''}`;
    root.ownText ??= root.gaps.map((gap, index) => gap + shown(slots[index])).join('');
    return root.ownText;
  }

  /**
   * What it is, as a text that is equal only for the same pattern, whatever messages say; see `keyOf`. Another one
   * once the pattern becomes more general.
   */
  get key(): string {
    const root = this.root();
    root.ownKey ??= root.general === undefined ? root.messageKey : keyOf(root.gaps, root.general);
    return root.ownKey;
  }

  /** The key of the messages that it was made for, before it became part of another one. It never changes. */
  get messageKey(): string {
    this.firstKey ??= keyOf(this.gaps, this.slots);
    return this.firstKey;
  }

  /** Whether a message was the same except for its values, and for what is in some place. @param except see `Place`. */
  isOf(gaps: readonly string[], slots: readonly Slot[], except?: Place): boolean {
    if (gaps.length !== this.gaps.length) return false;
    for (let index = 0; index < gaps.length; index++) {
      if (gaps[index] !== this.gaps[index]) return false;
      const [slot, own] = [slots[index], this.slots[index]];
      if (slot === undefined || own === undefined || index === except) continue;
      if (except === names && slot.kind !== 'word' && own.kind !== 'word') continue;
      if ((slot.kind === 'value') !== (own.kind === 'value')) return false;
      if (slot.kind !== 'value' && slot.text !== own.text) return false;
    }
    return true;
  }

  /** Whether it was made for a message like that of another one, except in some place. */
  isLike(other: Pattern, except: Place): boolean {
    return this.isOf(other.gaps, other.slots, except);
  }

  /** Makes one pattern of two. @returns whether they were two. */
  unite(other: Pattern): boolean {
    const [one, two] = [this.root(), other.root()];
    if (one === two) return false;
    const [into, from] = one.size < two.size ? [two, one] : [one, two];
    from.into = into;
    into.size += from.size;
    into.cover(from.general ?? from.slots);
    from.general = from.ownText = from.ownKey = undefined;
    return true;
  }

  /** Makes it general enough for the slots of another one. @returns whether it was not. */
  cover(others: readonly GeneralSlot[]): boolean {
    const root = this.root();
    let changed = false;
    for (const [index, other] of others.entries()) {
      const slot = (root.general ?? root.slots)[index] ?? other;
      const both = coveringBoth(slot, other);
      if (both === slot) continue;
      root.general ??= [...root.slots];
      root.general[index] = both;
      root.ownText = root.ownKey = undefined;
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

/** The first one if it covers both. */
function coveringBoth(a: GeneralSlot, b: GeneralSlot): GeneralSlot {
  const aside = jointAside(a, b);
  if (a.text === b.text && a.kind === b.kind && a.aside === aside) return a;
  const { text } = joinedSlot(a, b);
  const isValue = a.kind === 'value' && b.kind === 'value';
  const kind = isValue || (a.kind === b.kind && a.text === b.text) ? a.kind : 'any';
  return a.text === text && a.kind === kind && a.aside === aside ? a : { text, kind, aside };
}

/** What both say behind them: of two amounts any, and nothing if only one says it. */
function jointAside(a: GeneralSlot, b: GeneralSlot): Slot['aside'] {
  if (a.aside === b.aside || a.aside === undefined) return a.aside;
  return b.aside === undefined ? undefined : ' (<n>)';
}

/** What a key has in place of a value, and where any word or value may be. No word has angle brackets. */
const aValue = '<>';
const anything = '<*>';

/**
 * A pattern as a text: what is between its slots and the slots in turn, each behind a tab. No message has a tab,
 * because any white space of a message is a space; nor has a word angle brackets.
 */
function keyOf(gaps: readonly string[], slots: readonly GeneralSlot[]): string {
  const parts = [''];
  for (const [index, gap] of gaps.entries()) {
    parts.push(gap);
    const slot = slots[index];
    if (slot === undefined) continue;
    parts.push(slot.kind === 'any' ? anything : slot.kind === 'value' ? aValue : slot.text);
  }
  return parts.join('\t');
}

/** The index of a slot, or `names`: all that are no words. At most 63. */
type Place = number;
const names = 63;

/** Patterns that differ in one place only. */
interface Alike {
  readonly place: Place;
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
  private readonly lines = new RecentLines();
  /** The index of a pattern by the hash of its first message. */
  private readonly byHash = new HashTable();
  /**
   * By the hash of a message without what is in some place: the index of its pattern, times 64, and the place, or
   * `~index` of an `Alike`.
   */
  private readonly byRest = new HashTable();
  private changeCount = 0;

  /** How often patterns became more general or one: as long as it is the same, so are their texts. */
  get changes(): number {
    return this.changeCount;
  }

  /** The pattern of a body: of its message if it is structured, and of the headline of a stack trace. */
  add(body: string): Pattern {
    const line = spokenLine(body);
    const same = this.lines.get(line);
    if (same !== undefined) return same;
    // A part of a body keeps all of it in memory.
    const own = body.length > 2 * line.length ? copied(line) : line;
    const pattern = this.read(own);
    this.lines.set(own, pattern);
    return pattern;
  }

  private read(line: string): Pattern {
    const { gaps, slots } = readSlots(line);
    const hashes = slots.map(({ kind, text }, index) =>
      hashOf(kind === 'value' ? '' : text, index),
    );
    const hash = hashes.reduce((sum, one) => sum + one, hashOf(gaps.join('\n'), -1));
    const index = this.byHash.find(hash, (one) => this.patterns[one]?.isOf(gaps, slots) === true);
    const known = this.patterns[index ?? -1];
    if (known !== undefined) {
      if (known.cover(slots)) this.changeCount++;
      return known;
    }
    const pattern = new Pattern(gaps, slots);
    const id = this.patterns.length;
    if (id >= mostCompared) return pattern;
    this.patterns.push(pattern);
    this.byHash.add(hash, id);
    const without = (index: number): number => hashOf('\n', index) - (hashes[index] ?? 0);
    const areWords = slots.map(isWord);
    const words = areWords.filter(Boolean).length;
    for (const [index, slot] of slots.entries()) {
      const previous = gaps[index] === ' ' ? slots[index - 1] : undefined;
      const isName = slot.kind !== 'word' || beforeName.test(previous?.text ?? '');
      const common = words - (areWords[index] === true ? 1 : 0);
      if (common > 0) this.compare(id, hash + without(index), index, common, isName);
    }
    // Names that vary together, such as a class and its loader.
    const varying = slots.flatMap(({ kind }, index) => (kind === 'word' ? [] : [index]));
    if (varying.length > 1 && words > 1) {
      const rest = varying.reduce((sum, index) => sum + without(index), hash);
      this.compare(id, rest, names, 1, true);
    }
    return pattern;
  }

  /**
   * Compares a new pattern with those that are the same without some place.
   *
   * @param common how many words they have in common.
   */
  private compare(id: number, hash: number, place: Place, common: number, isName: boolean): void {
    const pattern = this.patterns[id];
    if (pattern === undefined) return;
    const known = this.byRest.find(hash, (one) => this.isAlike(one, pattern, place));
    // Most are alone: these take no more memory than needed.
    if (known === undefined && !isName) {
      this.byRest.add(hash, id * 64 + place);
      return;
    }
    let alike = known !== undefined && known < 0 ? this.alike[~known] : undefined;
    if (alike === undefined) {
      const first = known === undefined ? undefined : this.patterns[Math.floor(known / 64)];
      const patterns = first === undefined ? [] : [first];
      alike = { place, patterns, hasNames: false, united: false };
      if (known === undefined) this.byRest.add(hash, ~this.alike.length);
      else this.byRest.replace(hash, known, ~this.alike.length);
      this.alike.push(alike);
    }
    const { patterns } = alike;
    patterns.push(pattern);
    alike.hasNames ||= isName;
    const needed = alike.hasNames ? namesThatVary : wordsThatVary;
    alike.united ||= patterns.length >= (needed[Math.min(common, needed.length - 1)] ?? Infinity);
    if (!alike.united) return;
    for (const other of patterns.splice(1))
      if (patterns[0]?.unite(other) === true) this.changeCount++;
  }

  /** Whether a pattern is the same without some place as those of an entry of `byRest`. */
  private isAlike(entry: number, pattern: Pattern, place: Place): boolean {
    const alike = entry < 0 ? this.alike[~entry] : undefined;
    const first = alike?.patterns[0] ?? this.patterns[Math.floor(entry / 64)];
    return (alike?.place ?? entry % 64) === place && first?.isLike(pattern, place) === true;
  }
}

/** How many UTF-16 units of lines are remembered at least; up to twice as many. */
const mostRemembered = 1_000_000;

/** The patterns of the latest lines: many lines are the same to the letter as an earlier one. */
class RecentLines {
  private recent = new Map<string, Pattern>();
  private earlier: ReadonlyMap<string, Pattern> = new Map();
  private units = 0;

  get(line: string): Pattern | undefined {
    return this.recent.get(line) ?? this.earlier.get(line);
  }

  set(line: string, pattern: Pattern): void {
    if (this.units > mostRemembered) {
      this.earlier = this.recent;
      this.recent = new Map();
      this.units = 0;
    }
    this.recent.set(line, pattern);
    this.units += line.length;
  }
}

/** The same text with memory of its own. */
function copied(part: string): string {
  const longer = `${part}\n`;
  // To read a unit makes one text of two.
  longer.charCodeAt(0);
  return longer.slice(0, -1);
}

/** How many entries may have the same hash: there are more only if someone makes them. */
const mostEqual = 16;

/**
 * Integers of 31 bits by hash: several of those that have the same one. It has many small parts, so that none takes
 * long to grow: a `Map` of a million entries would stop everything else for a while.
 */
class HashTable {
  private readonly parts: { hashes: Float64Array; values: Int32Array; size: number }[] = [];

  /** The first value of a hash that is the right one. */
  find(hash: number, isRight: (value: number) => boolean): number | undefined {
    const { hashes, values } = this.part(hash);
    for (let at = startIn(hashes, hash); hashes[at] !== -1; at = nextIn(hashes, at)) {
      const value = values[at];
      if (hashes[at] === hash && value !== undefined && isRight(value)) return value;
    }
    return undefined;
  }

  add(hash: number, value: number): void {
    const part = this.part(hash);
    if (2 * (part.size + 1) > part.hashes.length) {
      const before = { ...part };
      part.hashes = new Float64Array(2 * before.hashes.length).fill(-1);
      part.values = new Int32Array(part.hashes.length);
      for (const [index, one] of before.hashes.entries()) {
        if (one >= 0) put(part, one, before.values[index] ?? 0);
      }
    }
    if (put(part, hash, value)) part.size++;
  }

  replace(hash: number, before: number, after: number): void {
    const { hashes, values } = this.part(hash);
    for (let at = startIn(hashes, hash); hashes[at] !== -1; at = nextIn(hashes, at)) {
      if (hashes[at] === hash && values[at] === before) values[at] = after;
    }
  }

  private part(hash: number): { hashes: Float64Array; values: Int32Array; size: number } {
    return (this.parts[hash % 1024] ??= {
      hashes: new Float64Array(4).fill(-1),
      values: new Int32Array(4),
      size: 0,
    });
  }
}

/** Puts a value behind those with the same hash, unless there are too many. A free place has the hash -1. */
function put(
  { hashes, values }: { readonly hashes: Float64Array; readonly values: Int32Array },
  hash: number,
  value: number,
): boolean {
  let at = startIn(hashes, hash);
  for (let equal = 0; hashes[at] !== -1; at = nextIn(hashes, at)) {
    if (hashes[at] === hash && ++equal >= mostEqual) return false;
  }
  hashes[at] = hash;
  values[at] = value;
  return true;
}

/** Where to look for a hash first, and next. */
function startIn(hashes: Float64Array, hash: number): number {
  return Math.floor(hash / 1024) % hashes.length;
}

function nextIn(hashes: Float64Array, at: number): number {
  return (at + 1) % hashes.length;
}

const twoLetters = lazyRegExp(String.raw`\p{L}\p{L}`, 'u');
/** The letters that most words have: Unicode takes five times as long. */
const twoLatinLetters = /[a-z]{2}/i;

function isWord({ kind, text }: Slot): boolean {
  return kind === 'word' && (twoLatinLetters.test(text) || twoLetters().test(text));
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
 * An id of the pattern of each body: its text, with signs such as `<n>` for what varies, or its key if messages
 * contain such signs as their own words.
 *
 * @returns as many as there are bodies; bodies with the same pattern have the same.
 */
export function patternIds(bodies: readonly string[]): readonly string[] {
  const patterns = new Patterns();
  const ids = new Map<string, string>();
  return bodies
    .map((body) => patterns.add(body))
    .map(({ key, text }) => getOrMake(ids, key, () => (saysSigns(key) ? key : text)));
}

/** Whether messages themselves contain what looks like a sign. */
function saysSigns(key: string): boolean {
  const own = key.replaceAll(/\t<(?:\*)?>|<n>/g, '\n').replaceAll('\t', '');
  return own.search(signs) >= 0;
}

/**
 * Finds patterns by messages that they cover: what became part of a pattern later is not covered by what the pattern
 * was before.
 */
export class PatternLookup<T> {
  /** By what is between the slots: that never changes. */
  private readonly items = new Map<
    string,
    { readonly slots: readonly string[]; readonly leavesOpen: boolean; readonly item: T }[]
  >();

  /** @param key that of a pattern. Any other text covers only itself. */
  add(key: string, item: T): void {
    const { gaps, slots } = readKey(key);
    const one = { slots, leavesOpen: !leavesTooMuchOpen(key), item };
    getOrMake(this.items, gaps, () => []).push(one);
  }

  /** What was added with the key of a pattern that covers these messages, in that order. @param key that of a pattern. */
  of(key: string): readonly T[] {
    const { gaps, slots } = readKey(key);
    return (this.items.get(gaps) ?? [])
      .filter((one) =>
        one.slots.every((slot, at) => slot === slots[at] || (one.leavesOpen && slot === anything)),
      )
      .map(({ item }) => item);
  }
}

/**
 * Whether a pattern says less than it leaves open. Such a pattern covers only messages that became part of it: others
 * that are as long have nothing else in common with it.
 */
export function leavesTooMuchOpen(key: string): boolean {
  const { slots } = readKey(key);
  const open = slots.filter((slot) => slot === anything).length;
  return open > slots.filter((slot) => slot !== anything && slot !== aValue).length;
}

/** What is between the slots of a key, as one text, and the slots. */
function readKey(key: string): { readonly gaps: string; readonly slots: readonly string[] } {
  const [start = '', ...parts] = key.split('\t');
  const gaps = parts.filter((_, index) => index % 2 === 0);
  return { gaps: [start, ...gaps].join('\t'), slots: parts.filter((_, index) => index % 2 === 1) };
}

/** Signs, control characters, escaped or not, and where something is left out. */
const notSearched = lazyRegExp(String.raw`${signs.source}|\u2026|\\u\{[\da-f]+\}|\p{C}`, 'u');

/** The shortest text to search for, in UTF-16 units. */
const shortest = 3;

/**
 * The text to search for to find the records of a pattern: the longest part of its template, without control
 * characters, escaped or not, that is in the body of one of them. Undefined if there is none.
 */
export function searchTextOf(template: string, { body }: LogRecord): string | undefined {
  return template
    .split(notSearched())
    .map((part) => part.trim())
    .sort((a, b) => b.length - a.length)
    .find((part) => part.length >= shortest && body.includes(part));
}
