import type { LogRecord } from '../../api/types';
import { findFrames, type SourcePosition } from '../record/frames';
import { readableBody } from '../record/readableBody';

/** A position in a stack trace. */
export type ErrorFrame = Pick<SourcePosition, 'path' | 'line' | 'column' | 'kind'>;

/** How much of a stack is read: UTF-16 units, lines, and frames of all lines and of one. */
const longestStack = 32_768;
const mostLines = 200;
const mostFrames = 60;
const mostOnLine = 3;
/** How much text is remembered with its frames, in UTF-16 units. */
const mostRemembered = 1_000_000;

/** Attributes with a stack, as OpenTelemetry and others name them. */
const stackAttributes = ['exception.stacktrace', 'error.stack', 'error.stack_trace', 'stack'];

/**
 * Reads the positions in the stack traces of records, innermost first: of the body, which may be
 * structured, otherwise of the attributes. Errors repeat few stacks, so the frames of their lines after the
 * message are remembered: to find them takes longer than everything else.
 */
export function createFrameReader(): (record: LogRecord) => readonly ErrorFrame[] {
  const remembered = new Map<string, readonly ErrorFrame[]>();
  let size = 0;

  function framesBelow(lines: string): readonly ErrorFrame[] {
    let frames = remembered.get(lines);
    if (frames === undefined) {
      frames = framesIn(lines);
      if (size > mostRemembered) {
        remembered.clear();
        size = 0;
      }
      remembered.set(lines, frames);
      size += lines.length;
    }
    return frames;
  }

  function framesOf(text: string): readonly ErrorFrame[] {
    const stack = text.slice(0, longestStack);
    const end = stack.indexOf('\n');
    if (end < 0) return framesIn(stack);
    const inMessage = framesIn(stack.slice(0, end));
    const below = framesBelow(stack.slice(end));
    const frames = inMessage.length === 0 ? below : [...inMessage, ...below];
    // Python writes the most recent call last.
    const isPython = frames.some(({ kind }) => kind === 'python') && /^Traceback /m.test(stack);
    return isPython ? [...frames].reverse() : frames;
  }

  return (record) => {
    const { body, attributes } = record;
    const readable = readableBody(body, record);
    const frames = framesOf(readable?.stack ?? readable?.segments[0]?.text ?? body);
    if (frames.length > 0) return frames;
    for (const name of stackAttributes) {
      const inAttribute = framesOf(attributes[name] ?? '');
      if (inAttribute.length > 0) return inAttribute;
    }
    return frames;
  };
}

function framesIn(text: string): readonly ErrorFrame[] {
  const frames: ErrorFrame[] = [];
  for (const line of text.split('\n', mostLines)) {
    if (frames.length >= mostFrames) break;
    frames.push(...findFrames(line, mostOnLine));
  }
  return frames;
}
