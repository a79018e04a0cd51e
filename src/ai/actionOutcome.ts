import type { EnvironmentTarget } from '../actions/environmentDeployments';
import { escapedItem } from '../actions/itemNames';
import { environmentNames, resourceCount, resourceNames } from '../actions/targetNames';
import type { Activity } from '../activity/activity';
import type { ActivityEntry } from '../activity/activityEntry';
import type { EntryKinds } from '../activity/entryKind';
import { errorOf } from '../activity/problems';
import type { Permission } from '../api/types';
import { atMost, type Clock } from '../base/clock';
import type { Disposable } from '../base/event';
import { serverName, type DataContext } from '../data/labels';
import type { ToolAnswer } from './answer';
import { problemAnswer } from './toolProblems';

/** How long a model waits for the response to the request, in milliseconds; not for the result. */
const longestAnswer = 25_000;

/** Waits up to 25 s for the response of the control plane and returns the entry as it is then. */
export async function whenAnswered(
  activity: Activity,
  id: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<ActivityEntry | undefined> {
  let subscription: Disposable | undefined;
  const answered = new Promise<void>((resolve) => {
    const look = (): void => {
      if (!['preparing', 'sending'].includes(activity.find(id)?.progress.kind ?? '')) resolve();
    };
    subscription = activity.onDidChange(look);
    look();
  });
  await atMost(longestAnswer, answered, clock, signal).catch(() => undefined);
  subscription?.dispose();
  return activity.find(id);
}

/** Tells a model what is known about an action that it started. */
export function outcomeAnswer(
  entry: ActivityEntry | undefined,
  kinds: EntryKinds,
  permission: Permission,
): ToolAnswer {
  if (entry === undefined) return { words: ['Sent. The connection was changed since then.'] };
  const { progress } = entry;
  switch (progress.kind) {
    case 'preparing':
      return { words: ['Not sent yet. The user can see it in the Activity view.'] };
    case 'sending':
      return { words: ['Sent; no response yet. The user can see it in the Activity view.'] };
    case 'following':
    case 'left':
    case 'over':
      return acceptedAnswer(entry, kinds);
    case 'refused':
      return progress.problem.kind === 'cancelled'
        ? notAgreed
        : problemAnswer(errorOf(progress.problem), permission);
    case 'unknown':
      return {
        words: [
          'Sent, but there was no response: it may or may not have started. Do not send it again ' +
            'yourself. The user is asked what to do; check what runs first.',
        ],
      };
  }
}

/** The answer if the command sent nothing. */
export const notAgreed: ToolAnswer = {
  words: [
    'Nothing was sent: the user did not confirm it, or was told why it is not possible. ' +
      'Do not call this again unless the user asks for it.',
  ],
};

function acceptedAnswer(entry: ActivityEntry, kinds: EntryKinds): ToolAnswer {
  const words = [
    entry.progress.kind === 'over'
      ? 'Finished: see its state.'
      : 'Accepted. It runs in the control plane; the user can see it in the Activity view.',
  ];
  const operation = kinds.of(entry).operation?.(entry);
  if (operation === undefined) return { words };
  const { state, phase, errorCode, errorMessage } = operation;
  const entries = [{ state, phase, errorCode, errorMessage }];
  return { words, data: { entries, keep: 'first', noun: 'line' } };
}

/** What the user confirms, in the user's language; names are untrusted. */
export interface ConfirmationPlan {
  readonly title: string;
  /** The action, its target and the connection. */
  readonly what: string;
  /** The line above the items. */
  readonly itemsTitle: string;
  /** Some or all of the items, in order: one line each, with all characters visible. */
  readonly items: readonly string[];
  /** How many more items there are, and further notes. */
  readonly notes: readonly string[];
}

/** The most items of a clean-up, so that the user sees each one. Large environments have more. */
const maxNamed = 100;

export function syncPlan(
  context: DataContext,
  connection: string,
  target: EnvironmentTarget,
): ConfirmationPlan {
  const { t } = context;
  const { sourceName, environmentName } = environmentNames(context, target);
  const names = resourceNames(context, target);
  const total = Math.max(names.length, resourceCount(context, target));
  return {
    title: t('Sync an environment?'),
    what: t(
      'Sync the environment {0} of the source {1} on the connection {2}.',
      named(environmentName, target.environmentId),
      named(sourceName, target.sourceId),
      connection,
    ),
    itemsTitle:
      names.length === 0
        ? t('Its apps and jobs are unknown.')
        : t('The control plane may deploy these apps and jobs:'),
    items: names.slice(0, maxNamed).map((name) => itemLine(name, context)),
    notes: [
      ...more(total - Math.min(names.length, maxNamed), context),
      t('It is sent once. A dialog asks you to confirm again.'),
    ],
  };
}

export function cleanUpPlan(
  context: DataContext,
  connection: string,
  { serverId, items }: { readonly serverId: string; readonly items: readonly string[] },
): ConfirmationPlan {
  const { t } = context;
  return {
    title: t('Clean up a server?'),
    what: t(
      'Clean up the server {0} on the connection {1}.',
      named(serverName(context, serverId), serverId),
      connection,
    ),
    itemsTitle: t('The control plane removes the items with these names:'),
    items: items.slice(0, maxNamed).map((name) => itemLine(name, context)),
    notes: [
      ...more(items.length - maxNamed, context),
      t('This cannot be undone. A dialog asks you to confirm again.'),
    ],
  };
}

/** Markup characters are shown as codes. */
function itemLine(name: string, { t }: DataContext): string {
  return escapedItem(name, t, 300, '<&');
}

function more(rest: number, { t }: DataContext): string[] {
  return rest <= 0 ? [] : [t('and {0} more', rest)];
}

/** Names are not unique, so the id is shown too. */
function named(name: string, id: string): string {
  return id.toLowerCase().startsWith(name.toLowerCase()) ? id : `${name} (${id})`;
}
