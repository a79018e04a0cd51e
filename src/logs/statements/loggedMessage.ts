import type { LogRecord } from '../../api/types';
import { readableBody } from '../record/readableBody';
import { prefixLength } from '../record/repeats';
import { stripSgr } from '../record/sgr';

/** What a program logged: the message in a structured body, or the whole body. */
export interface LoggedMessage {
  /** Untrusted, and cut to a limited length. */
  readonly text: string;
  /** Where the message begins, after the time, level and name that a logger wrote before it. */
  readonly start: number;
}

/** In UTF-16 units. */
const longestMessage = 4000;

export function loggedMessage(record: LogRecord): LoggedMessage {
  const message = readableBody(record.body, record)?.segments[0]?.text;
  if (message !== undefined) return { text: cut(message), start: 0 };
  const text = cut(record.body);
  return { text, start: prefixLength(text, record) };
}

function cut(text: string): string {
  return stripSgr(text.slice(0, longestMessage));
}
