import * as vscode from 'vscode';
import { fetchNewest } from '../../api/fetchPages';
import { operations } from '../../api/generated/operations';
import { listErrors } from '../../api/generated/toolInputs';
import { logWindow } from '../../api/utcTime';
import type { ConnectionData } from '../../data/ui/connectionData';
import type { ErrorKind } from '../../logs/errors/errorKind';
import { errorRanges } from '../../logs/errors/errorScope';
import { createWorkspaceGroups } from '../../logs/errors/ui/workspaceErrors';
import { queryFilters } from '../../logs/query/fields';
import { bodyText } from '../../logs/record/readableBody';
import type { SourceFiles } from '../../logs/record/ui/sourceFiles';
import { tools } from '../../vscode/contributions';
import { count, Excerpt, cleanData } from '../answer';
import { longestExample, longestTemplate } from '../outlines';
import type { Validated } from '../toolProblems';
import type { Tool } from './tool';

/** As described in package.json: pages of 500 records. */
const mostPages = 4;
const mostKinds = 50;
/** Limits of a kind: its lines and workloads. */
const mostLines = 3;
const mostWorkloads = 5;

/** Lists kinds of errors with their lines in the workspace. */
export function listErrorsTool(
  { store }: ConnectionData,
  files: SourceFiles,
): Tool<Validated<typeof listErrors>> {
  return {
    name: tools.listErrors,
    accepts: listErrors,
    permission: operations.queryLogs.permission,
    doing: vscode.l10n.t('Listing errors'),
    async run({ range = '24h', workloadId }, { client, signal, secrets }) {
      const now = client.serverNow();
      const length = range in errorRanges ? errorRanges[range as keyof typeof errorRanges] : 0;
      const filter = {
        severities: ['error' as const, 'fatal' as const],
        ...(workloadId === undefined ? {} : { workloadIds: [workloadId] }),
      };
      const { from, to } = logWindow(now - length, now);
      const found = await fetchNewest({
        client,
        filters: queryFilters(filter, from, to),
        maxPages: mostPages,
        signal,
        priority: 'person',
      });
      const groups = createWorkspaceGroups(files);
      // Before they are read: what they are grouped by is cut, too.
      await groups.add(cleanData(found.records, secrets));
      const isAll = found.end === 'end';
      const since = isAll ? now - length : Date.parse(found.records[0]?.timestamp ?? '');
      groups.compare(
        { since, now },
        (id) => store.read('deployments', id).value?.deployments ?? [],
      );
      const kinds = [...groups.kinds].sort((a, b) => b.count - a.count);
      return {
        words: [
          `Range: ${from} to ${to}. ${count(kinds.length, 'kind')} in ${isAll ? 'all' : 'the newest'} ${count(groups.size, 'error')}.`,
          ...(kinds.length > mostKinds ? [`Only the ${mostKinds} most frequent are listed.`] : []),
          ...(found.partial ? ['The control plane returned only part of the errors.'] : []),
          'One kind per line as JSON, the most frequent first. Lines are those of the deployed commit.',
        ],
        data: {
          entries: kinds.slice(0, mostKinds).map(outlineOf),
          keep: 'first',
          noun: 'kind',
        },
      };
    },
  };
}

/** The lines of the workspace that an error comes from, such as `src/server.ts:12`: at most `most`. */
export function linesOf({ spots }: ErrorKind, most: number): readonly string[] {
  const lines = spots.map(
    ({ file, line }) => `${vscode.workspace.asRelativePath(vscode.Uri.parse(file))}:${line}`,
  );
  return [...new Set(lines)].slice(0, most);
}

function outlineOf(kind: ErrorKind): object {
  const { template, severity, change, workloads, deployments, first, last } = kind;
  return {
    count: kind.count,
    severity,
    message: new Excerpt(template, longestTemplate),
    change,
    lines: linesOf(kind, mostLines),
    workloads: workloads
      .slice(0, mostWorkloads)
      .map(({ id, name, count: errors }) => ({ id, name: new Excerpt(name, 100), errors })),
    lastDeploymentId: deployments[0]?.id,
    firstSeen: first.timestamp,
    lastSeen: last.timestamp,
    traceId: last.traceId ?? undefined,
    example: new Excerpt(bodyText(last, 'readable'), longestExample),
  };
}
