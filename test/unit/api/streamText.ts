import { EventParser, type StreamItem } from '../../../src/api/logStream';
import { page } from './cannedAnswers';

export const encoder = new TextEncoder();

/** The result of a stream. */
export interface Outcome {
  readonly items: readonly StreamItem[];
  readonly failure: string | undefined;
}

/** Pushes the pieces one after the other. */
export function parse(...pieces: readonly (string | Uint8Array)[]): Outcome {
  const parser = new EventParser('key');
  const items: StreamItem[] = [];
  for (const piece of pieces) {
    items.push(...parser.push(typeof piece === 'string' ? encoder.encode(piece) : piece));
  }
  return { items, failure: parser.failure?.code };
}

/** An event with an empty page. */
export function records(followCursor: string, changes: object = {}): string {
  return `event: records\ndata: ${JSON.stringify({ ...page, followCursor, ...changes })}\n\n`;
}

/** A summary of a stream: cursors of pages, and other items. */
export function summary({ items, failure }: Outcome): string {
  const texts = items.map((item) =>
    item.kind === 'page'
      ? item.page.followCursor
      : item.kind === 'retry'
        ? `retry ${item.ms}`
        : item.kind,
  );
  return [...texts, ...(failure === undefined ? [] : [`! ${failure}`])].join(', ');
}
