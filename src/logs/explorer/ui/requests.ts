import * as vscode from 'vscode';
import type { LogRecord } from '../../../api/types';
import { connectOnTheWay, type Session } from '../../../connection/ui/session';
import type { Names } from '../../../inventory/names';
import type { WorkspaceViews } from '../../../inventory/ui/treeRegistry';
import type { WorkspaceData } from '../../../inventory/ui/workspaceData';
import { clipboardText } from '../../../text/plainText';
import { sanitiseJson } from '../../../text/sanitise';
import type { Diagnostics } from '../../../vscode/diagnostics';
import { logSettings } from '../../../vscode/settings';
import { completionsAt } from '../../query/completion';
import { unambiguousNames } from '../../query/print';
import { recentFor } from '../../query/recent';
import {
  describeQueryError,
  describeQueryErrors,
  describeUnresolved,
} from '../../query/ui/queryText';
import { searchTime } from '../../query/ui/readSearch';
import { createFormatter } from '../../record/format';
import { logTimeZone } from '../../record/ui/logTimeZone';
import type { SourceFiles } from '../../record/ui/sourceFiles';
import { type DetailsOptions, fieldValueOf } from '../details';
import {
  applyEdit,
  type EditRefusal,
  modelOf,
  type QueryEdit,
  type QueryNames,
  type ParsedQuery,
} from '../editQuery';
import type { QueryModel } from '../panel/messages';
import type { Handlers } from '../panel/rpc';
import type { QueryHistory, QueryHistoryServices } from './queryHistory';
import { openFrame, recordDetails, revealRow } from './recordDetails';
import type { ShownLogs, SearchTools } from './searchTools';

const { t } = vscode.l10n;

export interface RequestServices extends QueryHistoryServices {
  readonly data: WorkspaceData;
  readonly views: WorkspaceViews;
  readonly files: SourceFiles;
  readonly tools: SearchTools;
  readonly diagnostics: Diagnostics;
}

/**
 * What the panel does for its page. Whatever throws is told there, in words.
 *
 * @param showQuery puts a query into the bar.
 */
export function createHandlers(
  services: RequestServices,
  history: QueryHistory,
  showQuery: (text: string) => void,
): Handlers {
  const { session, names, memory, data, views, files, tools, diagnostics } = services;
  const { explorer } = history;

  const recordOf = (key: string): LogRecord => {
    const record = explorer.record(key);
    if (record === undefined) throw new Error(t('This record is not shown any more.'));
    return record;
  };
  const shownLogs = (): ShownLogs => {
    const logs = history.shownLogs;
    if (logs === undefined) throw new Error(t('Search for something first.'));
    return logs;
  };
  const detailsOptions = (): DetailsOptions => {
    const { nameOf } = queryNames(session, names);
    return {
      timeZone: logTimeZone(session),
      filter: explorer.state.search?.filter ?? {},
      ...(nameOf === undefined ? {} : { nameOf }),
    };
  };
  const edit = (text: string, change: QueryEdit): QueryModel => {
    const known = queryNames(session, names);
    const result = applyEdit(text, change, known);
    if (!result.ok) throw new Error(refusalText(text, result.reason));
    return queryModel(modelOf(result.text, known));
  };
  const copy = async (text: string): Promise<null> => {
    await vscode.env.clipboard.writeText(text);
    return null;
  };
  /** For what is told by the view that comes of it. */
  const nothing = (act: () => unknown): null => {
    act();
    return null;
  };

  return {
    async parse({ text, run }) {
      const parts = modelOf(text, queryNames(session, names));
      if (run === true && parts.query !== undefined) await history.run(text, parts.query);
      return queryModel(parts);
    },
    edit: ({ text, edit: change }) => edit(text, change),
    complete({ text, offset }) {
      const { start, end, items } = completionsAt(
        text,
        Math.min(offset, text.length),
        memory.knowledge,
      );
      const recent = [...recentFor(memory.searches.all, text)];
      return { start, end, items: items.map((item) => ({ ...item })), recent };
    },
    async run({ text }) {
      await history.run(text);
      return null;
    },
    older: () => nothing(() => explorer.loadOlder()),
    newer: () => nothing(() => explorer.loadNewer()),
    cancel: () => nothing(() => explorer.cancel()),
    follow: () => nothing(() => explorer.follow()),
    pause: () => nothing(() => explorer.pause()),
    resume: () => nothing(() => explorer.resume()),
    stop: () => nothing(() => explorer.stopFollowing()),
    details: ({ key }) => recordDetails(recordOf(key), detailsOptions(), files),
    copyJson: ({ key }) => copy(sanitiseJson(JSON.stringify(recordOf(key), null, 2))),
    copyLine({ key }) {
      const { showAttributes } = logSettings();
      const format = createFormatter({ timeZone: logTimeZone(session), showAttributes });
      // Its last lines may be empty, as where the program ended it with a line break of its own.
      return copy(format(recordOf(key)).trimEnd());
    },
    copyValue: ({ key, field }) =>
      copy(clipboardText(fieldValueOf(recordOf(key), field)?.value ?? '')),
    narrow({ text, key, field, how }) {
      const found = fieldValueOf(recordOf(key), field);
      if (found === undefined) throw new Error(t('The record has no value there.'));
      return edit(text, { kind: how, ...found });
    },
    async openFrame({ key, frame }) {
      await openFrame(recordOf(key), detailsOptions(), files, frame);
      return null;
    },
    async reveal({ key, what }) {
      await revealRow(data, views, recordOf(key), what);
      return null;
    },
    async trace({ key }) {
      showQuery(await history.trace(recordOf(key)));
      return null;
    },
    context: ({ key }) => nothing(() => explorer.showContext(recordOf(key))),
    async back() {
      showQuery(await history.back());
      return null;
    },
    async save({ text }) {
      await tools.save(text);
      return null;
    },
    async copyLink({ text }) {
      await tools.copyLink(text);
      return null;
    },
    async export() {
      await tools.exportLogs(shownLogs());
      return null;
    },
    async openAsText() {
      await tools.openAsText(shownLogs());
      return null;
    },
    async help({ action }) {
      if (action === 'diagnostics') diagnostics.show();
      else await connectOnTheWay();
      return null;
    },
  };
}

/** What queries mean in this window now. */
function queryNames(session: Session, names: Names): QueryNames {
  const resolve: QueryNames['resolve'] = (kind, name) => names.idsOf(kind, name);
  return {
    when: searchTime(session),
    resolve,
    nameOf: unambiguousNames((kind, id) => names.nameOf(kind, id), resolve),
  };
}

/** A query taken apart, with what is wrong with it in words. */
function queryModel(parts: ParsedQuery): QueryModel {
  const { text, errors, unresolved, chips, severities, range, match, conditions } = parts;
  return {
    text,
    errors: [
      ...errors.map((error) => {
        return { start: error.start, end: error.end, message: describeQueryError(error) };
      }),
      ...unresolved.map((name) => {
        return { start: name.start, end: name.end, message: describeUnresolved([name]) };
      }),
    ],
    chips: [...chips],
    severities: [...severities],
    range: { ...range },
    match,
    conditions: [...conditions],
  };
}

/** Why a query cannot be changed like that. */
function refusalText(text: string, refusal: EditRefusal): string {
  switch (refusal.kind) {
    case 'query':
      return t('Mend the query first: {0}', describeQueryErrors(text, refusal.errors));
    case 'edit':
      return refusal.errors.map(describeQueryError).join(' ');
    case 'cannotSay':
      return t('The control plane has no filter for this beside what the query says already.');
    case 'gone':
      return t('The query does not have this part any more.');
  }
}
