import type { LogRecord } from '../../api/types';
import { inTurns } from '../../base/clock';
import { recordFields, shownAttribute } from './recordFields';

/** A value that some records have more often, or less often, than the others. */
export interface ApartValue {
  /** As in queries, such as `deployment` or `attr.region`. */
  readonly field: string;
  /** Untrusted; undefined: that the field has any value. */
  readonly value: string | undefined;
  /** Its share of the chosen records and of the others, from 0 to 1. */
  readonly share: number;
  readonly otherShare: number;
}

const compared = [...recordFields].filter(([, { isOwn }]) => isOwn !== true);

/** The most attributes that are compared, values of a field that are counted, and UTF-16 units of a value. */
const mostFields = 300;
const mostValues = 20_000;
const longestValue = 256;

/** A difference that is larger by chance in one of a thousand values, as a G-test measures it. */
const clearDifference = 10.83;

/**
 * The fields whose values differ most between some records and the others, with the value that differs most:
 * the most surprising first.
 *
 * @param pause lets other tasks run.
 */
export async function setsApart(
  chosen: readonly LogRecord[],
  others: readonly LogRecord[],
  pause: () => Promise<void>,
): Promise<readonly ApartValue[]> {
  const fields = new Map<string, FieldCounts>();
  for (const [side, records] of [chosen, others].entries()) {
    await inTurns(records, pause, (record) => {
      for (const [field, { read }] of compared) count(fields, field, read(record), side);
      let left = mostFields;
      for (const name in record.attributes) {
        if (left-- === 0) break;
        count(fields, name, record.attributes[name] ?? null, side, true);
      }
    });
  }
  const found: (ApartValue & { readonly surprise: number })[] = [];
  for (const counts of fields.values()) {
    await pause();
    const most = mostApart(counts, chosen.length, others.length);
    // With more values, one of them differs more by chance.
    const needed = clearDifference + 2 * Math.log(counts.values.size + 1);
    if (most !== undefined && most.surprise >= needed) found.push(most);
  }
  return found.sort((a, b) => b.surprise - a.surprise).map(({ surprise, ...value }) => value);
}

type Pair = [chosen: number, others: number];

interface FieldCounts {
  readonly field: string;
  /** How many records have a value. */
  readonly any: Pair;
  readonly values: Map<string, Pair>;
}

function count(
  fields: Map<string, FieldCounts>,
  name: string,
  value: string | null,
  side: number,
  isAttribute = false,
): void {
  if (value === null || value === '') return;
  // A name with a space is no field of a record.
  const key = isAttribute ? ` ${name}` : name;
  let counts = fields.get(key);
  if (counts === undefined) {
    if (fields.size >= mostFields) return;
    counts = { field: isAttribute ? shownAttribute(name) : name, any: [0, 0], values: new Map() };
    fields.set(key, counts);
  }
  add(counts.any, side);
  const known = value.length > longestValue ? value.slice(0, longestValue) : value;
  let pair = counts.values.get(known);
  if (pair === undefined) {
    if (counts.values.size >= mostValues) return;
    pair = [0, 0];
    counts.values.set(known, pair);
  }
  add(pair, side);
}

function add(pair: Pair, side: number): void {
  pair[side === 0 ? 0 : 1]++;
}

/** The value of a field whose shares differ most. */
function mostApart(
  { field, any, values }: FieldCounts,
  chosen: number,
  others: number,
): (ApartValue & { readonly surprise: number }) | undefined {
  let most: { readonly value: string | undefined; readonly pair: Pair } | undefined;
  let least = 0;
  const consider = (value: string | undefined, pair: Pair, lead: number): void => {
    const surprise = surpriseOf(pair, chosen, others);
    if (surprise <= least * lead) return;
    most = { value, pair };
    least = surprise;
  };
  const isMore = ([inChosen, inOthers]: Pair): boolean => inChosen * others >= inOthers * chosen;
  // Where one value is more frequent, another one is less frequent: the first is the one to name.
  for (const [value, pair] of values) if (isMore(pair)) consider(value, pair, 1);
  for (const [value, pair] of values) if (!isMore(pair)) consider(value, pair, 1.01);
  consider(undefined, any, 1.01);
  if (most === undefined) return undefined;
  const [inChosen, inOthers] = most.pair;
  return {
    field,
    value: most.value,
    share: inChosen / Math.max(1, chosen),
    otherShare: inOthers / Math.max(1, others),
    surprise: least,
  };
}

/** The statistic of a G-test: whether records with a value are as frequent on both sides. */
function surpriseOf([inChosen, inOthers]: Pair, chosen: number, others: number): number {
  const all = chosen + others;
  const having = inChosen + inOthers;
  const part = (count: number, row: number, column: number): number =>
    count === 0 ? 0 : count * Math.log((count * all) / (row * column));
  return (
    2 *
    (part(inChosen, having, chosen) +
      part(inOthers, having, others) +
      part(chosen - inChosen, all - having, chosen) +
      part(others - inOthers, all - having, others))
  );
}
