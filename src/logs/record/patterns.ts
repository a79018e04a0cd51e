import { spokenLine } from './headline';
import { joined, readSlots, signs, type Slot } from './messageSlots';

/** What messages that are alike have in common. It becomes more general when more messages are alike. */
export class Pattern {
  /** The pattern that this one became part of. */
  #into: Pattern | undefined;
  readonly #gaps: readonly string[];
  readonly #slots: Slot[];
  #text: string | undefined;
  /** How many patterns it is made of. */
  #size = 1;

  constructor(gaps: readonly string[], slots: readonly Slot[]) {
    this.#gaps = gaps;
    this.#slots = [...slots];
  }

  /**
   * What its messages say, with `<n>`, `<id>`, `<time>`, `<address>`, `<path>`, `<url>`, `<email>`, `<text>` or
   * `<value>` for what varies. Patterns with the same text are the same. One line, untrusted.
   */
  get text(): string {
    const root = this.#root();
    root.#text ??= root.#gaps.map((gap, index) => gap + (root.#slots[index]?.text ?? '')).join('');
    return root.#text;
  }

  /** Makes one pattern of two. @returns whether they were two. */
  unite(other: Pattern): boolean {
    const [one, two] = [this.#root(), other.#root()];
    if (one === two) return false;
    const [into, from] = one.#size < two.#size ? [two, one] : [one, two];
    from.#into = into;
    into.#size += from.#size;
    into.cover(from.#slots);
    return true;
  }

  /** Makes it general enough for the slots of another one. @returns whether it was not. */
  cover(others: readonly Slot[]): boolean {
    const root = this.#root();
    let changed = false;
    for (const [index, other] of others.entries()) {
      const slot = root.#slots[index] ?? other;
      const general = joined(slot, other);
      if (general.text === slot.text) continue;
      root.#slots[index] = general;
      root.#text = undefined;
      changed = true;
    }
    return changed;
  }

  #root(): Pattern {
    if (this.#into === undefined) return this;
    // The smaller one joins the larger one, so this is not deep.
    this.#into = this.#into.#root();
    return this.#into;
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

const leftOut = { kind: 'word', text: '\n' } as const;

/** The most different messages that are compared with each other: more would take too much memory. */
const mostCompared = 100_000;

/**
 * Finds the patterns of messages without knowing the programs that wrote them. What is alike among some messages
 * stays so if there are more: their order does not matter, and patterns only become more general.
 */
export class Patterns {
  /** By the hash of a message without its values. */
  readonly #patterns = new Map<number, Pattern>();
  /** By the hash of a message without its values and without what is in one more place. */
  readonly #alike = new Map<number, Pattern | Alike>();

  #changes = 0;

  /** How often patterns became more general or one: as long as it is the same, so are their texts. */
  get changes(): number {
    return this.#changes;
  }

  /** The pattern of a body: of its message if it is structured, and of the headline of a stack trace. */
  add(body: string): Pattern {
    const { gaps, slots } = readSlots(spokenLine(body));
    let hash = hashOf({ kind: 'word', text: gaps.join('\n') }, -1);
    for (const [index, slot] of slots.entries()) hash += hashOf(slot, index);
    const known = this.#patterns.get(hash);
    if (known !== undefined) {
      if (known.cover(slots)) this.#changes++;
      return known;
    }
    const pattern = new Pattern(gaps, slots);
    if (this.#patterns.size >= mostCompared) return pattern;
    this.#patterns.set(hash, pattern);
    const without = (index: number): number =>
      hashOf(leftOut, index) - hashOf(slots[index] ?? leftOut, index);
    const words = slots.filter(isWord).length;
    for (const [index, slot] of slots.entries()) {
      const previous = gaps[index] === ' ' ? slots[index - 1] : undefined;
      const isName = slot.kind !== 'word' || beforeName.test(previous?.text ?? '');
      const common = words - (isWord(slot) ? 1 : 0);
      if (common > 0) this.#compare(pattern, hash + without(index), common, isName);
    }
    // Names that vary together, such as a class and its loader.
    const names = slots.flatMap(({ kind }, index) => (kind === 'word' ? [] : [index]));
    if (names.length > 1 && words > 1) {
      const rest = names.reduce((sum, index) => sum + without(index), hash);
      this.#compare(pattern, rest, 1, true);
    }
    return pattern;
  }

  /**
   * Compares a new pattern with those that are the same without some places.
   *
   * @param common how many words they have in common.
   */
  #compare(pattern: Pattern, hash: number, common: number, isName: boolean): void {
    const known = this.#alike.get(hash);
    // Most are alone: these take no more memory than needed.
    if (known === undefined && !isName) return void this.#alike.set(hash, pattern);
    const alike =
      known === undefined || known instanceof Pattern
        ? { patterns: known === undefined ? [] : [known], hasNames: false, united: false }
        : known;
    if (alike !== known) this.#alike.set(hash, alike);
    const { patterns } = alike;
    patterns.push(pattern);
    alike.hasNames ||= isName;
    const needed = alike.hasNames ? namesThatVary : wordsThatVary;
    alike.united ||= patterns.length >= (needed[Math.min(common, needed.length - 1)] ?? Infinity);
    if (!alike.united) return;
    for (const other of patterns.splice(1)) if (patterns[0]?.unite(other) === true) this.#changes++;
  }
}

function isWord({ kind, text }: Slot): boolean {
  return kind === 'word' && /\p{L}\p{L}/u.test(text);
}

/**
 * A hash of what is in a place of a message; the sum of those of all its places is one of the message. Values are
 * the same. 47 bits, so that the sum of those of 48 slots and of the gaps is exact.
 */
function hashOf({ kind, text }: Pick<Slot, 'kind' | 'text'>, index: number): number {
  let high = 0x811c9dc5 ^ index;
  let low = 0x1b873593 + index;
  for (let at = 0; kind !== 'value' && at < text.length; at++) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit, 0x01000193);
    low = Math.imul(low ^ unit, 0x5bd1e995);
    low ^= low >>> 15;
  }
  return (scattered(high) >>> 0) * 2 ** 15 + (scattered(low) >>> 17);
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
  readonly #items = new Map<string, { readonly parts: readonly string[]; readonly item: T }[]>();

  /** @param text that of a pattern, untrusted. */
  add(text: string, item: T): void {
    const shape = text.replace(part, '\n');
    const items = this.#items.get(shape) ?? [];
    this.#items.set(shape, items);
    items.push({ parts: text.match(part) ?? [], item });
  }

  /** What was added with the text of a pattern that covers another one, or that it covers; in that order. */
  of(text: string): readonly T[] {
    const parts = text.match(part) ?? [];
    return (this.#items.get(text.replace(part, '\n')) ?? [])
      .filter((one) => covers(one.parts, parts) || covers(parts, one.parts))
      .map(({ item }) => item);
  }
}

function covers(general: readonly string[], special: readonly string[]): boolean {
  return general.every((one, index) => {
    const other = special[index] ?? '';
    if (one === other) return true;
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
