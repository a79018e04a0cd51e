import type { Range } from '../../src/logs/explorer/panel/messages';

/** The lengths of time that are offered, as queries have them. */
export const presets = ['5m', '15m', '1h', '6h', '24h', '7d', '30d'] as const;

/** What the box of ranges shows for what a query says. */
export type RangeChoice =
  /** The query does not say. */
  | { readonly kind: 'none' }
  | { readonly kind: 'preset'; readonly last: string }
  /** A length that is not offered. */
  | { readonly kind: 'last'; readonly last: string }
  | { readonly kind: 'custom'; readonly from: string; readonly to: string };

export function choiceOf({ last, from, to }: Range): RangeChoice {
  if (last !== undefined) {
    const isPreset = presets.some((one) => one === last);
    return isPreset ? { kind: 'preset', last } : { kind: 'last', last };
  }
  if (from === undefined && to === undefined) return { kind: 'none' };
  return { kind: 'custom', from: from ?? '', to: to ?? '' };
}

/** The next longer range that is offered, as a query has it; undefined where there is none. */
export function longerThan(range: Range): (typeof presets)[number] | undefined {
  const choice = choiceOf(range);
  // Where a query does not say, it is an hour.
  const last = choice.kind === 'none' ? '1h' : choice.kind === 'preset' ? choice.last : undefined;
  const index = presets.findIndex((one) => one === last);
  return index < 0 ? undefined : presets[index + 1];
}

/** The range that two inputs ask for; an empty one does not say. */
export function typedRange(from: string, to: string): Range {
  const [start, end] = [from.trim(), to.trim()];
  return {
    ...(start === '' ? {} : { from: start }),
    ...(end === '' ? {} : { to: end }),
  };
}
