import * as vscode from 'vscode';
import type { LogRecord } from '../../../api/types';
import { clipboardText, sanitiseJson } from '../../../base/untrustedText';
import { promptToConnect, type Session } from '../../../connection/ui/session';
import type { Names } from '../../../data/knownNames';
import type { ConnectionData } from '../../../data/ui/connectionData';
import type { Views } from '../../../trees/ui/views';
import { commands } from '../../../vscode/contributions';
import type { Diagnostics } from '../../../vscode/diagnostics';
import { UserError } from '../../../vscode/errorMessages';
import { logSettings, logTimeZone } from '../../../vscode/settings';
import { pauseEvery } from '../../../vscode/systemClock';
import { completionsAt } from '../../query/completion';
import { recentFor } from '../../query/remembered';
import { unambiguousNames, type SearchQuery } from '../../query/searchQuery';
import type { QueryMemory } from '../../query/ui/queryMemory';
import {
  describeQueryError,
  describeQueryErrors,
  describeUnresolved,
  fixableError,
  pastedNote,
} from '../../query/ui/queryText';
import { queryNames } from '../../query/ui/readSearch';
import { entryRecords } from '../../record/joinRecords';
import { createFormatter } from '../../record/logLine';
import type { SourceFiles } from '../../record/ui/sourceFiles';
import type { DetailsOptions } from '../details';
import type { EntryList } from '../entryList';
import { applyEdit, type EditRefusal, modelOf, type ParsedQuery, shownRange } from '../editQuery';
import type { ExplorerModel } from '../explorerModel';
import { type ShownLogs } from '../explorerModel';
import { type Edit, type Handlers, type QueryModel } from '../protocol/messages';
import { fieldValueOf } from '../recordFields';
import { capabilitiesOf } from '../recordRows';
import { traceWaterfall } from '../waterfall';
import { exportShownLogs, type LogTexts } from './exportLogs';
import { openFrame, recordDetails, revealRow } from './recordDetails';
import { copySearchLink } from './searchLinks';
import { saveSearch } from './searchList';

const { t } = vscode.l10n;

/** What the requests of the page work with. */
export interface RequestServices {
  readonly session: Session;
  readonly names: Names;
  readonly memory: QueryMemory;
  readonly data: ConnectionData;
  readonly views: Views;
  readonly files: SourceFiles;
  readonly texts: LogTexts;
  readonly diagnostics: Diagnostics;
}

/** The requests that change only what the panel shows. */
export type PanelHandlers = Pick<
  Handlers,
  'patterns' | 'narrowPattern' | 'layOut' | 'pickColumns' | 'foldHistogram' | 'showBars'
>;

/**
 * Creates the handlers for the requests of the page, which shows the messages of errors.
 *
 * @param run runs a parsed query.
 * @param list the entries of all records.
 * @param inList the entries that the list shows: some can be hidden by their pattern.
 * @param showQuery shows a query in the query bar.
 */
export function createHandlers(
  services: RequestServices,
  explorer: ExplorerModel,
  run: (text: string, query: SearchQuery) => void,
  list: Pick<EntryList, 'entryOf'>,
  inList: () => readonly LogRecord[],
  showQuery: (text: string) => void,
): Omit<Handlers, keyof PanelHandlers> {
  const { session, names, memory, data, views, files, texts, diagnostics } = services;

  const recordOf = (key: string): LogRecord => {
    const record = explorer.recordOf(key);
    if (record === undefined) throw new UserError(t('This record is no longer shown.'));
    return record;
  };
  const entryOf = (key: string): LogRecord => list.entryOf(recordOf(key));
  const shownLogs = (): ShownLogs => {
    const logs = explorer.shownLogs;
    if (logs === undefined) throw new UserError(t('Run a search first.'));
    // The list changes while these are written.
    const records = inList().flatMap(entryRecords);
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
    return queryModel(parse(result.text), logTimeZone(session));
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
      return queryModel(parts, logTimeZone(session));
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
    loadWhole: () => explorer.loadWhole(),
    cancel: () => explorer.cancel(),
    follow: () => explorer.follow(),
    pause: () => explorer.pause(),
    stop: () => explorer.stopFollowing(),
    details: ({ key }) =>
      recordDetails(entryOf(key), detailsOptions(), files, { context: data.context, names }),
    copyJson({ key }) {
      const records = entryRecords(entryOf(key));
      const json = JSON.stringify(records.length === 1 ? records[0] : records, null, 2);
      return copy(sanitiseJson(json));
    },
    copyLine({ key }) {
      const { showAttributes, severity } = logSettings();
      const timeZone = logTimeZone(session);
      const format = createFormatter({ timeZone, showAttributes, severity });
      // Some programs end a record with line breaks.
      return copy(format(entryOf(key)).trimEnd());
    },
    copyValue: ({ key, field }) =>
      copy(clipboardText(fieldValueOf(recordOf(key), field)?.value ?? '')),
    narrow({ text, key, field, how }) {
      const found = fieldValueOf(recordOf(key), field);
      if (found === undefined) throw new UserError(t('The record has no value for this field.'));
      return edit(text, { kind: how, ...found });
    },
    openFrame: ({ key, frame }) => openFrame(entryOf(key), detailsOptions(), files, frame),
    async runCommand({ key: recordKey, command }) {
      await vscode.commands.executeCommand(commands[command], { recordKey });
    },
    reveal: ({ key, what }) => revealRow(data, views, recordOf(key), what),
    trace({ key }) {
      const record = recordOf(key);
      if (!capabilitiesOf(record).hasTrace) throw new UserError(t('This record has no trace.'));
      explorer.trace(record);
      showQuery(explorer.query);
    },
    async waterfall() {
      const { epoch } = explorer;
      const isCurrent = (): boolean => explorer.epoch === epoch;
      const { severity } = logSettings();
      const pause = pauseEvery();
      return (await traceWaterfall(inList(), severity, pause, isCurrent)) ?? null;
    },
    context: ({ key }) => explorer.showContext(recordOf(key)),
    back() {
      explorer.back();
      showQuery(explorer.query);
    },
    save: ({ text }) => saveSearch(session, services.diagnostics, text),
    copyLink: ({ text }) => copySearchLink(session, services.names, text),
    async compare({ text, outer: range, at }) {
      const outer = range && edit(text, { kind: 'range', range }).text;
      await vscode.commands.executeCommand(commands.compareLogs, { query: text, outer, at });
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
function queryModel(
  { query, hasNames, problems, unresolved, pasted, ...parts }: ParsedQuery,
  timeZone: string,
): QueryModel {
  return {
    ...parts,
    shownRange: shownRange(parts.range, timeZone),
    ...(pasted && {
      note: {
        message: pastedNote(pasted),
        fix: { label: t('Put It in Quotes'), text: pasted.quoted },
      },
    }),
    errors: [
      ...problems.map((error) => fixableError(parts.text, error)),
      ...unresolved.map(({ start, end, ...name }) => ({
        start,
        end,
        message: describeUnresolved([{ start, end, ...name }]),
      })),
    ],
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
