import { cut } from '../../base/plainText';
import { stripSgr } from './terminalColors';
import { messageMember, readMembers } from './structuredBody';

/** How much of a message is used, in UTF-16 units. */
const maxRead = 1000;
/** The longest template, in UTF-16 units. */
const maxTemplate = 300;

/**
 * Variable parts of messages, their replacements, and a text that each contains: to look for that takes less
 * time than the pattern. The order matters, because addresses and times contain numbers. Each pattern takes
 * linear time, because messages are untrusted.
 */
const variable: readonly (readonly [pattern: RegExp, sign: string, has: string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<id>', '-'],
  [
    /\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?\b/g,
    '<time>',
    '-',
  ],
  [/\b\d\d:\d\d:\d\d(?:[.,]\d{1,9})?\b/g, '<time>', ':'],
  [/\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}(?::\d{1,5})?\b/g, '<address>', '.'],
  [/(?<![0-9a-z:])(?:[0-9a-f]{0,4}:){3,7}[0-9a-f]{1,4}(?![0-9a-z:])/gi, '<address>', ':'],
  [/(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}/g, '<email>', '@'],
  [/"(?:[^"\\]|\\.)*"/g, '<text>', '"'],
  [/`[^`]*`/g, '<text>', '`'],
  // Not an apostrophe within a word, such as that of "can't".
  [/(?<!\w)'[^']*'(?!\w)/g, '<text>', "'"],
  // Commits, traces and keys of 8 and more characters: hexadecimal digits, or letters with digits.
  [/\b0x[0-9a-f]+\b/gi, '<id>', '0'],
  [/\b(?=[a-z]{0,64}\d)(?=\d{0,64}[a-z])(?:[0-9a-f]{8,}|[0-9a-z]{16,})\b/gi, '<id>', ''],
  [/\d+(?:[.,]\d+)*/g, '<n>', ''],
];

/**
 * The template of a message: numbers, times, ids, addresses and quoted text become `<n>`, `<time>`, `<id>`,
 * `<address>`, `<email>` and `<text>`, so that records from the same line of code have the same template.
 * Uses the headline of a body; of a structured body its message, and of a JSON object without a message the names
 * of its members. The result is one line of at most 300 UTF-16 units and still untrusted.
 */
export function messageTemplate(body: string): string {
  let template = headline(spokenPart(stripSgr(body))).slice(0, maxRead);
  for (const [pattern, sign, has] of variable) {
    if (template.includes(has)) template = template.replace(pattern, sign);
  }
  return cut(template.replace(/\s+/g, ' ').trim(), maxTemplate - 1);
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

/**
 * The line of a message that says what happened: its first line, without what a runtime writes before an
 * error; of a Python traceback and of a Rust panic the line with the error. Untrusted.
 */
export function headline(text: string): string {
  const start = text.slice(0, 10 * maxRead);
  const lines = /\S[^\r\n]*/g;
  const next = (): string | undefined => lines.exec(start)?.[0].trim();
  const first = next() ?? '';
  // Python writes the error below its stack.
  if (first.startsWith('Traceback (most recent call last)')) return lineBelowStack(text);
  if (/^thread '[^']*' .{0,40}panicked at .*:$/.test(first)) return next() ?? first;
  return first.replace(beforeError, '') || first;
}

/** What Java, C#, JavaScript and Ruby write before an error: a thread, a word, or the first frame. */
const beforeError =
  /^(?:Exception in thread "[^"]*" |Unhandled exception\. |Uncaught (?=\S)|[^\s:]{1,500}\.rb:\d{1,9}:in [`'][^'`]{0,300}['`]: )/;

/** The line after the last indented one; the first line if there is none. */
function lineBelowStack(text: string): string {
  const lines = text.slice(-10 * maxRead).split(/[\r\n]+/);
  const last = lines.reduce((found, line, index) => (/^\s+\S/.test(line) ? index : found), -1);
  return (lines[last + 1] ?? lines[0] ?? '').trim();
}
