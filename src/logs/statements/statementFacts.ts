import type { LogQueryPage } from '../../api/cursors';
import { compareTimestamps } from '../../api/utcTime';
import { copyText } from '../../text/copyText';
import { recordSource } from '../record/format';
import { type HeldSummary, summariseValues } from './heldValues';
import { loggedMessage } from './loggedMessage';
import { fitMessage, type StatementTemplate } from './statementTemplate';

/** What is known about the records of a statement. Small, because many are cached. */
export interface StatementFacts {
  /** How many of the records looked at fit. */
  readonly count: number;
  /** Whether there are more records than were looked at. */
  readonly hasMore: boolean;
  /** The newest record that fits; undefined if there is none. */
  readonly last: LastRecord | undefined;
  readonly held: readonly HeldSummary[];
}

interface LastRecord {
  /** ISO UTC. */
  readonly timestamp: string;
  /** Its workload, as harmless text. */
  readonly source: string;
  /** The beginning of its message. Untrusted. */
  readonly text: string;
}

/** In UTF-16 units. */
const longestText = 500;

/** Reads a page of records that contain a text of a statement. */
export function factsOf(
  template: StatementTemplate,
  { records, next }: Pick<LogQueryPage, 'records' | 'next'>,
): StatementFacts {
  const fitting = records.flatMap((record) => {
    const message = loggedMessage(record);
    const fit = fitMessage(template, message);
    return fit === undefined ? [] : [{ record, message, fit }];
  });
  const newest = fitting.reduce<(typeof fitting)[number] | undefined>(
    (last, one) =>
      last === undefined || compareTimestamps(one.record.timestamp, last.record.timestamp) > 0
        ? one
        : last,
    undefined,
  );
  return {
    count: fitting.length,
    hasMore: next !== undefined,
    last: newest && {
      timestamp: newest.record.timestamp,
      source: recordSource(newest.record),
      text: copyText(newest.message.text.slice(newest.message.start).slice(0, longestText)),
    },
    held: summariseValues(fitting.map(({ fit }) => fit)),
  };
}
