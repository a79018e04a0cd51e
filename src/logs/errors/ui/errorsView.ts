import * as vscode from 'vscode';
import { operations } from '../../../api/generated/operations';
import { plainText } from '../../../base/untrustedText';
import type { Git } from '../../../commits/ui/git';
import { NotifiedStates } from '../../../connection/perConnection';
import type { Session } from '../../../connection/ui/session';
import { isRefusal, type CacheKey } from '../../../data/store';
import { isUuid } from '../../../data/targets';
import type { ConnectionData } from '../../../data/ui/connectionData';
import { TreeView } from '../../../trees/ui/treeView';
import type { Views } from '../../../trees/ui/views';
import type { ViewState } from '../../../trees/treeState';
import { systemClock } from '../../../vscode/systemClock';
import { contextKey } from '../../../vscode/commands';
import { contextKeys, viewFilteredKey, views as viewIds } from '../../../vscode/contributions';
import { describe } from '../../../vscode/errorMessages';
import { showRecurringMessage } from '../../../vscode/notifications';
import { counted } from '../../../vscode/numbers';
import { notifiesOfErrors, onDidChangeSettings } from '../../../vscode/settings';
import { NewKinds } from '../errorChange';
import { type ErrorKind, titleOf } from '../errorKind';
import { errorNodes, KindOrder } from '../errorNodes';
import { isNarrowed } from '../errorScope';
import type { LinesNow } from '../linesNow';
import type { Suspects } from '../errorSuspects';
import { rangeName, scopeText } from './errorCommands';
import type { Errors } from './workspaceErrors';

const { t } = vscode.l10n;

export function registerErrorsView(
  errors: Errors,
  git: Pick<Git, 'isOff' | 'onDidChange'>,
  suspects: Suspects,
  lines: LinesNow,
  data: ConnectionData,
  memento: vscode.Memento,
): TreeView {
  const order = new KindOrder();
  return new TreeView(
    {
      id: viewIds.errors,
      title: t('Errors'),
      roots(context) {
        const kinds = order.sorted(
          errors.all,
          errors.memory.scope.sorting,
          errors.state.at !== undefined,
        );
        const shown = new Set(errors.kinds);
        suspects.want(kinds.filter((kind) => shown.has(kind)));
        return errorNodes(context, {
          kinds,
          ...errors.muting,
          suspicionOf: (kind) => suspects.of(kind),
          lineOf: (spot) => lines.lineOf(spot),
          pathOf: (file) => vscode.workspace.asRelativePath(vscode.Uri.parse(file)),
        });
      },
      cacheKeys: () => [],
      sorting: 'lastDeployment',
      state: () => stateOf(errors),
      note: () => lookedAtText(errors, git, data.context),
      refresh: async () => {
        order.reset();
        await errors.refresh();
      },
      onDidChange: (listener) =>
        vscode.Disposable.from(
          errors.onDidChange(listener),
          git.onDidChange(listener),
          suspects.onDidChange(listener),
          lines.onDidChange(listener),
        ),
    },
    data,
    memento,
  );
}

/** Undefined if its rows tell: there are some, or all errors were looked at and there is none. */
function stateOf({ needsSource, all, state }: Errors): ViewState | undefined {
  if (needsSource) return { kind: 'noSource' };
  const { at, error } = state;
  if (at !== undefined || all.length > 0) return undefined;
  if (error === undefined) return { kind: 'loading' };
  return isRefusal(error) && !error.isForReading
    ? { kind: 'missingPermission', permission: operations.queryLogs.permission }
    : { kind: 'unreachable', error };
}

/** How much was looked at, why that may be old, and why lines may be others. */
function lookedAtText(
  { count, kinds, state, memory }: Errors,
  { isOff }: Pick<Git, 'isOff'>,
  { timeFormat }: ConnectionData['context'],
): string {
  const range = rangeName(memory.scope.range);
  const { isAll, isLoading, isPartial, at, error } = state;
  const age = timeFormat.relativeTo(at);
  const looked =
    isAll || (isLoading && at === undefined)
      ? counted(count, '{0} error in {1}.', '{0} errors in {1}.', range)
      : counted(
          count,
          'Based on the newest error in {1}.',
          'Based on the {0} newest errors in {1}.',
          range,
        );
  return [
    looked,
    isPartial ? t('The control plane returned only part of them.') : undefined,
    error === undefined || age === undefined ? undefined : t('Updated {0}.', age),
    error === undefined ? undefined : describe(error),
    isOff && kinds.some(({ spots }) => spots.length > 0)
      ? t('Without Git, lines in code may have moved.')
      : undefined,
  ]
    .filter((part) => part !== undefined)
    .join(' ');
}

/** The most workloads whose deployments are kept up to date. */
const mostWorkloads = 20;

