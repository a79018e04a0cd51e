import type { Activity } from '../actions/activity';
import type { ActivityEntry } from '../actions/activityEntry';
import { errorOf } from '../actions/sendAction';
import { atMost, type Clock } from '../base/clock';
import type { Permission } from '../api/types';
import type { Disposable } from '../base/event';
import type { ToolAnswer } from './answer';
import { problemAnswer } from './toolProblems';

/** How long a model waits for the response to the request, in milliseconds; not for the result. */
const longestWait = 25_000;

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
  await atMost(longestWait, answered, clock, signal).catch(() => undefined);
  subscription?.dispose();
  return activity.find(id);
}

/** Tells a model what is known about an action that it started. */
export function outcomeAnswer(
  entry: ActivityEntry | undefined,
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
      return acceptedAnswer(entry);
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

function acceptedAnswer(entry: ActivityEntry): ToolAnswer {
  const words = [
    entry.progress.kind === 'over'
      ? 'Finished: see its state.'
      : 'Accepted. It runs in the control plane; the user can see it in the Activity view.',
  ];
  if (entry.kind !== 'cleanUp' || entry.operation === undefined) return { words };
  const { state, phase, errorCode, errorMessage } = entry.operation;
  const entries = [{ state, phase, errorCode, errorMessage }];
  return { words, data: { entries, keep: 'first', noun: 'line' } };
}
