import { isObject, type JsonObject } from '../../base/json';
import { lazyRegExp } from '../../base/textFormat';
import { bodyNames } from './bodyNames';

/** More lines of a stack are not shown. */
const mostLines = 500;
/** Causes of causes are read to this depth. */
const deepestCause = 8;
/** Objects that an error may be in. */
const deepestError = 4;

/** Line breaks that were written as `\n`, where a stack begins. Within JSON in JSON, a backslash precedes others. */
const escapedBreak =
  /(?<!\\)(?:\\r)?\\n(?=(?:\\t|\s){0,20}(?:at |#\d{1,4} |\[stacktrace\]|Stack trace:|File |Traceback|Caused by: |goroutine |from ))/;
/** "At" in the languages of .NET. */
export const netAt = '(?:at|bei|à|en|in|в|w|v|em|場所|在|於|위치:|konum:)';
/** Frames of .NET, Java and JavaScript, and of PHP, that follow each other on one line. */
const joinedFrames = lazyRegExp(
  String.raw`(?<=\S)(?:[ \t]{3,40}|\t)(?=${netAt} \S)|(?<=\S) (?=#\d{1,4} (?:\/|[A-Za-z]:\\|\{main\}|\[internal ))`,
  'g',
);
const mayBeJoined = lazyRegExp(String.raw`(?: {3}|\t)${netAt} \S| #0 `, '');

/** A quick look: nearly every text has none of these. */
const mayBeFolded = /\\n|\t| {3}| #0 /;

/** A text whose stack is on one line, with a line for each frame; any other text is returned as it is. */
export function unfolded(text: string): string {
  if (!mayBeFolded.test(text) || text.includes('\n')) return text;
  if (text.includes('\\n') && escapedBreak.test(text)) {
    return text.replace(/(?<!\\)(?:\\r)?\\n/g, '\n').replace(/\n(?:\\t)+/g, '\n\t');
  }
  return mayBeJoined().test(text) ? text.replace(joinedFrames(), '\n   ') : text;
}

/** The stack traces in a structured body, each once. */
export function stacksIn(body: object): readonly string[] {
  const stacks = new Set<string>();
  function visit(object: object, depth: number): void {
    for (const [key, value] of Object.entries(object) as [string, unknown][]) {
      const name = key.toLowerCase();
      if (isObject(value)) {
        const stack = bodyNames.error.has(name) ? errorText(value, 1) : undefined;
        if (stack !== undefined) stacks.add(stack);
        else if (depth < deepestError) visit(value, depth + 1);
      } else if (isStackName(name)) {
        const stack = stackOf(value);
        if (stack !== undefined) stacks.add(stack);
      }
    }
  }
  visit(body, 1);
  return [...stacks];
}

/** Whether the last part of a path names a stack. In lower case. */
export function isStackName(path: string): boolean {
  return bodyNames.stack.has(path.slice(path.lastIndexOf('.') + 1));
}

/** The stack trace that a value is; undefined if it is none. */
export function stackOf(value: unknown): string | undefined {
  if (typeof value === 'string') {
    const text = unfolded(value);
    return text.includes('\n') || /^\s*at |^Traceback /.test(text) ? text.trimEnd() : undefined;
  }
  if (!Array.isArray(value)) return undefined;
  const lines = (value as unknown[]).slice(0, mostLines).flatMap(linesOf);
  return lines.length === 0 ? undefined : lines.slice(0, mostLines).join('\n');
}

/** The lines of a frame, or of one of several exceptions. */
function linesOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (!isObject(value)) return [];
  const { exc_type: type, frames } = value;
  if (type === undefined || !Array.isArray(frames)) return frameLine(value);
  // As structlog writes the exceptions of Python.
  const lines = (frames as unknown[])
    .slice(0, mostLines)
    .flatMap((one) => (typeof one === 'string' ? [one] : isObject(one) ? frameLine(one) : []));
  return ['Traceback (most recent call last):', ...lines, titleOf(value)];
}

/** An error with its stack and its causes; undefined if it has no stack. */
function errorText(error: JsonObject, depth: number): string | undefined {
  const title = titleOf(error);
  const own = [...membersNamed(error, bodyNames.stack)]
    .map(stackOf)
    .find((one) => one !== undefined);
  const thrown = own === undefined ? [] : thrownAt(error);
  const cause =
    depth >= deepestCause
      ? undefined
      : [...membersNamed(error, bodyNames.cause)]
          .map((one) => (isObject(one) ? errorText(innerError(one), depth + 1) : undefined))
          .find((one) => one !== undefined);
  if (own === undefined && cause === undefined) return undefined;
  const message = textOf(error, bodyNames.errorMessage);
  const isSaid = own?.includes(message === '' ? title : message) === true;
  return [
    ...(isSaid || title === '' ? [] : [title]),
    ...thrown,
    ...(own === undefined ? [] : [own]),
    ...(cause === undefined ? [] : [`Caused by: ${cause}`]),
  ].join('\n');
}

/** `causedBy: { exception: … }`. */
function innerError(value: JsonObject): JsonObject {
  const { exception } = value;
  return isObject(exception) ? exception : value;
}

function titleOf(error: JsonObject): string {
  const parts = [textOf(error, bodyNames.errorType), textOf(error, bodyNames.errorMessage)];
  return parts.filter((part) => part !== '').join(': ');
}

/** Where PHP has the place of an error, which is not in its trace. */
function thrownAt(error: JsonObject): readonly string[] {
  const { file, line } = error;
  if (typeof file !== 'string') return [];
  const place = typeof line === 'number' ? `${file}:${line}` : file;
  return /:\d+$/.test(place) ? [`    at ${place}`] : [];
}

/** One frame as its language writes it. */
function frameLine(frame: JsonObject): readonly string[] {
  const line = textOf(frame, bodyNames.frameLine);
  if (line === '') return [];
  const owner = textOf(frame, bodyNames.frameClass);
  const name = textOf(frame, bodyNames.frameFunction);
  const file = textOf(frame, bodyNames.frameFile) || fileOfClass(owner);
  const column = textOf(frame, bodyNames.frameColumn);
  if (file.endsWith('.py')) return [`  File "${file}", line ${line}, in ${name}`];
  const called = [owner, name].filter((part) => part !== '').join('.');
  const place = `${file}:${line}${column === '' ? '' : `:${column}`}`;
  if (called === '') return [`    at ${place}`];
  // Java writes no space, and the class says where its file is.
  return [`    at ${called}${javaFile.test(file) ? '' : ' '}(${place})`];
}

const javaFile = /^[^/\\]+\.(?:java|kt|scala|groovy)$/;

const outerClass = lazyRegExp(String.raw`([\p{L}_][\p{L}\p{N}_]*)(?:\$.*)?$`, 'u');

/** Java's runtime leaves the file out where it is that of the class. */
function fileOfClass(owner: string): string {
  const name = outerClass().exec(owner)?.[1];
  return name === undefined ? '' : `${name}.java`;
}

/** The longest text of a part of a frame, in UTF-16 units. */
const longestPart = 500;

function textOf(object: JsonObject, names: ReadonlySet<string>): string {
  for (const value of membersNamed(object, names)) {
    if (typeof value === 'number') return String(value);
    if (typeof value === 'string' && value !== '') {
      return value.slice(0, longestPart).replace(/\s+/g, ' ').trim();
    }
  }
  return '';
}

/** The members with one of these names, in the order of the names. */
function* membersNamed(object: JsonObject, names: ReadonlySet<string>): Generator {
  const byName = new Map(Object.entries(object).map(([key, value]) => [key.toLowerCase(), value]));
  for (const name of names) if (byName.has(name)) yield byName.get(name);
}
