import * as vscode from 'vscode';
import { second } from '../../../api/clock';
import { supportedLanguage } from '../../../text/textFormat';
import { counted } from '../../../vscode/numbers';
import type { LoadState } from '../progress';

const { t } = vscode.l10n;

const language = supportedLanguage(vscode.env.language);

/** How far a load is; where it waits also why, how long and until when. */
export function progressText({ records, wait }: LoadState): string {
  const count = counted(records, '{0} record', '{0} records');
  if (wait === undefined) return count;
  const seconds = Math.ceil(wait.ms / second);
  // With the zone, since the extension may run on a machine of another one.
  const until = new Date(wait.until).toLocaleTimeString(language, { timeStyle: 'long' });
  return wait.error.status === 429
    ? t('{0}. The control plane asks to wait {1} s, until {2}.', count, seconds, until)
    : t(
        '{0}. The control plane cannot answer now: next try in {1} s, at {2}.',
        count,
        seconds,
        until,
      );
}
