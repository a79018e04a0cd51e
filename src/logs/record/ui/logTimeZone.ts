import type { Session } from '../../../connection/ui/session';
import { logSettings } from '../../../vscode/settings';

/**
 * The time zone of log times: `utc`, `local` or an IANA name. The zone of the workspace is UTC until a
 * response names it.
 */
export function logTimeZone(session: Pick<Session, 'timeZone'>): string {
  const { timeZone } = logSettings();
  return timeZone === 'workspace' ? (session.timeZone ?? 'utc') : timeZone;
}
