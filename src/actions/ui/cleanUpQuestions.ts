import * as vscode from 'vscode';
import type { Activity, ResendChoice } from '../../activity/activity';
import type { ActivityConnection, ActivityEntry } from '../../activity/activityEntry';
import { isOfKind } from '../../activity/entryKind';
import { errorOf } from '../../activity/problems';
import { plainTitle } from '../../activity/ui/progressNotifications';
import { oneLine, plainText } from '../../base/untrustedText';
import type { Session } from '../../connection/ui/session';
import { isSameId, shortId } from '../../data/targets';
import type { Views } from '../../trees/ui/views';
import { registerCommand } from '../../vscode/commands';
import { commands } from '../../vscode/contributions';
import { describe } from '../../vscode/errorMessages';
import { randomId } from '../../vscode/extensionHost';
import { counted, number } from '../../vscode/numbers';
import { ask, back } from '../../vscode/quickInput';
import type { ReadonlyDocuments } from '../../vscode/readonlyDocuments';
import { dialogItems, escapedItem } from '../itemNames';
import { type CleanUpEntry, cleanUpKind, mayBeForgotten } from '../kinds/cleanUp';
import { isNamedByOthers, type NamedServer } from '../targetNames';
import { connectionLine, nameWarning, nameWithId } from './confirmations';

const { t } = vscode.l10n;

export interface CleanUpPlan {
  readonly server: NamedServer;
  readonly connection: ActivityConnection;
  readonly items: readonly string[];
  /** The items that are no orphans, each with the source that deploys it if one does. Untrusted. */
  readonly known: readonly { readonly name: string; readonly source?: string }[];
}

/**
 * Shows exactly what is sent, and to which server, in one dialog. The user must also type the name that they gave
 * the server, or its id if they gave none, if there are several items, if they do not fit into the dialog, or if
 * the server is like production, or named by a folder or another program; and before that the name of each item
 * that is deployed or runs, which is no orphan.
 *
 * @param lifetime aborted when the connection closes.
 */
export async function confirmCleanUp(
  plan: CleanUpPlan,
  reports: ReadonlyDocuments,
  lifetime: AbortSignal,
): Promise<boolean> {
  const { server, items } = plan;
  const dialog = {
    title: counted(
      items.length,
      'Clean up {0} item on {1}?',
      'Clean up {0} items on {1}?',
      nameOf(server),
    ),
    button: t('Clean Up'),
    note: t(
      'The control plane removes the items with these names from the server. This cannot be undone.',
    ),
  };
  const isShownWhole = await confirmItems(plan, dialog, reports, lifetime);
  if (isShownWhole === undefined) return false;
  for (const item of plan.known) if (!(await confirmKnown(item, server, lifetime))) return false;
  const isHarmless = !isNamedByOthers(server) && !server.isLikeProduction;
  return (isShownWhole && items.length === 1 && isHarmless) || confirmByTyping(plan, lifetime);
}

interface Dialog {
  readonly title: string;
  readonly button: string;
  /** The text below the items. */
  readonly note: string;
}

/** Returns whether the dialog showed all items in full, or undefined if it was dismissed. */
async function confirmItems(
  plan: CleanUpPlan,
  { title, button, note }: Dialog,
  reports: ReadonlyDocuments,
  lifetime: AbortSignal,
): Promise<boolean | undefined> {
  const { items } = plan;
  const { lines, isWhole } = dialogItems(items, t);
  if (!isWhole) {
    // The document opens behind the dialog. The user can read it while the input box is open.
    const name = `${t('Items to Clean Up')} ${shortId(randomId())}.txt`;
    await reports.show(name, documentOf(title, plan), lifetime);
  }
  const more = items.length - lines.length;
  const list = more > 0 ? [...lines, t('and {0} more', number(more))] : lines;
  const hint = t('The open document lists all items in full. Read it before you continue.');
  const detail = [
    placeLines(plan).join('\n'),
    list.join('\n'),
    ...plan.known.slice(0, mostKnown).map(knownText),
    ...(isWhole ? [] : [hint]),
    note,
  ].join('\n\n');
  const chosen = await vscode.window.showWarningMessage(title, { modal: true, detail }, button);
  return chosen === button ? isWhole : undefined;
}

function placeLines({ server, connection }: CleanUpPlan): readonly string[] {
  return [
    t('Server: {0}', nameWithId(server.name, server.id)),
    ...nameWarning(server),
    connectionLine(connection),
  ];
}

function documentOf(title: string, plan: CleanUpPlan): string {
  const items = plan.items.map((name) => escapedItem(name, t));
  return [title, '', ...placeLines(plan), '', ...items, ''].join('\n');
}

function nameOf({ name }: Pick<NamedServer, 'name'>): string {
  return plainText(name, 100);
}

/** How many items that are no orphans the dialog names; each is asked about. */
const mostKnown = 3;

