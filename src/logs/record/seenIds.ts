/** Remembers ids of records: the last ones that it met, and those that are still needed. */
export class SeenIds {
  private readonly ids = new Set<string>();
  /** Resumes where it was, so that the oldest id is found without a search. */
  private readonly oldest = this.ids.values();

  /**
   * @param limit how many ids are remembered at least.
   * @param isNeeded whether an old id must still be remembered.
   */
  constructor(
    private readonly limit: () => number,
    private readonly isNeeded: (id: string) => boolean = () => false,
  ) {}

  has(id: string): boolean {
    return this.ids.has(id);
  }

  /** Remembers an id, from now on as the newest. Returns false if it is known already. */
  add(id: string): boolean {
    const { size } = this.ids;
    this.ids.add(id);
    if (this.ids.size === size) {
      this.ids.delete(id);
      this.ids.add(id);
      return false;
    }
    this.forget();
    return true;
  }

  /** Looks at two ids for each new one, so that the number also falls after the limit did. */
  private forget(): void {
    const limit = this.limit();
    for (let looks = 0; looks < 2 && this.ids.size > limit; looks++) {
      const id = this.oldest.next().value;
      if (id === undefined) return;
      this.ids.delete(id);
      if (this.isNeeded(id)) this.ids.add(id);
    }
  }
}
