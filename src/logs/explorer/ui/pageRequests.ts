import * as vscode from 'vscode';
import type { LogRecord } from '../../../api/types';
import { promptToConnect, type Session } from '../../../connection/ui/session';
import type { Names } from '../../../data/knownNames';
import type { WorkspaceViews } from '../../../trees/ui/treeRegistry';
import type { ConnectionData } from '../../../data/ui/connectionData';
import { clipboardText } from '../../../base/plainText';
import { sanitiseJson } from '../../../base/sanitise';
import { commands } from '../../../vscode/contributions';
import type { Diagnostics } from '../../../vscode/diagnostics';
import { logSettings, logTimeZone } from '../../../vscode/settings';
import { completionsAt } from '../../query/completion';
import { unambiguousNames } from '../../query/print';
import { recentFor } from '../../query/recentQueries';
import type { SearchQuery } from '../../query/searchQuery';
import type { QueryMemory } from '../../query/ui/queryMemory';
import {
  describeQueryError,
  describeQueryErrors,
  describeUnresolved,
} from '../../query/ui/queryText';
import { queryNames } from '../../query/ui/readSearch';
import { createFormatter } from '../../record/logLine';
import type { SourceFiles } from '../../record/ui/sourceFiles';
import type { DetailsOptions } from '../details';
import { applyEdit, type EditRefusal, modelOf, type ParsedQuery } from '../editQuery';
import type { Edit, Handlers, QueryModel } from '../protocol/messages';
import type { ExplorerModel, ShownLogs } from '../explorerModel';
import { fieldValueOf } from '../recordFields';
import { capabilitiesOf, keyOf } from '../recordRows';
import { openFrame, recordDetails, revealRow } from './recordDetails';
import { saveSearch } from './saveSearch';
import { copySearchLink } from './searchLinks';
import { exportShownLogs } from './exportLogs';
import type { LogTexts } from './openAsText';
import { UserError } from '../../../vscode/errorMessages';

const { t } = vscode.l10n;

export interface RequestServices {
  readonly session: Session;
  readonly names: Names;
  readonly memory: QueryMemory;
  readonly data: ConnectionData;
  readonly views: WorkspaceViews;
  readonly files: SourceFiles;
  readonly texts: LogTexts;
  readonly diagnostics: Diagnostics;
}

/** The requests that change only what the panel shows. */
export type PanelHandlers = Pick<
  Handlers,
  'patterns' | 'narrowPattern' | 'layOut' | 'pickColumns' | 'foldHistogram'
>;

/**
 * Creates the handlers for the requests of the page, which shows the messages of errors.
 *
 * @param run runs a parsed query.
 * @param inList the records that the list shows: some can be hidden by their pattern.
 * @param showQuery shows a query in the query bar.
 */
