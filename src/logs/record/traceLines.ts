import { lazyRegExp } from '../../base/textFormat';
import { findFrames } from './stackFrames';
import { netAt } from './stackText';
import { stripSgr } from './terminalColors';

/** How a runtime writes a trace whose lines are told only by those before them. A newcomer is one more object. */
interface TraceForm {
  /** The first line, or its end. */
  readonly begins: RegExp;
  /** The lines below it. */
  readonly goesOn: RegExp;
  /** What is below a first line that ends with a colon is its message, whatever it says. */
  readonly hasMessageBelow?: true;
  /** The last line: what it is below those that go on. */
  readonly ends?: RegExp;
  /** What may be between the last line and the next trace, of the same error. */
  readonly joins?: RegExp;
}

const forms: readonly TraceForm[] = [
  // Python, also groups of exceptions.
  {
    begins: /(?:^|[\s|])Traceback \(most recent call last\):$/,
    goesOn: /^[\s+|]+\S/,
    ends: /^[A-Za-z_][\w.]{0,200}(?:$|: )/,
    joins:
      /^$|^(?:During handling of the above exception|The above exception was the direct cause)/,
  },
  // Go.
  {
    begins: /^(?:panic: |fatal error: |goroutine \d{1,9} \[)/,
    goesOn:
      /^$|^\t|^goroutine \d{1,9} \[|^created by \S|^\[signal |^\s{0,9}panic: |^runtime[.:]|^\.\.\.|^[\w./*()[\]{}%$-]{1,300}\(.{0,300}\)$|^(?:r\w{1,5}|[c-g]s) +0x/,
    ends: /^exit status \d{1,3}$/,
  },
  // Rust.
  {
    begins: /^thread '.{0,200}' (?:\(\d{1,9}\) )?panicked at /,
    goesOn: /^note: |^stack backtrace:$|^\s+\d{1,4}: |^\s+at /,
    hasMessageBelow: true,
  },
];

/** Where in a trace a line is. */
export interface TraceState {
  /** Undefined: among lines that are those of a trace wherever they are. */
  readonly form: TraceForm | undefined;
  readonly at: 'message' | 'frames' | 'end' | 'joint';
}

const inFrames: TraceState = { form: undefined, at: 'frames' };

/** Lines that are part of a trace wherever they are: frames and causes. */
const partOfTrace = lazyRegExp(
  String.raw`^\s+(?:at \S|\.\.\. \d{1,5} |from \S{1,1000}:\d|thrown in \S|---> |--- |${netAt} \S.{0,1000}\()` +
    String.raw`|^(?:Caused by: |Suppressed: |Wrapped by: | ---> |--- End of |Stack trace:$|\[stacktrace\]$|#\d{1,4} (?:\{main\}|\[internal function\]|\S.{0,1000}(?:\(\d{1,7}\)|:\d{1,7}\b)))`,
  '',
);
const wordOfTrace = /^(?:Caused by|Suppressed|Wrapped by|Stack trace|--- End|\[stacktrace)/;

/** A quick look: nearly every line begins with something else. */
function mayBePart(line: string): boolean {
  switch (line.charCodeAt(0)) {
    // White space, escape and #.
    case 0x20:
    case 0x09:
    case 0x0a:
    case 0x0d:
    case 0x1b:
    case 0x23:
      return true;
    // -, C, S, W and [.
    case 0x2d:
    case 0x43:
    case 0x53:
    case 0x57:
    case 0x5b:
      return wordOfTrace.test(line);
    default:
      return false;
  }
}

/** Longer lines are no part of a trace, in UTF-16 units. */
const longestLine = 4000;

function isPartOfTrace(line: string): boolean {
  if (!mayBePart(line)) return false;
  return partOfTrace().test(line) || (/^\s/.test(line) && findFrames(line, 1).length > 0);
}

/** The state after a line that continues what is before it; undefined if it does not. */
function stateAfter(state: TraceState | undefined, line: string): TraceState | undefined {
  const form = state?.form;
  if (state === undefined || form === undefined) return isPartOfTrace(line) ? inFrames : undefined;
  if (state.at === 'message') return { form, at: 'frames' };
  if (state.at === 'frames') {
    if (form.goesOn.test(line)) return state;
    if (form.ends?.test(line) === true) return { form, at: 'end' };
  } else {
    if (form.joins?.test(line) === true) return { form, at: 'joint' };
    if (state.at === 'joint' && form.begins.test(line)) return { form, at: 'frames' };
  }
  return isPartOfTrace(line) ? state : undefined;
}

function stateAtBegin(line: string): TraceState | undefined {
  const form = forms.find(({ begins }) => begins.test(line));
  if (form === undefined) return isPartOfTrace(line) ? inFrames : undefined;
  return { form, at: form.hasMessageBelow === true && line.endsWith(':') ? 'message' : 'frames' };
}

/** Begins of bodies that a stack follows, in most languages. */
const error =
  /^(?:Exception in thread |Uncaught |Unhandled |PHP \w{1,20} error: |(?:[\w$]{1,100}[.:\\]{1,2}){0,20}[\w$]{0,100}(?:Error|Exception|Throwable)\b)/;

/** A quick look whether a body may continue a trace that does not tell what continues it. */
export function mayContinueTrace(body: string): boolean {
  return mayBePart(body);
}

/** A quick look whether a body may begin a trace that tells what continues it. */
export function mayBeginTrace(body: string): boolean {
  const first = body.charCodeAt(0);
  if (first === 0x1b || body.includes('\n')) return true;
  // p, f, g and t.
  if (first === 0x70 || first === 0x66 || first === 0x67 || first === 0x74) {
    if (/^(?:panic: |fatal error: |goroutine |thread ')/.test(body)) return true;
  }
  const end = body.charCodeAt(body.length - 1);
  const hasColon = end === 0x3a || end === 0x0d;
  return hasColon && body.includes('(most recent call last):', Math.max(0, body.length - 25));
}

/** Whether a body is of a kind that a stack trace follows, although it is none. */
export function announcesTrace(body: string): boolean {
  return mayNameError(body) && error.test(body.slice(0, longestAnnouncement));
}

/** The beginning of a body that is read for an error, in UTF-16 units. */
const longestAnnouncement = 300;

/** A quick look at the first word: nearly every one is no name of an error, nor one that precedes it. */
function mayNameError(body: string): boolean {
  const first = body.charCodeAt(0);
  // E, P and U.
  if (first === 0x45 || first === 0x50 || first === 0x55) return true;
  let end = 0;
  while (end < longestAnnouncement && isOfName(body.charCodeAt(end))) end++;
  while (end > 0 && body.charCodeAt(end - 1) === 0x3a) end--;
  const last = body.charCodeAt(end - 1);
  const before = body.charCodeAt(end - 2);
  // -or, -on and -le.
  if (last === 0x72 || last === 0x6e) return before === 0x6f;
  return last === 0x65 && before === 0x6c;
}

/** Letters, digits, _, $, and what is between the names of a path: a dot, a colon, a backslash. */
function isOfName(unit: number): boolean {
  if (unit >= 0x61) return unit <= 0x7a;
  if (unit >= 0x41) return unit <= 0x5a || unit === 0x5f || unit === 0x5c;
  return (unit >= 0x30 && unit <= 0x3a) || unit === 0x2e || unit === 0x24;
}

/** What the end of a body is in a trace; undefined if it is no part of one. Reads as much of it as that takes. */
export function traceStateOf(body: string): TraceState | undefined {
  let state: TraceState | undefined;
  for (const line of linesOf(body)) state = stateAfter(state, line) ?? stateAtBegin(line);
  return state;
}

/**
 * What the end of a body is in the trace that it continues; undefined if it continues none.
 *
 * @param state that of what is before it; undefined if that is no trace.
 */
export function continuedTrace(
  state: TraceState | undefined,
  body: string,
): TraceState | undefined {
  if (state?.form === undefined && !mayContinueTrace(body)) return undefined;
  let now = state;
  let isFirst = true;
  for (const line of linesOf(body)) {
    const next = stateAfter(now, line);
    if (next === undefined && isFirst) return undefined;
    now = next ?? stateAtBegin(line);
    isFirst = false;
  }
  return now ?? inFrames;
}

/** The lines of a body as they are shown; of a long one, only its last ones. */
function linesOf(body: string): readonly string[] {
  const text = body.length > mostText ? body.slice(-mostText) : body;
  return (text.includes('\x1b') ? stripSgr(text) : text)
    .replace(/\r?\n$/, '')
    .split('\n')
    .map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line).slice(0, longestLine));
}

const mostText = 65_536;
