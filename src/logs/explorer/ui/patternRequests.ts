import * as vscode from 'vscode';
import type { LogRecord } from '../../../api/types';
import type { Session } from '../../../connection/ui/session';
import { pauseEvery } from '../../../vscode/systemClock';
import { UserError } from '../../../vscode/errorMessages';
import { logSettings, logTimeZone } from '../../../vscode/settings';
import { createTimeFormat } from '../../record/logLine';
import { searchTextOf } from '../../record/patterns';
import type { ExplorerModel } from '../explorerModel';
import { findPatterns, PatternFilter } from '../recordPatterns';
import type { Handlers } from '../protocol/messages';

const { t } = vscode.l10n;

/** The maximum number of patterns that are shown. */
const mostPatterns = 200;

interface PatternRequests {
  readonly filter: PatternFilter;
  readonly handlers: Pick<Handlers, 'patterns' | 'narrowPattern'>;
}

/**
 * Creates the handlers for the patterns of the loaded records. The API can search for the text of a pattern
 * but cannot exclude it, so excluded patterns are hidden in the list.
 *
 * @param onChange called when other records are shown.
 */
export function createPatternRequests(
  session: Session,
  explorer: ExplorerModel,
  edit: Handlers['edit'],
  onChange: () => void,
): PatternRequests {
  const filter = new PatternFilter(() => logSettings().severity);
  return {
    filter,
    handlers: {
      async patterns() {
        const { epoch } = explorer;
        const { all: records } = filter;
        const isCurrent = (): boolean => explorer.epoch === epoch;
        const format = createTimeFormat(logTimeZone(session));
        const time = ({ timestamp }: LogRecord): string => format(timestamp);
        const [oldest, newest] = [records[0], records.at(-1)];
        const isOneDay = oldest && newest && dateOf(time(oldest)) === dateOf(time(newest));
        const short = (text: string): string =>
          (isOneDay === true ? text.slice(dateOf(text).length) : text).replace(/[.,]\d+$/, '');
        const found = await findPatterns([...records], filter.patterns, pauseEvery(), isCurrent);
        // The page asks again when other records are shown.
        if (found === undefined) return { patterns: [], count: 0, records: 0 };
        return {
          count: found.length,
          records: records.length,
          patterns: found.slice(0, mostPatterns).map(({ first, last, ...rest }) => ({
            ...rest,
            counts: [...rest.counts],
            times: t('{0} to {1}', time(first), time(last)),
            shortTimes: t('{0} to {1}', short(time(first)), short(time(last))),
            isHidden: !filter.shows(last),
          })),
        };
      },
      async narrowPattern({ text, key, how }) {
        const record = filter.patterns.recordOf(filter.all, key);
        if (record === undefined) throw new UserError(t('This pattern is no longer shown.'));
        if (how === 'exclude') {
          filter.toggle(record);
          onChange();
          const isHidden = !filter.shows(record);
          return { note: isHidden ? t('The pattern is hidden in the loaded records.') : '' };
        }
        const now = filter.patterns.templateOf(filter.patterns.of(record));
        const value = searchTextOf(now, record);
        try {
          if (value !== undefined) {
            const query = await edit({ kind: 'edit', text, edit: { kind: 'search', value } });
            return { query, note: '' };
          }
        } catch {
          // The query cannot be combined with this text.
        }
        filter.only(record);
        onChange();
        return { note: t('The query cannot find this pattern. Other loaded records are hidden.') };
      },
    },
  };
}

/** The date of a formatted time, with the space after it. */
function dateOf(time: string): string {
  return time.slice(0, time.lastIndexOf(' ') + 1);
}