function knownText({ name, source }: CleanUpPlan['known'][number]): string {
  const item = escapedItem(name, t);
  return source === undefined
    ? t('{0} runs on this server and is not an orphan.', item)
    : t('{0} is deployed from {1} and is not an orphan.', item, plainText(source, 100));
}

/** Asks the user to type the name of an item that is no orphan. */
async function confirmKnown(
  item: CleanUpPlan['known'][number],
  server: NamedServer,
  lifetime: AbortSignal,
): Promise<boolean> {
  const shown = escapedItem(item.name, t);
  const answer = await ask({
    title: t('Clean Up {0} on {1}', shown, nameOf(server)),
    prompt: t('{0} Type its name to remove it.', knownText(item)),
    placeholder: shown,
    problemOf: (value) =>
      value === item.name ? undefined : t('This is not the name of the item ({0}).', shown),
    lifetime,
  });
  return answer !== undefined && answer !== back;
}

/** Asks the user to type the name of the server, or its id if the user did not give it the name. */
async function confirmByTyping(
  { server, items }: CleanUpPlan,
  lifetime: AbortSignal,
): Promise<boolean> {
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
      : t('Type the ID of the server, {0}, to clean it up.', shown),
    placeholder: shown,
    problemOf(value) {
      const isIt = isName
        ? value === wanted
        : [wanted, server.id].some((id) => isSameId(id, value));
      if (isIt) return undefined;
      return isName
        ? t('This is not the name of the server ({0}).', shown)
        : t('This is not the ID of the server ({0}).', shown);
    },
    lifetime,
  });
  return answer !== undefined && answer !== back;
}

/**
 * Asks what to do with a clean-up without a response. Sending it again is as destructive as the first
 * time, so the dialog shows server and items again.
 */
export async function askAboutUnknown(
  entry: ActivityEntry,
  session: Session,
  reports: ReadonlyDocuments,
  lifetime: AbortSignal,
): Promise<ResendChoice> {
  if (!isOfKind(entry, cleanUpKind)) return undefined;
  const [again, leave] = [t('Send Again…'), t("Don't Send")];
  const words = [
    t('it may or may not have started.'),
    unknownText(entry),
    mayBeForgotten(entry, session.serverNow())
      ? ''
      : t(
          'You can send it again with the same idempotency key; the control plane runs it only once.',
        ),
  ];
  const message =
    `${plainTitle(cleanUpKind.title(entry, { t, counted }))}: ${words.join(' ')}`.trimEnd();
  const chosen = await vscode.window.showWarningMessage(message, again, leave);
  if (chosen === leave) return 'leave';
  return chosen === again && (await confirmAgain(entry, session, reports, lifetime))
    ? 'send'
    : undefined;
}

/** Registers `sendAgain`, the command of the row of a clean-up of unknown outcome. */
export function registerSendAgain(
  session: Session,
  activity: Activity,
  views: Views,
  reports: ReadonlyDocuments,
): vscode.Disposable {
  return registerCommand(commands.sendAgain, async (argument) => {
    const { key = '' } = views.nodeOf(argument)?.target ?? {};
    const entry = activity.find(key);
    const lifetime = session.signedIn?.signal ?? AbortSignal.abort();
    if (!isOfKind(entry, cleanUpKind)) return;
    if (await confirmAgain(entry, session, reports, lifetime)) activity.sendAgain(entry.id);
  });
}

async function confirmAgain(
  entry: CleanUpEntry,
  session: Session,
  reports: ReadonlyDocuments,
  lifetime: AbortSignal,
): Promise<boolean> {
  const { serverId, serverName, items, connection } = entry;
  // The first dialog said where the name comes from. Now the id decides.
  const server: NamedServer = {
    id: serverId,
    name: serverName,
    namedBy: 'api',
    isLikeProduction: true,
  };
  // What is no orphan was named and typed before it was sent first.
  const plan = { server, connection, items, known: [] };
  const dialog = {
    title: counted(
      items.length,
      'Send the clean-up of {0} item on {1} again?',
      'Send the clean-up of {0} items on {1} again?',
      nameOf(server),
    ),
    button: t('Send Again'),
    note: mayBeForgotten(entry, session.serverNow())
      ? t(
          'It was first sent more than a day ago. If the control plane no longer knows the idempotency key, this starts a second clean-up.',
        )
      : t(
          'The idempotency key and the items are unchanged. If the first request started a clean-up, no second one starts.',
        ),
  };
  const isShownWhole = await confirmItems(plan, dialog, reports, lifetime);
  return isShownWhole === true || (isShownWhole === false && confirmByTyping(plan, lifetime));
}

/** Why the outcome of a clean-up is unknown. */
function unknownText({ progress }: CleanUpEntry): string {
  if (progress.kind !== 'unknown') return '';
  if (progress.why === 'interrupted') {
    return t('The window or the connection was closed before the response arrived.');
  }
  if (progress.why === 'stopped') return t('You stopped it before a response arrived.');
  return progress.problem === undefined
    ? t('There was no response.')
    : describe(errorOf(progress.problem));
}
