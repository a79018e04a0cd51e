import * as vscode from 'vscode';
import { plainText } from '../../base/untrustedText';
import { NotifiedStates } from '../../connection/perConnection';
import type { FollowLogs } from '../../data/targets';
import type { ConnectionData } from '../../data/ui/connectionData';
import { systemClock } from '../../vscode/systemClock';
import { views as viewIds } from '../../vscode/contributions';
import { type MessageSeverity, showRecurringMessage } from '../../vscode/notifications';
import { counted, number } from '../../vscode/numbers';
import { alertNotifications, onDidChangeSettings } from '../../vscode/settings';
import { type AlertChange, AlertWatch, changeText } from '../alerts/alertWatch';
import { ruleFollow, ruleLabel, rulePath } from '../alerts/ruleNodes';
import { serverKeys } from '../servers/serverNodes';
import type { Views } from './views';

const { t } = vscode.l10n;

const setting = 'alerts.notify';

/**
 * Notifies of changes of alert rules as `controlPlane.alerts.notify` says. Unless that is `off`, servers
 * are polled even if their view is hidden, but only in the focused window. What one window has told, another
 * one does not repeat.
 */
export function registerAlertNotices(
  data: ConnectionData,
  views: Views,
  followLogs: FollowLogs,
  globalState: vscode.Memento,
): vscode.Disposable {
  const watch = new AlertWatch(
    data.store,
    systemClock,
    data.context.servers,
    alertNotifications,
    new NotifiedStates(data.session, globalState, 'toldAlerts'),
  );
  const poll = (): void =>
    data.polling.watch(
      pollingKey,
      alertNotifications() === 'off' ? undefined : serverKeys(data.context),
    );
  poll();
  return vscode.Disposable.from(
    watch,
    watch.onDidChange((changes) =>
      changes.length > 1
        ? notifyOfSeveral(data, changes)
        : changes.map((change) => notifyOfOne(data, views, followLogs, change)),
    ),
    data.targets.onDidChange(() => {
      watch.prune();
      poll();
    }),
    onDidChangeSettings(setting, poll),
  );
}

const pollingKey = 'alert notices';

async function notifyOfOne(
  data: ConnectionData,
  views: Views,
  followLogs: FollowLogs,
  change: AlertChange,
): Promise<void> {
  const { serverId, rule } = change;
  const { signedIn } = data.session;
  const [show, follow] = [t('Show'), t('Follow Logs')];
  const chosen = await showRecurringMessage(
    setting,
    severityOf([change]),
    changeText(change, data.context),
    show,
    follow,
  );
  // The connection may have changed while the notification was open.
  if (signedIn === undefined || signedIn.signal.aborted) return;
  if (chosen === show) {
    await views.view(viewIds.servers).reveal(rulePath(serverId, rule.id ?? ''), { focus: true });
  } else if (chosen === follow) {
    await followLogs(ruleFollow(rule, serverId, data.context), signedIn);
  }
}

/** One notification for several rules, because a server that fails affects many of them. */
async function notifyOfSeveral(
  data: ConnectionData,
  changes: readonly AlertChange[],
): Promise<void> {
  const begun = changes.filter(begins);
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
            '{1} alert rules changed state, {0} fires: {2}',
            '{1} alert rules changed state, {0} fire: {2}',
            number(changes.length),
            list,
          )
        : counted(
            changes.length,
            '{0} alert rule changed state: {1}',
            '{0} alert rules changed state: {1}',
            list,
          );
  const show = t('Show');
  const ellipsis = (begun.length || changes.length) > names.length ? ', …' : '.';
  const text = `${message}${ellipsis}`;
  if ((await showRecurringMessage(setting, severityOf(changes), text, show)) === show) {
    await vscode.commands.executeCommand(`${viewIds.servers}.focus`);
  }
}

const maxNames = 3;

/** A warning if a rule starts to fire. */
function severityOf(changes: readonly AlertChange[]): MessageSeverity {
  return changes.some(begins) ? 'warning' : 'information';
}

function begins({ isFiring, wasFiring }: AlertChange): boolean {
  return isFiring && !wasFiring;
}
