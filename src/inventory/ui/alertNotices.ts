import * as vscode from 'vscode';
import { plainText } from '../../text/plainText';
import { systemClock } from '../../vscode/clock';
import { views as viewIds } from '../../vscode/contributions';
import { counted, number } from '../../vscode/numbers';
import { alertNotifications, onDidChangeSettings } from '../../vscode/settings';
import { type AlertChange, watchAlerts } from '../alerts/alertWatch';
import { ruleFollow, ruleLabel, rulePath, ruleText } from '../alerts/ruleNodes';
import { serverTopics } from '../servers/serverNodes';
import { createLabels } from '../tree/labels';
import type { FollowLogs } from '../tree/nodes';
import type { WorkspaceViews } from './treeRegistry';
import type { WorkspaceData } from './workspaceData';

const { t } = vscode.l10n;

export interface NoticeServices {
  readonly data: WorkspaceData;
  readonly views: WorkspaceViews;
  readonly followLogs: FollowLogs;
}

/**
 * Tells that an alert rule has changed, as `controlPlane.alerts.notify` says. While it says anything
 * but off, the servers are looked at even where their view is hidden; only in the window with the
 * focus, so that several windows do not tell the same.
 */
export function registerAlertNotices(services: NoticeServices): vscode.Disposable {
  const { data } = services;
  const watch = watchAlerts({
    store: data.store,
    clock: systemClock,
    servers: data.known.servers,
    mode: alertNotifications,
    tell: (changes) => void tell(services, changes),
  });
  const poll = (): void =>
    data.polling.watch(
      pollingKey,
      alertNotifications() === 'off' ? undefined : serverTopics(data.context),
    );
  poll();
  return vscode.Disposable.from(
    watch,
    data.known.onDidChange(() => {
      watch.prune();
      poll();
    }),
    onDidChangeSettings('alerts.notify', poll),
  );
}

const pollingKey = 'alert notices';

async function tell(services: NoticeServices, changes: readonly AlertChange[]): Promise<void> {
  const [change, ...more] = changes;
  if (change === undefined) return;
  if (more.length > 0) await tellSeveral(services, changes);
  else await tellOne(services, change);
}

async function tellOne(
  { data, views, followLogs }: NoticeServices,
  change: AlertChange,
): Promise<void> {
  const { serverId, rule } = change;
  const { signedIn } = data.session;
  const [show, follow] = [t('Show'), t('Follow Logs')];
  const chosen = await showerOf([change])(wordsOf(change, data), show, follow);
  // It may have stood there for long: another connection has no such rule.
  if (signedIn === undefined || signedIn.signal.aborted) return;
  if (chosen === show) {
    await views.view(viewIds.servers).reveal(rulePath(serverId, rule.id ?? ''), { focus: true });
  } else if (chosen === follow) {
    await followLogs(ruleFollow(rule, serverId, data.context), signedIn);
  }
}

/** More than one at a time is one message: a server that goes down takes many rules with it. */
async function tellSeveral(
  { data }: NoticeServices,
  changes: readonly AlertChange[],
): Promise<void> {
  const begun = changes.filter(({ isFiring, wasFiring }) => isFiring && !wasFiring);
  const names = (begun.length > 0 ? begun : changes)
    .slice(0, maxNames)
    .map(({ rule }) => plainText(ruleLabel(rule, data.context), 80));
  const list = names.join(', ');
  const message =
    begun.length === changes.length
      ? counted(changes.length, '{0} alert rule fires: {1}', '{0} alert rules fire: {1}', list)
      : begun.length > 0
        ? counted(
            begun.length,
            '{1} alert rules have changed; {0} of them fires now: {2}',
            '{1} alert rules have changed; {0} of them fire now: {2}',
            number(changes.length),
            list,
          )
        : counted(
            changes.length,
            '{0} alert rule has changed: {1}',
            '{0} alert rules have changed: {1}',
            list,
          );
  const show = t('Show');
  const ellipsis = (begun.length || changes.length) > names.length ? ', …' : '.';
  if ((await showerOf(changes)(`${message}${ellipsis}`, show)) === show) {
    await vscode.commands.executeCommand(`${viewIds.servers}.focus`);
  }
}

const maxNames = 3;

/** What fires is a warning; that it has ended, or is pending, is not. */
function showerOf(
  changes: readonly AlertChange[],
): (message: string, ...buttons: string[]) => Thenable<string | undefined> {
  const fires = changes.some(({ isFiring, wasFiring }) => isFiring && !wasFiring);
  return fires
    ? (message, ...buttons) => vscode.window.showWarningMessage(message, ...buttons)
    : (message, ...buttons) => vscode.window.showInformationMessage(message, ...buttons);
}

function wordsOf(
  { serverId, rule, from, to, isFiring, wasFiring }: AlertChange,
  data: WorkspaceData,
): string {
  const { context } = data;
  const known = data.known.servers().find(({ id }) => id === serverId) ?? { id: serverId };
  const name = plainText(ruleLabel(rule, context), 120);
  const server = plainText(createLabels(context).server(known), 80);
  const details = plainText(ruleText(rule, context));
  if (isFiring && !wasFiring) return t('{0} fires on {1}: {2}', name, server, details);
  if (rule.enabled === false && from === to) return t('{0} on {1} is switched off.', name, server);
  const [now, then] = [to, from].map((state) => plainText(state ?? t('without a state'), 80));
  return t('{0} on {1} is {2} now, it was {3}: {4}', name, server, now ?? '', then ?? '', details);
}
