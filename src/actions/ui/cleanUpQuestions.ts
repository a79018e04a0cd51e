import * as vscode from 'vscode';
import { shortId } from '../../inventory/targets';
import { oneLine, plainText } from '../../text/plainText';
import { describe } from '../../vscode/errorMessages';
import { counted, number } from '../../vscode/numbers';
import { ask, back } from '../../vscode/quickInput';
import type { ReadonlyDocuments } from '../../vscode/readonlyDocuments';
import { randomId } from '../../vscode/host';
import type { ActivityConnection, CleanUpEntry } from '../activityEntry';
import { dialogItems, exactItem } from '../exactItems';
import { mayBeForgotten, type UnknownAnswer } from '../resumePolicy';
import { errorOf } from '../sendAction';
import type { NamedTarget } from '../targetNames';
import { connectionLine, folderWarning, nameWithId } from './commonQuestions';
import { plainTitle } from './endNotice';

const { t } = vscode.l10n;

export interface CleanUpPlan {
  readonly server: NamedTarget;
  readonly connection: ActivityConnection;
  readonly items: readonly string[];
}

/** Where a list is shown that no dialog holds. */
export interface Surroundings {
  readonly reports: ReadonlyDocuments;
  /** Of the connection. */
  readonly lifetime: AbortSignal;
}

/**
 * Shows what is sent, exactly, and where. More than one item, more than the dialog holds, and a server
 * that a folder has named want to be typed for: the user's own name of the server, else its id.
 */
export async function confirmCleanUp(plan: CleanUpPlan, around: Surroundings): Promise<boolean> {
  const { server, items } = plan;
  const isShownWhole = await confirmItems(plan, around, {
    title: counted(
      items.length,
      'Clean up {0} item on {1}?',
      'Clean up {0} items on {1}?',
      nameOf(server),
    ),
    go: t('Clean Up'),
    note: t(
      'The control plane removes the items with these names from the server. This cannot be undone.',
    ),
  });
  if (isShownWhole === undefined) return false;
  const isFree = isShownWhole && items.length === 1 && server.namedBy !== 'folder';
  return isFree || typed(plan, around);
}

interface Dialog {
  readonly title: string;
  readonly go: string;
  /** What there is to know besides what is sent where. */
  readonly note: string;
}

/** Whether the dialog showed every item whole; undefined if it was dismissed. */
async function confirmItems(
  plan: CleanUpPlan,
  { reports, lifetime }: Surroundings,
  { title, go, note }: Dialog,
): Promise<boolean | undefined> {
  const { items } = plan;
  const { lines, isWhole } = dialogItems(items, t);
  if (!isWhole) {
    // Behind the dialog and beside the box that comes after it, in which it can be read.
    const name = `${t('Items to Clean Up')} ${shortId(randomId())}.txt`;
    await reports.show(name, documentOf(title, plan), lifetime);
  }
  const more = items.length - lines.length;
  const list = more > 0 ? [...lines, t('and {0} more', number(more))] : lines;
  const hint = t('The open document lists all items in full. Read it before you continue.');
  const detail = [
    placeLines(plan).join('\n'),
    list.join('\n'),
    ...(isWhole ? [] : [hint]),
    note,
  ].join('\n\n');
  const chosen = await vscode.window.showWarningMessage(title, { modal: true, detail }, go);
  return chosen === go ? isWhole : undefined;
}

function placeLines({ server, connection }: CleanUpPlan): readonly string[] {
  return [
    t('Server: {0}', nameWithId(server.name, server.id)),
    ...folderWarning(server),
    connectionLine(connection),
  ];
}

function documentOf(title: string, plan: CleanUpPlan): string {
  const items = plan.items.map((name) => exactItem(name, { t }));
  return [title, '', ...placeLines(plan), '', ...items, ''].join('\n');
}

function nameOf({ name }: Pick<NamedTarget, 'name'>): string {
  return plainText(name, 100);
}

/** Has the name of the server typed, or its id if the name is not the user's own. */
async function typed({ server, items }: CleanUpPlan, { lifetime }: Surroundings): Promise<boolean> {
  const isName = server.namedBy === 'user';
  const wanted = isName ? oneLine(server.name) : shortId(server.id);
  const shown = isName ? nameOf(server) : wanted;
  const answer = await ask({
    title: counted(
      items.length,
      'Clean Up {0} Item on {1}',
      'Clean Up {0} Items on {1}',
      nameOf(server),
    ),
    prompt: isName
      ? t('Type the name of the server, {0}, to clean it up.', shown)
      : t('Type the id of the server, {0}, to clean it up.', shown),
    placeholder: shown,
    problemOf(value) {
      const isIt = isName
        ? value === wanted
        : [wanted, server.id].some((id) => id.toLowerCase() === value.toLowerCase());
      if (isIt) return undefined;
      return isName
        ? t('This is not the name of the server ({0}).', shown)
        : t('This is not the id of the server ({0}).', shown);
    },
    lifetime,
  });
  return answer !== undefined && answer !== back;
}

/**
 * What is to become of a clean-up of which no answer came. Sending it again is as destructive as
 * sending it once: the modal names server and items again.
 */
export async function askAboutUnknown(
  entry: CleanUpEntry,
  around: Surroundings,
): Promise<UnknownAnswer> {
  const [again, leave] = [t('Send Again…'), t('Leave It')];
  const words = [
    t('it may or may not have started.'),
    unknownText(entry),
    mayBeForgotten(entry, Date.now())
      ? ''
      : t(
          'You can send it again with the same idempotency key; the control plane runs it only once.',
        ),
  ];
  const message = `${plainTitle(entry)}: ${words.join(' ')}`.trimEnd();
  const chosen = await vscode.window.showWarningMessage(message, again, leave);
  if (chosen === leave) return 'leave';
  return chosen === again && (await confirmAgain(entry, around)) ? 'send' : undefined;
}

export async function confirmAgain(entry: CleanUpEntry, around: Surroundings): Promise<boolean> {
  const { serverId, serverName, items, connection } = entry;
  // Who called it so was told when it was sent first; the id is what counts now.
  const server = { id: serverId, name: serverName, namedBy: 'api' as const };
  const plan = { server, connection, items };
  const isShownWhole = await confirmItems(plan, around, {
    title: counted(
      items.length,
      'Send the clean-up of {0} item on {1} again?',
      'Send the clean-up of {0} items on {1} again?',
      nameOf(server),
    ),
    go: t('Send Again'),
    note: mayBeForgotten(entry, Date.now())
      ? t(
          'It was first sent more than a day ago. If the control plane no longer knows the idempotency key, this starts a second clean-up.',
        )
      : t(
          'The idempotency key and the items are unchanged. If the first request started a clean-up, no second one starts.',
        ),
  });
  return isShownWhole === true || (isShownWhole === false && typed(plan, around));
}

/** Why nobody knows what became of a clean-up. */
function unknownText({ progress }: CleanUpEntry): string {
  if (progress.kind !== 'unknown') return '';
  if (progress.why === 'interrupted') {
    return t('The window or the connection was closed before the response arrived.');
  }
  return progress.problem === undefined
    ? t('There was no response.')
    : describe(errorOf(progress.problem));
}
