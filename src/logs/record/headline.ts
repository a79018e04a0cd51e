import { messageMember, readMembers } from './structuredBody';
import { stripSgr } from './terminalColors';

/**
 * What a body says in one line: the headline of its message, of a structured body the message template if it has
 * one, and of a JSON object without a message the names of its members. Without colours; untrusted.
 */
export function spokenLine(body: string): string {
  return headline(spokenPart(stripSgr(body)));
}

/** The message of a structured body, a message template if it has one; the whole of any other body. */
function spokenPart(body: string): string {
  const members = readMembers(body);
  if (members === undefined) return body;
  const template = members.find(({ key }) => key === '@mt')?.value;
  const spoken = typeof template === 'string' ? template : messageMember(members)?.value;
  if (spoken !== undefined) return spoken;
  if (!body.trimStart().startsWith('{')) return body;
  const names = members.map(({ name }) => name.split('.', 1)[0]);
  return `{${[...new Set(names)].sort().join(', ')}}`;
}

/** How much of a message is read for its headline, from either end. In UTF-16 units. */
const maxHeadline = 10_000;

/**
 * What happened, in one line: the first line of a message, without what a runtime writes before an error; of a Python
 * traceback and of a Rust panic the line with the error. If there is a stack and the first line only says where an
 * error was caught, the error follows; the last cause if there are causes. Untrusted.
 */
export function headline(text: string): string {
  const start = text.slice(0, maxHeadline);
  const lines = /\S[^\r\n]*/g;
  const next = (): string | undefined => lines.exec(start)?.[0].trim();
  const first = next() ?? '';
  // Python writes the error below its stack.
  if (first.startsWith(traceback)) return lineBelowStack(text);
  if (/^thread '[^']*' .{0,40}panicked at .*:$/.test(first)) return next() ?? first;
  const said = first.replace(beforeError, '') || first;
  const error = start.includes('\n') ? errorBelow(text, start) : undefined;
  return error === undefined || first.includes(error)
    ? said
    : `${said.replace(/[\s:]{1,9}$/, '')}: ${error}`;
}

/** The end of what errors are named. */
export const errorName = /(?:Error|Exception|Failure|Fault)$/;

const traceback = 'Traceback (most recent call last)';
/** The cause of an error in Java, JavaScript and C#. */
const cause = /^[ \t]{0,40}(?:Caused by: |\[cause\]: |---> )(\S.*)$/gm;
/** A frame of Java, JavaScript and C#, the beginning of the error above it, and an error of Elixir. */
const frame = /\n[ \t]{1,40}at /;
const firstName = /^[\w.$]{1,300}/;
const elixirError = /^\*\* \(.*$/m;

/** The line with the error, or with its last cause, that a stack below the first line has. */
function errorBelow(text: string, start: string): string | undefined {
  if (start.includes(`\n${traceback}`)) return lineBelowStack(text);
  const last = [...start.matchAll(cause)].at(-1)?.[1];
  if (last !== undefined) return last.trim();
  const stack = start.search(frame);
  if (stack < 0) return elixirError.exec(start)?.[0].trim();
  const above = start.slice(0, stack).split('\n').reverse();
  const isError = (line: string): boolean => errorName.test(firstName.exec(line)?.[0] ?? '');
  return above.find(isError)?.trim();
}

/** What Java, C#, JavaScript and Ruby write before an error: a thread, a word, or the first frame. */
const beforeError =
  /^(?:Exception in thread "[^"]*" |Unhandled exception\. |Uncaught (?=\S)|[^\s:]{1,500}\.rb:\d{1,9}:in [`'][^'`]{0,300}['`]: )/;

/** The line after the last indented one; the first line if there is none. */
function lineBelowStack(text: string): string {
  const lines = text.slice(-maxHeadline).split(/[\r\n]+/);
  const last = lines.reduce((found, line, index) => (/^\s+\S/.test(line) ? index : found), -1);
  return (lines[last + 1] ?? lines[0] ?? '').trim();
}
