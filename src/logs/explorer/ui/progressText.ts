import * as vscode from 'vscode';
import { second } from '../../../base/clock';
import { supportedLanguage } from '../../../base/textFormat';
import { counted } from '../../../vscode/numbers';
import type { LoadState } from '../loadProgress';

const { t } = vscode.l10n;

const language = supportedLanguage(vscode.env.language);

/** The progress of a load, and why, how long and until when it waits. */
export function progressText({ records, wait }: LoadState): string {
  const count = counted(records, '{0} record', '{0} records');
  if (wait === undefined) return count;
  const seconds = Math.ceil(wait.ms / second);
  // With the time zone, since the extension may run on another machine.
  const until = new Date(wait.until).toLocaleTimeString(language, { timeStyle: 'long' });
  return wait.error.meaning === 'rateLimited'
    ? t('{0}. Rate limit reached. Retrying in {1} s, at {2}.', count, seconds, until)
    : t('{0}. The control plane is unavailable. Retrying in {1} s, at {2}.', count, seconds, until);
}
