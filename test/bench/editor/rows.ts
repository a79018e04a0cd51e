import type { LogRecord } from '../../../src/api/types';
import type { Figure } from '../figures';
import { activation } from './activation';
import { explorerFirstPage, explorerLoaded, following } from './explorer';
import type { EditorRowName, Report } from './extension/extension';
import type { Measuring } from './inEditor';
import { burst, idle, latency, throughput } from './logs';
import { typing } from './typing';

/** What a row can use: its records and rounds, and a fresh window each time that it measures. */
interface Bench {
  readonly records: readonly LogRecord[];
  readonly rounds: number;
  readonly measure: <Name extends EditorRowName>(
    row: Name,
    how: Measuring,
  ) => Promise<Report<Name>>;
}

export type EditorRow = (bench: Bench) => Promise<Figure[]>;

/** What is measured in a real VS Code. */
export const editorRows: Readonly<
  Record<EditorRowName, { readonly title: string; readonly measure: EditorRow }>
> = {
  throughput: { title: 'A real VS Code: many records', measure: throughput },
  latency: { title: 'A real VS Code: one record', measure: latency },
  activation: { title: 'A real VS Code: the start', measure: activation },
  burst: { title: 'A real VS Code: 100,000 records a second for 10 s', measure: burst },
  idle: { title: 'A real VS Code: nothing happens', measure: idle },
  following: { title: 'The Log Explorer: following', measure: following },
  typing: { title: 'A real VS Code: typing in a file with errors', measure: typing },
  explorerFirstPage: { title: 'The Log Explorer: a search', measure: explorerFirstPage },
  explorerLoaded: { title: 'The Log Explorer: 100,000 records', measure: explorerLoaded },
};
