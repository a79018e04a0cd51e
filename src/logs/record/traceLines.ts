import { lazyRegExp } from '../../base/textFormat';
import { findFrames } from './stackFrames';
import { netAt } from './stackText';
import { stripSgr } from './terminalColors';
import { announcement, formOf, mayBeFirst, type TraceForm } from './traceForms';

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
    String.raw`|^\s*(?:Caused by: |Suppressed: |Wrapped by: )` +
    String.raw`|^(?: ---> |--- End of |Stack trace:$|\[stacktrace\]$|"\}|#\d{1,4} +(?:\{main\}|\[internal function\]|\S.{0,1000}(?:\(\d{1,7}\)|:\d{1,7}\b)))`,
  '',
);
const wordOfTrace = /^(?:Caused by|Suppressed|Wrapped by|Stack trace|--- End|\[stacktrace|"\})/;

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
    // ", -, C, S, W and [.
    case 0x22:
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
  if (state === undefined || form === undefined || form.isOnlyAbove === true) {
    if (isPartOfTrace(line)) return stateAtBegin(line);
    return form?.goesOn.test(line) === true ? innerState(line, form) : undefined;
  }
  if (state.at === 'message') return { form, at: 'frames' };
  if (state.at === 'frames') {
    if (form.ends?.test(line) === true) return { form, at: 'end' };
    if (form.goesOn.test(line)) return state;
  } else {
    if (form.joins?.test(line) === true) return { form, at: 'joint' };
    if (state.at === 'joint' && form.begins.test(line)) return { form, at: 'frames' };
  }
  return isPartOfTrace(line) ? state : undefined;
}

/** The state after a line that goes on, which may be the first of another form. */
function innerState(line: string, outer: TraceForm): TraceState {
  const inner = formOf(line);
  return inner === undefined ? { form: outer, at: 'frames' } : stateIn(inner, line);
}

function stateAtBegin(line: string): TraceState | undefined {
  const form = formOf(line);
  if (form === undefined) return isPartOfTrace(line) ? inFrames : undefined;
  return stateIn(form, line);
}

function stateIn(form: TraceForm, line: string): TraceState {
  return { form, at: form.hasMessageBelow?.test(line) === true ? 'message' : 'frames' };
}

/** A quick look whether a body may continue a trace that does not tell what continues it. */
export function mayContinueTrace(body: string): boolean {
  return mayBePart(body);
}

/** A quick look whether a body may begin a trace that tells what continues it. */
export function mayBeginTrace(body: string): boolean {
  if (body.charCodeAt(0) === 0x1b || body.includes('\n')) return true;
  return mayBeFirst(body) && linesOf(body).some((line) => formOf(line) !== undefined);
}

/** Whether a body is of a kind that a stack trace follows, although it is none. */
export function announcesTrace(body: string): boolean {
  return mayNameError(body) && announcement().test(body.slice(0, longestAnnouncement));
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
