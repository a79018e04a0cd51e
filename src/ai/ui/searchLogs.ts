import * as vscode from 'vscode';
import { searchLogs } from '../../api/generated/toolInputs';
import { createFormatter } from '../../logs/record/format';
import { tools } from '../../vscode/contributions';
import type { Validated } from '../answer';
import { clipped } from '../fence';
import { findLogs } from './logQuery';
import type { Tool, ToolServices } from './tool';

/** Of one body, in UTF-16 units: a stack trace has place, a dump has not. */
const maxBody = 2000;
const defaultLimit = 50;

/** Records that match a query, as lines. */
export function searchLogsTool({ names }: ToolServices): Tool<Validated<typeof searchLogs>> {
  const format = createFormatter({ timeZone: 'utc', showAttributes: true });
  return {
    name: tools.searchLogs,
    accepts: searchLogs,
    permission: 'logs.read',
    doing: vscode.l10n.t('Searching the logs'),
    async run({ query, limit = defaultLimit }, call) {
      const { records, words } = await findLogs(query, limit, names, call);
      return {
        words: [...words, 'Oldest first, times in UTC.'],
        data: {
          entries: records.map((record) =>
            format({ ...record, body: clipped(record.body, maxBody) }),
          ),
          keep: 'last',
          noun: 'record',
        },
      };
    },
  };
}
