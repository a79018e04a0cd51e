import { lazyRegExp } from '../base/textFormat';
import type { ErrorKind } from '../logs/errors/errorKind';
import type { Compared } from '../logs/explorer/comparison';
import { bodyText } from '../logs/record/readableBody';
import { Excerpt, type Fence, fenced } from './answer';
import { comparisonEntries } from './outlines';

/** Limits of a message and of the whole data: in UTF-16 units, and in bytes. */
const longestBody = 4000;
const mostBytes = 12_000;

type ReportedError = Pick<ErrorKind, 'count' | 'change' | 'workloads' | 'first' | 'last'>;

/**
 * An error as the data of a question in the chat, between the lines of a fence.
 *
 * @param lines the lines of the workspace that the error comes from.
 */
export function chatData(
  { count, change, workloads, first, last }: ReportedError,
  lines: readonly string[],
  fence: Fence,
): string {
  const entries = [
    {
      count,
      change,
      workloads: workloads.slice(0, 5).map(({ name }) => new Excerpt(name, 100)),
      firstSeen: first.timestamp,
      lastSeen: last.timestamp,
      lines,
    },
    new Excerpt(bodyText(last, 'readable'), longestBody),
  ];
  return withoutMentions(fenced(entries, fence, mostBytes, 'first').text);
}

/** A comparison of logs, in the same way. */
export function comparisonData(compared: Compared, fence: Fence): string {
  return withoutMentions(
    fenced(comparisonEntries(compared, false), fence, mostBytes, 'first').text,
  );
}

const mention = lazyRegExp(String.raw`(?<![\p{L}\p{N}_/])[#@]`, 'gu');

/**
 * Escapes `#` and `@` at the start of a word: the input of the chat would attach the file that `#file:…`
 * names, or pass the question to another participant.
 */
function withoutMentions(text: string): string {
  return text.replace(mention(), (sign) => (sign === '#' ? '\\u{23}' : '\\u{40}'));
}
