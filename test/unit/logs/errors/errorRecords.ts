import type { ErrorFrame } from '../../../../src/logs/errors/errorPlaces';
import type { CodePosition } from '../../../../src/trees/nodes';
import type { LogRecord } from '../../../../src/api/types';
import { keyOfKind } from '../../../../src/logs/errors/errorKind';
import { Patterns } from '../../../../src/logs/record/patterns';
import { sampleRecord } from '../sampleRecord';

/** The first minute of the errors, in milliseconds since 1970. */
export const start = Date.UTC(2026, 10, 20, 12);

/** A stack as Node.js writes it, with a frame for each `path:line`. */
export function stackOf(message: string, ...positions: readonly string[]): string {
  return [message, ...positions.map((position) => `    at run (/app/${position}:7)`)].join('\n');
}

/** An error with its id, at a number of seconds after the start. */
export function errorAt(
  seconds: number,
  body: string,
  changes: Partial<LogRecord> = {},
): LogRecord {
  return sampleRecord({
    eventId: `error ${seconds} ${body}`,
    timestamp: new Date(start + seconds * 1000).toISOString(),
    severity: 'error',
    body,
    ...changes,
  });
}

/** The key of the kind of errors that say these, which are alike. */
export function keyOfErrors(bodies: readonly string[], file?: string): string {
  const patterns = new Patterns();
  const [pattern] = bodies.map((body) => patterns.add(body));
  return keyOfKind(pattern?.key ?? '', file);
}

/** Finds the files of a workspace that has these paths. */
export function filesAt(
  ...paths: readonly string[]
): (frame: ErrorFrame) => Promise<CodePosition | undefined> {
  return ({ path, line, column }) => {
    const found = paths.find((one) => path.endsWith(`/${one}`));
    const place = { file: `file:///shop/${found}`, line, column };
    return Promise.resolve(found === undefined ? undefined : place);
  };
}
