/** FNV-1a, to turn a name into a seed. */
export function hash(text: string, start = 0x811c9dc5): number {
  let value = start;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
}

/** A 64-bit fingerprint of a text, as 16 hexadecimal characters; not for secrets. */
export function printOf(text: string): string {
  const hex = (value: number): string => value.toString(16).padStart(8, '0');
  return hex(hash(text)) + hex(hash(text, 0x9e3779b9));
}

/** A seeded source of all generated data: the same seed gives the same values. */
export class Random {
  private state: number;
  private readonly words = new Uint32Array(8);
  private readonly bytes = Buffer.from(this.words.buffer);

  constructor(private readonly seed: number) {
    this.state = seed >>> 0;
  }

  /** From 0 to less than 1. */
  next(): number {
    return this.bits() / 4294967296;
  }

  /** An integer from 0 to less than `bound`. */
  int(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.int(items.length)]!;
  }

  /** Lowercase hexadecimal characters, up to 64. */
  hex(length: number): string {
    for (let index = 0; index * 8 < length; index++) this.words[index] = this.bits();
    // In one call: ids are most of the generated data, and building them piece by piece is slow.
    return this.bytes.toString('hex', 0, Math.ceil(length / 2)).slice(0, length);
  }

  /** A version 4 UUID. */
  uuid(): string {
    const text = this.hex(32);
    const variant = '89ab'[parseInt(text.charAt(16), 16) % 4]!;
    return [
      text.slice(0, 8),
      text.slice(8, 12),
      `4${text.slice(13, 16)}`,
      `${variant}${text.slice(17, 20)}`,
      text.slice(20),
    ].join('-');
  }

  /**
   * An independent source, so that a change in one part of the workspace does not affect the
   * others.
   */
  fork(name: string): Random {
    return new Random(hash(name, hash(String(this.seed))));
  }

  /** Mulberry32: 32 bits. */
  private bits(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return (value ^ (value >>> 14)) >>> 0;
  }
}

export function createRandom(seed: number): Random {
  return new Random(seed);
}

/** Numbers from 0 to less than 1, the same for the same seed. */
export function seededRandom(seed: number): () => number {
  const random = new Random(seed);
  return () => random.next();
}
