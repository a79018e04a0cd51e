import * as vscode from 'vscode';
import { summariseLogs } from '../../api/generated/toolInputs';
import { type LogSummary, summarise } from '../../logs/explorer/summary';
import { pause } from '../../vscode/clock';
import { tools } from '../../vscode/contributions';
import { count, type Validated } from '../answer';
import { clipped } from '../fence';
import { findLogs } from './logQuery';
import type { Tool, ToolServices } from './tool';

/** As package.json tells models. */
const maxRecords = 2000;
const maxShapes = 30;
const maxWorkloads = 30;
/** Of the body of an example, in UTF-16 units. */
const maxExample = 500;

/** How many records there are of each kind. */
export function summariseLogsTool({ names }: ToolServices): Tool<Validated<typeof summariseLogs>> {
  return {
    name: tools.summariseLogs,
    accepts: summariseLogs,
    permission: 'logs.read',
    doing: vscode.l10n.t('Summarising the logs'),
    async run({ query }, call) {
      const { records, words } = await findLogs(query, maxRecords, names, call);
      const summary = await summarise(records, pause);
      return {
        words: [...words, ...cuts(summary)],
        data: { entries: lines(summary), keep: 'first', noun: 'line' },
      };
    },
  };
}

function cuts({ workloads, shapes }: LogSummary): string[] {
  const most = (all: readonly unknown[], limit: number, noun: string): string[] =>
    all.length <= limit
      ? []
      : [`Of ${count(all.length, noun)} the ${limit} with most records are here.`];
  return [
    ...most(workloads, maxWorkloads, 'workload'),
    ...most(shapes, maxShapes, 'message shape'),
  ];
}

function lines({ severities, workloads, shapes }: LogSummary): string[] {
  const counts = (pairs: readonly (readonly [string, number])[]): string =>
    pairs.map(([name, number]) => `${JSON.stringify(clipped(name, 100))}: ${number}`).join(', ');
  if (shapes.length === 0) return [];
  return [
    `by severity: ${counts(severities)}`,
    `by workload: ${counts(workloads.slice(0, maxWorkloads))}`,
    ...shapes.slice(0, maxShapes).map(({ shape, count, severity, workloads, example }) =>
      JSON.stringify({
        count,
        severity,
        shape,
        workloads: workloads.slice(0, 5).map((name) => clipped(name, 100)),
        ...(workloads.length > 5 ? { furtherWorkloads: workloads.length - 5 } : {}),
        example: {
          time: example.timestamp,
          traceId: example.traceId ?? undefined,
          body: clipped(example.body, maxExample),
        },
      }),
    ),
  ];
}
