import * as vscode from 'vscode';
import type { LogRecord } from '../../../api/types';
import { fieldValueOf, type DetailsOptions } from '../details';
import { applyEdit, type QueryEdit } from '../editQuery';
import { createFormatter } from '../../record/format';
import { sanitiseJson } from '../../../text/sanitise';
import { completionsAt } from '../../query/completion';
import { recentFor } from '../../query/recent';
import { connectOnTheWay } from '../../../connection/ui/ensureConnection';
import type { Diagnostics } from '../../../vscode/diagnostics';
import { logTimeZone } from '../../record/ui/logTimeZone';
import { clipboardText } from '../../../text/plainText';
import type { WorkspaceViews } from '../../../inventory/ui/treeRegistry';
import type { LogsInHand, SearchTools } from './searchTools';
import { logSettings } from '../../../vscode/settings';
import type { SourceFiles } from '../../record/ui/sourceFiles';
import type { WorkspaceData } from '../../../inventory/ui/workspaceData';
import type { Handlers } from '../panel/rpc';
import type { Desk, DeskServices } from './queryHistory';
import type { QueryModel } from '../panel/messages';
import { queryModel, queryNames, refusalWords } from './queryModel';
import { openFrame, recordDetails } from './recordDetails';
import { revealRow } from './revealRow';

const { t } = vscode.l10n;

export interface RequestServices extends DeskServices {
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
  desk: Desk,
  showQuery: (text: string) => void,
): Handlers {
  const { session, names, memory, data, views, files, tools, diagnostics } = services;
  const { explorer } = desk;

  const recordOf = (key: string): LogRecord => {
    const record = explorer.record(key);
    if (record === undefined) throw new Error(t('This record is not shown any more.'));
    return record;
  };
  const inHand = (): LogsInHand => {
    const logs = desk.inHand;
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
    if (!result.ok) throw new Error(refusalWords(text, result.reason));
    return queryModel(result.text, known);
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
    parse: ({ text }) => queryModel(text, queryNames(session, names)),
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
      await desk.run(text);
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
      showQuery(await desk.trace(recordOf(key)));
      return null;
    },
    context: ({ key }) => nothing(() => explorer.showContext(recordOf(key))),
    async back() {
      showQuery(await desk.back());
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
      await tools.exportLogs(inHand());
      return null;
    },
    async openAsText() {
      await tools.openAsText(inHand());
      return null;
    },
    async help({ action }) {
      if (action === 'diagnostics') diagnostics.show();
      else await connectOnTheWay();
      return null;
    },
  };
}
