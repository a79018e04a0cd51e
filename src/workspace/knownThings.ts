/** A source or a server of the settings, since the API lists neither. */
export interface KnownThing {
  /** A UUID in lower case. */
  readonly id: string;
  /** What a person calls it. */
  readonly label?: string;
}

export interface KnownThings {
  /** Each id once, in the order of the setting. */
  readonly things: readonly KnownThing[];
  /** What is wrong with the entries that were left out, in English, such as `[2].id is not a UUID`. */
  readonly problems: readonly string[];
}

/** Longest label: it stands in a tree. */
export declare const maxLabel: number;

/** Reads `controlPlane.sources` or `controlPlane.servers`; never throws. */
export declare function readKnownThings(setting: unknown): KnownThings;

/**
 * The UUID that a person typed, in lower case.
 *
 * @throws InvalidRequestError where the contract takes it for none.
 */
export declare function parseId(text: string): string;

/** The setting with a thing added, or with the label of the one that is there; other entries stay. */
export declare function addThing(setting: unknown, thing: KnownThing): unknown[];

/** The setting with another label; an empty or absent one takes the label away. */
export declare function renameThing(setting: unknown, id: string, label?: string): unknown[];

export declare function removeThing(setting: unknown, id: string): unknown[];

/** The first eight characters, as people quote ids. */
export declare function shortId(id: string): string;
