import { bodyNames } from './bodyNames';
import { messageMember, readStructure } from './structuredBody';
import { stripSgr } from './terminalColors';
import { isHeading } from './traceForms';

/**
 * What a body says in one line: the headline of its message, of a structured body the message template if it has
 * one, and of a JSON object without a message the names of its members. Without colours; untrusted.
 */
export function spokenLine(body: string): string {
  return headline(spokenPart(stripSgr(body)));
}

/** The message of a structured body, a message template if it has one; the whole of any other body. */
function spokenPart(body: string): string {
  const structure = readStructure(body);
  if (structure === undefined) return body;
  const { prefix, members, byName } = structure;
  const template = members.find(({ key }) => bodyNames.template.has(key))?.value;
  const spoken = typeof template === 'string' ? template : messageMember({ byName })?.value;
  if (spoken !== undefined) return prefix === '' ? spoken : `${prefix.trimEnd()} ${spoken}`;
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
  return saidIn(text.includes('\n') ? withoutHeading(text) : text);
}

/** The text below a line that only says where, or that, something happened. */
function withoutHeading(text: string): string {
  const first = /\S[^\r\n]*/.exec(text.slice(0, maxHeadline));
  if (first === null || !isHeading(first[0].trim())) return text;
  const below = text.slice(first.index + first[0].length).replace(codeAbove, '');
  return below.trim() === '' ? text : below;
}

function saidIn(text: string): string {
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

/** The line of code that Node.js writes above an error, and where in it. */
const codeAbove = /^\s{0,9}[^\n]{0,1000}\n\s{0,1000}\^{1,1000}\s{0,9}\n/;

/** The end of the name of an error. */
export const errorName = /(?:Error|Exception|Failure|Fault)$/;

const traceback = 'Traceback (most recent call last)';
/** A quick look whether there may be a cause: most stacks have none, and the next pattern tries every line. */
const mayHaveCause = /Caused by: |\[cause\]: |---> /;
/** The cause of an error in Java, JavaScript and C#. */
const cause = /^[ \t]{0,40}(?:Caused by: |\[cause\]: |---> )(\S.*)$/gm;
/** A frame of Java, JavaScript and C#, the beginning of the error above it, and an error of Elixir. */
const frame = /\n[ \t]{1,40}at /;
const firstName = /^[\w.$]{1,300}/;
const elixirError = /^\*\* \(.*$/m;

/** The line with the error, or with its last cause, that a stack below the first line has. */
function errorBelow(text: string, start: string): string | undefined {
  if (start.includes(`\n${traceback}`)) return lineBelowStack(text);
  const last = mayHaveCause.test(start) ? [...start.matchAll(cause)].at(-1)?.[1] : undefined;
  if (last !== undefined) return last.trim();
  const stack = start.search(frame);
  if (stack < 0) return elixirError.exec(start)?.[0].trim();
  const above = start
    .slice(0, stack)
    .split('\n')
    .map((line) => line.trim())
    .reverse();
  const isError = (line: string): boolean => errorName.test(firstName.exec(line)?.[0] ?? '');
  return above.find(isError);
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
