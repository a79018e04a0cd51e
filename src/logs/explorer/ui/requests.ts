import * as vscode from 'vscode';
import type { LogRecord } from '../../../api/types';
import { connectOnTheWay } from '../../../connection/ui/session';
import { sourceNodes } from '../../../inventory/sources/sourceNodes';
import { type NodeTarget, pathTo } from '../../../inventory/tree/nodes';
import type { WorkspaceViews } from '../../../inventory/ui/treeRegistry';
import type { WorkspaceData } from '../../../inventory/ui/workspaceData';
import { clipboardText } from '../../../text/plainText';
import { sanitiseJson } from '../../../text/sanitise';
import { views as viewIds } from '../../../vscode/contributions';
import type { Diagnostics } from '../../../vscode/diagnostics';
import { logSettings } from '../../../vscode/settings';
import { completionsAt } from '../../query/completion';
import { recentFor } from '../../query/recent';
import { createFormatter } from '../../record/format';
import { logTimeZone } from '../../record/ui/logTimeZone';
import type { SourceFiles } from '../../record/ui/sourceFiles';
import { type DetailsOptions, fieldValueOf } from '../details';
import { applyEdit, type QueryEdit } from '../editQuery';
import type { QueryModel } from '../panel/messages';
import type { Handlers } from '../panel/rpc';
import type { Desk, DeskServices } from './queryHistory';
import { queryModel, queryNames, refusalWords } from './queryModel';
import { openFrame, recordDetails } from './recordDetails';
import type { LogsInHand, SearchTools } from './searchTools';

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

/**
 * Shows the deployment, or the app or job, of a record in its tree. What is not known yet is asked for
 * first.
 *
 * @throws with words for the person, where there is no such row.
 */
export async function revealRow(
  { store, context, known }: WorkspaceData,
  views: WorkspaceViews,
  { workloadId, deploymentId }: LogRecord,
  what: 'deployment' | 'resource',
): Promise<void> {
  const find = (fits: (target: NodeTarget) => boolean): readonly string[] | undefined =>
    pathTo(sourceNodes(context), ({ kind, target }) => kind === what && fits(target));
  const isWanted = (target: NodeTarget): boolean =>
    what === 'resource' ? target.resourceId === workloadId : target.deploymentId === deploymentId;

  let path = find(isWanted);
  if (path === undefined) {
    const missing = known.sources().filter(({ id }) => store.resources(id).value === undefined);
    await Promise.all(missing.map(({ id }) => store.refresh({ kind: 'resources', sourceId: id })));
    if (what === 'deployment') await store.refresh({ kind: 'deployments', resourceId: workloadId });
    path = find(isWanted);
  }
  if (path === undefined) {
    throw new Error(
      what === 'deployment'
        ? t('This deployment is not in any source of the view Sources.')
        : t('This workload is not in any source of the view Sources.'),
    );
  }
  await views.view(viewIds.sources).reveal(path, { focus: true });
}