/**
 * What goes with the view: it wants errors while it is visible, its title says what it shows, and its badge
 * counts what is new.
 */
export function registerErrorsTitle(
  { tree }: Pick<TreeView, 'tree'>,
  errors: Errors,
  suspects: Suspects,
  { polling }: Pick<ConnectionData, 'polling'>,
): vscode.Disposable {
  let endProgress: (() => void) | undefined;
  let badge = 0;
  const setFiltered = contextKey(viewFilteredKey(viewIds.errors));
  const setRange = contextKey(contextKeys.errorsRange);
  const setScope = contextKey(contextKeys.errorsScope);

  function showProgress(): void {
    const isLoading = tree.visible && errors.state.isLoading && errors.state.at === undefined;
    if (!isLoading) {
      endProgress?.();
      endProgress = undefined;
    } else if (endProgress === undefined) {
      const done = new Promise<void>((resolve) => {
        endProgress = resolve;
      });
      void vscode.window.withProgress({ location: { viewId: viewIds.errors } }, () => done);
    }
  }

  function update(): void {
    const { scope } = errors.memory;
    tree.description = scopeText(errors);
    setFiltered(isNarrowed(scope));
    setRange(scope.range);
    setScope(isNarrowed(scope) ? 'chosen' : errors.isOfFolder ? 'folder' : 'all');
    showProgress();
    polling.watch(`${viewIds.errors} deployments`, tree.visible ? keysOf(errors) : undefined);
    const count = errors.kinds.filter(({ change }) => change === 'new').length;
    if (count === badge) return;
    badge = count;
    tree.badge = count === 0 ? undefined : { value: count, tooltip: newKindsText(count) };
  }

  const look = (): void => {
    errors.want('view', tree.visible);
    if (!tree.visible) suspects.want([]);
    update();
  };
  look();
  return vscode.Disposable.from(tree.onDidChangeVisibility(look), errors.onDidChange(update), {
    dispose: () => endProgress?.(),
  });
}

/** The deployments of the workloads with the most errors: what changed is said by them. */
function keysOf({ all }: Errors): readonly CacheKey[] {
  const counts = new Map<string, number>();
  for (const { workloads } of all) {
    for (const { id, count } of workloads) counts.set(id, (counts.get(id) ?? 0) + count);
  }
  return [...counts]
    .filter(([id]) => isUuid(id))
    .sort(([, a], [, b]) => b - a)
    .slice(0, mostWorkloads)
    .map(([resourceId]) => ({ kind: 'deployments', id: resourceId }));
}

const setting = 'errors.notify';

/**
 * Notifies of kinds of errors that are new since a deployment, if `controlPlane.errors.notify` says so. Then
 * errors are looked for even if their view is hidden, but only in the focused window. What one window has told,
 * another one does not repeat.
 */
export function registerErrorNotices(
  errors: Errors,
  views: Views,
  session: Session,
  globalState: vscode.Memento,
): vscode.Disposable {
  const notified = new NotifiedStates(session, globalState, 'toldErrors');
  let newKinds = new NewKinds();
  const want = (): void => {
    newKinds = new NewKinds();
    errors.want('notices', notifiesOfErrors());
  };
  want();
  return vscode.Disposable.from(
    onDidChangeSettings(setting, want),
    errors.onDidChange(() => {
      const { at, isLoading, search } = errors.state;
      // Half of what was looked at says nothing about the rest.
      if (at === undefined || isLoading || !notifiesOfErrors()) return;
      const shown = new Set(errors.kinds);
      // Muted ones are looked at, too: they are no news when they are shown again.
      const found = newKinds.look(errors.all, search, systemClock.monotonic());
      const news = notified.claim(
        found.filter((kind) => shown.has(kind)),
        ({ key }) => key,
        // A later deployment can bring it back.
        ({ deployments }) => deployments[0]?.id ?? '',
      );
      void notify(views, news);
    }),
  );
}

async function notify(views: Views, kinds: readonly ErrorKind[]): Promise<void> {
  const [first, ...more] = kinds;
  if (first === undefined) return;
  const show = t('Show');
  const message =
    more.length > 0
      ? newKindsText(kinds.length)
      : t(
          'New since the last deployment of {0}: {1}',
          plainText(first.workloads[0]?.name ?? '', 80),
          plainText(titleOf(first), 200),
        );
  if ((await showRecurringMessage(setting, 'warning', message, show)) !== show) return;
  await views.view(viewIds.errors).reveal([`error ${first.key}`], { focus: true });
}

/** The tooltip of the badge, and the text of a notification of several kinds. */
function newKindsText(count: number): string {
  return counted(
    count,
    '{0} kind of error is new since the last deployment',
    '{0} kinds of error are new since the last deployment',
  );
}
