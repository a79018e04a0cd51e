import type { Range } from '../../src/logs/explorer/panel/messages';

/** The ranges that were narrowed, to go back to one after the other. */
export interface Zoom {
  readonly canGoBack: boolean;
  /** Somebody narrows a range to another one. */
  into(before: Range, after: Range): void;
  /** The range of before; undefined where there is none. */
  out(): Range | undefined;
  /** What the query says now: once its range was changed by anything else, there is no way back. */
  saw(range: Range): void;
}

export function createZoom(): Zoom {
  const steps: { readonly before: Range; readonly after: Range; isThere: boolean }[] = [];
  return {
    get canGoBack() {
      return steps.length > 0;
    },
    into: (before, after) => void steps.push({ before, after, isThere: false }),
    out: () => steps.pop()?.before,
    saw(range) {
      const last = steps.at(-1);
      if (last === undefined) return;
      if (isSame(last.after, range)) last.isThere = true;
      else if (!isSame(last.before, range)) steps.length = 0;
      // The change of the query was undone.
      else if (last.isThere) steps.pop();
    },
  };
}

function isSame(one: Range, other: Range): boolean {
  return (
    one.last === other.last && isSameMoment(one.from, other.from) && isSameMoment(one.to, other.to)
  );
}

/** An instant may be written with more digits or fewer. */
function isSameMoment(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one === other || Date.parse(one) === Date.parse(other);
}
