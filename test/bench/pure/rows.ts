import type { LogRecord } from '../../../src/api/types';
import type { Figure } from '../figures';
import { bodies } from './bodies';
import { marks, statements, suspects } from './code';
import { comparison, errors, patterns } from './groups';
import { query } from './query';
import { recovery } from './recovery';
import { events, heap, lines } from './streams';
import { trees } from './trees';

interface PureRow {
  readonly title: string;
  readonly measure: (records: readonly LogRecord[], rounds: number) => Promise<Figure[]>;
}

/** What is measured without an editor, each in a process of its own. */
export const pureRows = {
  lines: { title: 'Bytes of a stream to formatted lines', measure: lines },
  events: { title: 'The stream stage alone', measure: events },
  bodies: { title: 'Plain records', measure: bodies },
  heap: { title: 'Memory', measure: heap },
  trees: { title: 'Trees of a large workspace', measure: trees },
  recovery: { title: 'Recovery', measure: recovery },
  query: { title: 'A query', measure: query },
  patterns: { title: 'Patterns of records', measure: patterns },
  comparison: { title: 'A comparison of logs', measure: comparison },
  errors: { title: 'Errors by kind', measure: errors },
  marks: { title: 'Errors on lines of code', measure: marks },
  statements: { title: 'Logging calls of a workspace', measure: statements },
  suspects: { title: 'The commit behind an error', measure: suspects },
} satisfies Readonly<Record<string, PureRow>>;

export type PureRowName = keyof typeof pureRows;
