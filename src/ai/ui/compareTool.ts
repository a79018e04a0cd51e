import * as vscode from 'vscode';
import type { ControlPlaneClient } from '../../api/client';
import { compareLogs } from '../../api/generated/toolInputs';
import type { Names } from '../../data/knownNames';
import {
  canShift,
  type ComparedSearch,
  fixedSearch,
  otherTimes,
  rangeBefore,
  rangesOfOther,
} from '../../logs/explorer/comparedSides';
import { Comparison } from '../../logs/explorer/comparison';
import { localZone } from '../../base/timeZone';
import { pauseEvery } from '../../vscode/clock';
import { tools } from '../../vscode/contributions';
import { cleanData } from '../answer';
import { comparisonEntries, comparisonWords } from '../comparisonEntries';
import type { Validated } from '../toolInput';
import { invalid, readToolQuery } from './logTools';
import type { Tool, ToolCall } from './tool';

/** How long the host may do nothing else, in milliseconds. */
const longestTask = 8;

/** Compares the records of two queries by pattern. */
export function compareLogsTool(names: Names): Tool<Validated<typeof compareLogs>> {
  return {
    name: tools.compareLogs,
    accepts: compareLogs,
    permission: 'logs.read',
    doing: vscode.l10n.t('Comparing the logs'),
    async run({ query, otherQuery, otherTime = 'periodBefore' }, call) {
      // One for both: the same query has the same range.
      const when = { now: call.client.serverNow(), timeZone: localZone };
      const read = async (text: string): Promise<ComparedSearch> => {
        const fixed = fixedSearch(await readToolQuery(text, when, names, call), when);
        if (fixed === undefined) throw invalid('the time range is not valid');
        return fixed;
      };
      const now = await read(query);
      const before =
        otherQuery === undefined ? atOtherTime(now, otherTime) : await read(otherQuery);
      const pair = { now, before };
      if (rangesOfOther(pair).length === 0) throw invalid('both queries have the same records');
      const comparison = new Comparison(cleaned(call), pair, pauseEvery(longestTask));
      const compared = await comparison.read({ signal: call.signal });
      return {
        words: comparisonWords(compared),
        data: { entries: comparisonEntries(compared, true), keep: 'first', noun: 'line' },
      };
    },
  };
}

function atOtherTime(now: ComparedSearch, name: string): ComparedSearch {
  const which = otherTimes.find((one) => one === name) ?? 'periodBefore';
  if (!canShift(now.range, which)) throw invalid('the time range overlaps the other one');
  return { ...now, range: rangeBefore(now.range, which) };
}

/** Removes secrets before patterns are made of the records, which cut them to pieces. */
function cleaned({ client, secrets }: ToolCall): Pick<ControlPlaneClient, 'queryLogs'> {
  return {
    async queryLogs(request, options) {
      const page = await client.queryLogs(request, options);
      return { ...page, records: cleanData(page.records, secrets) };
    },
  };
}
