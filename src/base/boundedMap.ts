/**
 * A map that keeps no more than its bound: it forgets what was set longest ago, so what is in use stays.
 * Setting a key again makes it the newest.
 */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  private weight = 0;

  /**
   * @param most the most entries, or the most weight of all.
   * @param weightOf the weight of a key, which is always the same.
   */
  constructor(
    private readonly most: number,
    private readonly weightOf: (key: Key) => number = () => 1,
  ) {
    super();
  }

  override set(key: Key, value: Value): this {
    this.delete(key);
    super.set(key, value);
    this.weight += this.weightOf(key);
    for (const oldest of this.keys()) {
      // The newest stays, whatever it weighs.
      if (this.weight <= this.most || this.size === 1) break;
      this.delete(oldest);
    }
    return this;
  }

  override delete(key: Key): boolean {
    const isThere = super.delete(key);
    if (isThere) this.weight -= this.weightOf(key);
    return isThere;
  }

  override clear(): void {
    super.clear();
    this.weight = 0;
  }
}
