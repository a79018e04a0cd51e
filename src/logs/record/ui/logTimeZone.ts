import type { Session } from '../../../connection/ui/session';
import { logSettings } from '../../../vscode/settings';

/**
 * The zone of the times of logs: `utc`, `local` or an IANA name. The workspace's own is UTC until an
 * answer has named it.
 */
export function logTimeZone(session: Pick<Session, 'timeZone'>): string {
  const { timeZone } = logSettings();
  return timeZone === 'workspace' ? (session.timeZone ?? 'utc') : timeZone;
}
