import type { LogRecord, Severity } from '../../api/types';
import { headline } from '../record/messageTemplate';
import { bodyText } from '../record/readableBody';

/** A place in the workspace that records of a kind point at. */
export interface ErrorSpot {
  /** The URI of the file as text. */
  readonly file: string;
  /** From 1: the line in the file as it was deployed. */
  readonly line: number;
  /** From 1. */
  readonly column?: number;
  /** Null if the records have no deployment. */
  readonly deploymentId: string | null;
  readonly workloadId: string;
  readonly count: number;
  /** ISO UTC. */
  readonly lastSeen: string;
}

/** An id with its name and how many records it has. */
export interface CountedItem {
  readonly id: string;
  /** Untrusted. */
  readonly name: string;
  readonly count: number;
}

/** How the frequency of a kind differs from the time before the newest deployment of its workloads. */
export type ErrorChange = 'new' | 'more' | 'gone';

/**
 * Errors with the same message template and the same first file of the workspace in their stack. The line is
 * no part of it, because it moves from one deployment to the next.
 */
export interface ErrorKind {
  /** The same in every window and after a reload. */
  readonly key: string;
  /** Untrusted text of one line. */
  readonly template: string;
  /** The most severe of its records. */
  readonly severity: Severity;
  readonly count: number;
  readonly first: LogRecord;
  readonly last: LogRecord;
  /** A few of the newest records, newest first. */
  readonly records: readonly LogRecord[];
  /** The most frequent first. */
  readonly workloads: readonly CountedItem[];
  /** The newest first. `name` is the name of the workload. */
  readonly deployments: readonly CountedItem[];
  /** Frames in the workspace: those of the first frame first, then by count. */
  readonly spots: readonly ErrorSpot[];
  readonly change: ErrorChange | undefined;
}

const titles = new WeakMap<LogRecord, string>();
/** In UTF-16 units. */
const longestTitle = 500;

/** What the newest record of a kind says, on one line. Untrusted. */
export function titleOf({ last }: Pick<ErrorKind, 'last'>): string {
  let title = titles.get(last);
  if (title === undefined) {
    title = headline(bodyText(last, 'readable')).slice(0, longestTitle);
    titles.set(last, title);
  }
  return title;
}