export function createHandlers(
  services: RequestServices,
  explorer: ExplorerModel,
  run: (text: string, query: SearchQuery) => void,
  inList: () => readonly LogRecord[],
  showQuery: (text: string) => void,
): Omit<Handlers, keyof PanelHandlers> {
  const { session, names, memory, data, views, files, texts, diagnostics } = services;

  const recordOf = (key: string): LogRecord => {
    const record = explorer.records.find((one) => keyOf(one) === key);
    if (record === undefined) throw new UserError(t('This record is no longer shown.'));
    return record;
  };
  const shownLogs = (): ShownLogs => {
    const logs = explorer.shownLogs;
    if (logs === undefined) throw new UserError(t('Run a search first.'));
    // The list changes while these are written.
    const records = [...inList()];
    return { ...logs, records, isAll: logs.isAll && records.length === logs.records.length };
  };
  const detailsOptions = (): DetailsOptions => ({
    timeZone: logTimeZone(session),
    filter: explorer.state.search?.filter ?? {},
    nameOf: unambiguousNames(names),
  });
  const edit = (text: string, change: Edit): QueryModel => {
    const result = applyEdit(text, change, queryNames(session, names));
    if (!result.ok) throw new UserError(refusalText(text, result.reason));
    return queryModel(parse(result.text));
  };
  let parsed: ParsedQuery | undefined;
  /** Parses a query once: what has no names means the same when it runs. An error may be one of its time. */
  const parse = (text: string): ParsedQuery => {
    if (parsed?.text !== text || parsed.hasNames || parsed.query === undefined) {
      parsed = modelOf(text, queryNames(session, names));
    }
    return parsed;
  };
  const copy = async (text: string): Promise<void> => vscode.env.clipboard.writeText(text);

  return {
    parse({ text, run: isToRun }) {
      const parts = parse(text);
      if (isToRun === true && parts.query !== undefined) run(text, parts.query);
      return queryModel(parts);
    },
    edit: ({ text, edit: change }) => edit(text, change),
    complete({ text, offset }) {
      const at = Math.min(offset, text.length);
      const { start, end, items } = completionsAt(text, at, memory.knowledge);
      const recent = recentFor(memory.searches.all, text);
      return { start, end, items, recent };
    },
    older: () => explorer.load('older'),
    newer: () => explorer.load('newer'),
    cancel: () => explorer.cancel(),
    follow: () => explorer.follow(),
    pause: () => explorer.pause(),
    stop: () => explorer.stopFollowing(),
    details: ({ key }) => recordDetails(recordOf(key), detailsOptions(), files),
    copyJson: ({ key }) => copy(sanitiseJson(JSON.stringify(recordOf(key), null, 2))),
    copyLine({ key }) {
      const { showAttributes } = logSettings();
      const format = createFormatter({ timeZone: logTimeZone(session), showAttributes });
      // Some programs end a record with line breaks.
      return copy(format(recordOf(key)).trimEnd());
    },
    copyValue: ({ key, field }) =>
      copy(clipboardText(fieldValueOf(recordOf(key), field)?.value ?? '')),
    narrow({ text, key, field, how }) {
      const found = fieldValueOf(recordOf(key), field);
      if (found === undefined) throw new UserError(t('The record has no value for this field.'));
      return edit(text, { kind: how, ...found });
    },
    openFrame: ({ key, frame }) => openFrame(recordOf(key), detailsOptions(), files, frame),
    async goToStatement({ key: recordKey }) {
      await vscode.commands.executeCommand(commands.goToLogStatement, { recordKey });
    },
    reveal: ({ key, what }) => revealRow(data, views, recordOf(key), what),
    trace({ key }) {
      const record = recordOf(key);
      if (!capabilitiesOf(record).hasTrace) throw new UserError(t('This record has no trace.'));
      explorer.trace(record);
      showQuery(explorer.query);
    },
    context: ({ key }) => explorer.showContext(recordOf(key)),
    back() {
      explorer.back();
      showQuery(explorer.query);
    },
    save: ({ text }) => saveSearch(services, text),
    copyLink: ({ text }) => copySearchLink(services, text),
    async compare({ text, outer: range }) {
      const outer = range && edit(text, { kind: 'range', range }).text;
      await vscode.commands.executeCommand(commands.compareLogs, { query: text, outer });
    },
    export: () => exportShownLogs(services, shownLogs()),
    openAsText: () => texts.openAsText(shownLogs()),
    async help({ action }) {
      if (action === 'diagnostics') diagnostics.show();
      else await promptToConnect();
    },
  };
}

/** The parts of a query, with messages for its errors. */
function queryModel({ query, hasNames, problems, unresolved, ...parts }: ParsedQuery): QueryModel {
  const errors = [
    ...problems.map((error) => ({ ...error, message: describeQueryError(error) })),
    ...unresolved.map((name) => ({ ...name, message: describeUnresolved([name]) })),
  ];
  return {
    ...parts,
    errors: errors.map(({ start, end, message }) => ({ start, end, message })),
  };
}

/** Why a query cannot be changed. */
function refusalText(text: string, refusal: EditRefusal): string {
  switch (refusal.kind) {
    case 'query':
      return t('Fix the query first: {0}', describeQueryErrors(text, refusal.errors));
    case 'edit':
      return refusal.errors.map(describeQueryError).join(' ');
    case 'cannotSay':
      return t('The control plane cannot combine this filter with the query.');
    case 'gone':
      return t('The query no longer contains this part.');
  }
}
