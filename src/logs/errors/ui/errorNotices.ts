import * as vscode from 'vscode';
import type { Session } from '../../../connection/ui/session';
import { ToldStates } from '../../../connection/toldStates';
import type { Views } from '../../../trees/ui/views';
import { plainText } from '../../../base/plainText';
import { systemClock } from '../../../vscode/clock';
import { counted } from '../../../vscode/numbers';
import { views as viewIds } from '../../../vscode/contributions';
import { showRecurringMessage } from '../../../vscode/notifications';
import { notifiesOfErrors, onDidChangeSettings } from '../../../vscode/settings';
import { type ErrorKind, titleOf } from '../errorKind';
import { NewKinds } from '../errorChange';
import type { Errors } from './errors';

const { t } = vscode.l10n;

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
  const told = new ToldStates(session, globalState, 'toldErrors');
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
      if (!notifiesOfErrors() || at === undefined || isLoading) return;
      const shown = new Set(errors.kinds);
      // Muted ones are looked at, too: they are no news when they are shown again.
      const found = newKinds.look(errors.all, search, systemClock.monotonic());
      const news = told.claim(
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
export function newKindsText(count: number): string {
  return counted(
    count,
    '{0} kind of error is new since the last deployment',
    '{0} kinds of error are new since the last deployment',
  );
}
