import type { LogRecord } from '../../api/types';
import { findFrames, type SourcePosition } from '../record/frames';
import { readableBody } from '../record/readableBody';

/** A position in a stack trace. */
export type ErrorFrame = Pick<SourcePosition, 'path' | 'line' | 'column'>;

/** How much of a stack is read: UTF-16 units, lines, and frames of all lines and of one. */
const longestStack = 32_768;
const mostLines = 200;
const mostFrames = 60;
const mostOnLine = 3;

/** Attributes with a stack, as OpenTelemetry and others name them. */
const stackAttributes = ['exception.stacktrace', 'error.stack', 'error.stack_trace', 'stack'];

/**
 * The positions in the stack traces of a record, innermost first: of its body, which may be structured,
 * otherwise of its attributes.
 */
export function framesOf(record: LogRecord): readonly ErrorFrame[] {
  const { body, attributes } = record;
  const readable = readableBody(body, record);
  const inBody = framesIn(readable?.stack ?? readable?.segments[0]?.text ?? body);
  if (inBody.length > 0) return inBody;
  for (const name of stackAttributes) {
    const frames = framesIn(attributes[name] ?? '');
    if (frames.length > 0) return frames;
  }
  return [];
}

function framesIn(stack: string): readonly ErrorFrame[] {
  const frames: SourcePosition[] = [];
  for (const line of stack.slice(0, longestStack).split('\n', mostLines)) {
    if (frames.length >= mostFrames) break;
    frames.push(...findFrames(line, mostOnLine));
  }
  // Python writes the most recent call last.
  const isPython = frames.some(({ kind }) => kind === 'python') && /^Traceback /m.test(stack);
  return isPython ? frames.reverse() : frames;
}
