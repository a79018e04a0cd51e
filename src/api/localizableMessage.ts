/**
 * A text of this client with placeholders `{0}`, put into the language of the person by the layers
 * above: they know it, and translations are found by the text.
 */
export interface Phrase {
  /** In English. */
  readonly message: string;
  readonly args: readonly (string | number)[];
}

/** @param message written out, so that it can be found for translation. */
export function phrase(message: string, ...args: readonly (string | number)[]): Phrase {
  return { message, args };
}

export function inEnglish({ message, args }: Phrase): string {
  return message.replace(/\{(\d+)\}/g, (_, index: string) => String(args[Number(index)]));
}
