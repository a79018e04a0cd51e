/** What is known of the API key, without the key itself. */
export interface KeyWatch {
  /** A fingerprint of the key as it was read last; undefined where there was none. */
  readonly known: string | undefined;
  /** Reads it again; a store that fails counts as one without a key. */
  look(): Promise<string | undefined>;
}

export function createKeyWatch(read: () => Promise<string | undefined>): KeyWatch {
  let known: string | undefined;
  return {
    get known() {
      return known;
    },
    async look() {
      try {
        known = await read();
      } catch {
        known = undefined;
      }
      return known;
    },
  };
}
