import type { Activity } from '../actions/activity';
import type { ActivityEntry } from '../actions/activityEntry';
import { errorOf } from '../actions/sendAction';
import { type Clock, delay } from '../api/clock';
import type { Permission } from '../api/types';
import type { ToolAnswer } from './answer';
import { entryOf } from './listing';
import { problemAnswer } from './toolProblems';

/** What a model waits for at most, in milliseconds: whether it was taken, not what becomes of it. */
const longestWait = 15_000;

/** An entry once the control plane has answered, or as it is after a while. */
export async function whenAnswered(
  activity: Activity,
  id: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<ActivityEntry | undefined> {
  const isAnswered = (): boolean => activity.find(id)?.progress.kind !== 'sending';
  const timer = new AbortController();
  const end = (): void => timer.abort();
  signal.addEventListener('abort', end);
  const unsubscribe = activity.onDidChange(() => {
    if (isAnswered()) end();
  });
  if (!isAnswered()) await delay(clock, longestWait, timer.signal).catch(() => undefined);
  unsubscribe();
  signal.removeEventListener('abort', end);
  return activity.find(id);
}

/** What became of something that a model has started, as far as is known. */
export function outcomeAnswer(
  entry: ActivityEntry | undefined,
  permission: Permission,
): ToolAnswer {
  if (entry === undefined) return { words: ['Sent. The connection has changed since.'] };
  const { progress } = entry;
  switch (progress.kind) {
    case 'sending':
      return { words: ['Sent; no answer has come yet. The person sees it in the view Activity.'] };
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
          'Sent, but no answer came that says whether it has started. Never send it again by ' +
            'yourself. The person is asked about it; look at what runs first.',
        ],
      };
  }
}

/** Where the command sent nothing. */
export const notAgreed: ToolAnswer = {
  words: [
    'Nothing was sent: the person did not agree, or was told why it cannot be done. ' +
      'Do not call this again unless they ask for it.',
  ],
};

function acceptedAnswer(entry: ActivityEntry): ToolAnswer {
  const words = [
    entry.progress.kind === 'over'
      ? 'Sent and over: see its state.'
      : 'Accepted. It goes on in the control plane; the person sees it in the view Activity.',
  ];
  if (entry.kind !== 'cleanUp' || entry.operation === undefined) return { words };
  const { state, phase, errorCode, errorMessage } = entry.operation;
  const entries = [entryOf({ state, phase, errorCode, errorMessage })];
  return { words, data: { entries, keep: 'first', noun: 'line' } };
}
