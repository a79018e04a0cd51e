import type { NameKind } from './fields';

/** What is known of the logs in hand; the most likely first, each. */
export interface QueryKnowledge {
  readonly names: (kind: NameKind) => readonly { readonly id: string; readonly name: string }[];
  /** Values of records, by the name that their field has in queries. */
  readonly values: (field: string) => readonly string[];
  readonly attributes: () => readonly string[];
  readonly attributeValues: (name: string) => readonly string[];
}

/** Something that can stand at a place in a query. */
export interface Completion {
  readonly kind: 'field' | 'operator' | 'value' | 'name' | 'word';
  /** How it is called; what is typed is looked for in it. */
  readonly label: string;
  /** What to insert. */
  readonly text: string;
  /** The id of a name. */
  readonly detail?: string;
}
