import * as vscode from 'vscode';
import { ask, back } from '../platform/inputs';
import { counted } from '../platform/numbers';
import { oneLine, plainText } from '../platform/plainText';
import { mayBeForgotten, type UnknownAnswer } from '../workspace/operations/cleanUp';
import type { CleanUpEntry } from '../workspace/operations/entries';
import { itemLines, plainTitle, unknownWords } from './operationWords';

const { t } = vscode.l10n;

export interface CleanUpPlan {
  readonly serverName: string;
  readonly items: readonly string[];
}

/** Names server and items, and has the name of the server typed for more than one. */
export async function confirmCleanUp(
  { serverName, items }: CleanUpPlan,
  lifetime: AbortSignal,
): Promise<boolean> {
  const name = plainText(serverName, 100);
  const go = t('Clean Up');
  const chosen = await vscode.window.showWarningMessage(
    counted(items.length, 'Clean up {0} item on {1}?', 'Clean up {0} items on {1}?', name),
    {
      modal: true,
      detail: `${itemLines(items)}\n\n${t('The control plane removes what it finds under these names on the server. This cannot be undone.')}`,
    },
    go,
  );
  if (chosen !== go) return false;
  if (items.length === 1) return true;
  const wanted = oneLine(serverName);
  const typed = await ask({
    title: counted(items.length, 'Clean Up {0} Item on {1}', 'Clean Up {0} Items on {1}', name),
    prompt: t('Type the name of the server, {0}, to clean it up.', name),
    placeholder: name,
    problemOf: (value) =>
      value === wanted ? undefined : t('Not the name of the server, {0}.', name),
    lifetime,
  });
  return typed !== undefined && typed !== back;
}

/**
 * What is to become of a clean-up of which no answer came. Sending it again is as destructive as
 * sending it once: the modal names server and items again.
 */
export async function askAboutUnknown(entry: CleanUpEntry): Promise<UnknownAnswer> {
  const [again, leave] = [t('Send Again…'), t('Leave It')];
  const words = [
    t('whether it has started is not known.'),
    unknownWords(entry),
    mayBeForgotten(entry, Date.now())
      ? ''
      : t('It can be sent again with the same idempotency key, so that it happens once.'),
  ];
  const message = `${plainTitle(entry)}: ${words.join(' ')}`.trimEnd();
  const chosen = await vscode.window.showWarningMessage(message, again, leave);
  if (chosen === leave) return 'leave';
  return chosen === again && (await confirmAgain(entry)) ? 'send' : undefined;
}

export async function confirmAgain(entry: CleanUpEntry): Promise<boolean> {
  const { serverName, items } = entry;
  const name = plainText(serverName, 100);
  const go = t('Send Again');
  const key = mayBeForgotten(entry, Date.now())
    ? t(
        'It was first sent more than a day ago. The control plane may have forgotten its idempotency key by now; then this starts a second clean-up.',
      )
    : t(
        'The idempotency key and the items are those of the first time: if that has started, no second one does.',
      );
  const chosen = await vscode.window.showWarningMessage(
    counted(
      items.length,
      'Send the clean-up of {0} item on {1} again?',
      'Send the clean-up of {0} items on {1} again?',
      name,
    ),
    { modal: true, detail: `${itemLines(items)}\n\n${key}` },
    go,
  );
  return chosen === go;
}
