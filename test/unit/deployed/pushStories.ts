import type { CommitAge, HistoryReader } from '../../../src/commits/commitFacts';
import type { PushState } from '../../../src/deployed/push';

/** Commits of one line, oldest first. The pushed one is in the middle. */
const commits = ['1', '2', '3', '4', '5'].map((digit) => digit.repeat(40));
export const [, older = '', sha = '', newer = ''] = commits;
const stranger = 'e'.repeat(40);
/** What replaces the pushed one if that is pushed by force. */
const amended = 'f'.repeat(40);

/** How a commit relates to the pushed one. */
export function ageOf(commit: string): CommitAge {
  if (commit === amended) return 'newer';
  const at = commits.indexOf(commit);
  return at < 0 ? 'unknown' : at < commits.indexOf(sha) ? 'older' : at > 2 ? 'newer' : 'unknown';
}

/** A deployment as it becomes, by seconds since the push. */
export interface Run {
  readonly commit: string;
  readonly created: number;
  readonly started?: number;
  readonly finished?: number;
  /** The state from each second on. */
  readonly states: readonly (readonly [second: number, state: string])[];
  readonly errorCode?: string;
  /** Whether the server never says when it ended. */
  readonly hasNoEnd?: boolean;
}

/** What happens to one app, and what is true of it at a time. */
export interface Story {
  readonly name: string;
  readonly runs: readonly Run[];
  readonly truth: (second: number) => PushState;
  readonly isJob?: boolean;
}

export const run = (
  commit: string,
  created: number,
  finished: number,
  state: string,
  more: Partial<Run> = {},
): Run => {
  const started = created + (finished - created) / 4;
  const states = [
    [created, 'queued'],
    [started, 'building'],
    [finished, state],
  ] as const;
  return { commit, created, started, finished, states, ...more };
};

const since =
  (...steps: readonly (readonly [number, PushState])[]) =>
  (second: number): PushState =>
    steps.filter(([from]) => second >= from).at(-1)?.[1] ?? 'waiting';

/** The live commit before the push. */
const before = run(older, -5000, -4900, 'succeeded');

/** @param c when its deployment is created. @param f when it ends. */
export const stories = (c: number, f: number): readonly Story[] => [
  {
    name: 'succeeds',
    runs: [before, run(sha, c, f, 'succeeded')],
    truth: since([c, 'deploying'], [f, 'live']),
  },
  {
    name: 'fails',
    runs: [before, run(sha, c, f, 'failed', { errorCode: 'BUILD_FAILED' })],
    truth: since([c, 'deploying'], [f, 'failed']),
  },
  {
    name: 'fails and is tried again',
    runs: [before, run(sha, c, f, 'failed'), run(sha, f + 20, f + 60, 'succeeded')],
    truth: since([c, 'deploying'], [f, 'failed'], [f + 20, 'deploying'], [f + 60, 'live']),
  },
  {
    name: 'is cancelled for a newer commit',
    runs: [before, run(sha, c, f, 'cancelled'), run(newer, f, f + 50, 'succeeded')],
    truth: since([c, 'deploying'], [f, 'overtaken']),
  },
  {
    name: 'is skipped for a newer commit',
    runs: [before, run(newer, c, f, 'succeeded')],
    truth: since([c, 'overtaken']),
  },
  {
    name: 'is amended, and pushed by force',
    runs: [before, run(sha, c, f + 90, 'cancelled'), run(amended, f, f + 50, 'succeeded')],
    truth: since([c, 'deploying'], [f, 'overtaken']),
  },
  {
    name: 'was live once, before a force push',
    runs: [run(sha, -9000, -8900, 'succeeded'), before, run(sha, c, f, 'succeeded')],
    truth: since([c, 'deploying'], [f, 'live']),
  },
  {
    name: 'is what runs already',
    runs: [before, run(sha, -300, -200, 'succeeded')],
    truth: since([-200, 'live']),
  },
  {
    name: 'is rolled back later',
    runs: [before, run(sha, c, f, 'succeeded'), run(older, f + 1, f + 30, 'succeeded')],
    truth: since([c, 'deploying'], [f, 'live']),
  },
  {
    name: 'waits for an older one',
    runs: [before, run(older, 1, c, 'succeeded'), run(sha, c, f, 'succeeded')],
    truth: since([c, 'deploying'], [f, 'live']),
  },
  {
    name: 'is replaced when it is live',
    runs: [
      before,
      run(sha, c, f, 'live', {
        states: [
          [c, 'queued'],
          [f, 'live'],
          [f + 18, 'superseded'],
        ],
      }),
      run(newer, f + 15, f + 18, 'live'),
    ],
    truth: since([c, 'deploying'], [f, 'live']),
  },
  {
    name: 'has a state of its own, and an end',
    runs: [before, run(sha, c, f, 'frobnicated')],
    truth: since([c, 'deploying'], [f, 'ended']),
  },
  {
    name: 'has a state of its own, an end and an error',
    runs: [before, run(sha, c, f, 'frobnicated', { errorCode: 'OUT_OF_MEMORY' })],
    truth: since([c, 'deploying'], [f, 'failed']),
  },
  {
    name: 'has a state of its own and no end',
    runs: [before, run(sha, c, f, 'frobnicated', { hasNoEnd: true })],
    truth: since([c, 'deploying'], [f + 300, 'ended']),
  },
  {
    name: 'meets a commit of another line',
    runs: [before, run(stranger, 1, 2, 'succeeded'), run(sha, c, f, 'succeeded')],
    truth: since([c, 'deploying'], [f, 'live']),
  },
  { name: 'never comes', runs: [before], truth: since() },
  { name: 'is a job that is not deployed', runs: [before], truth: since(), isJob: true },
  {
    name: 'is a job that is deployed',
    runs: [before, run(sha, c, f, 'failed')],
    truth: since([c, 'deploying'], [f, 'failed']),
    isJob: true,
  },
];

/** Git, where these commits were pushed, and maybe one of them by force. */
export function historyOf(isForced: boolean): HistoryReader {
  const lineOf = (commit: string): readonly string[] =>
    commit === amended
      ? [...commits.slice(0, 2), amended]
      : commits.slice(0, commits.indexOf(commit) + 1);
  return {
    holds: (commit) => Promise.resolve(lineOf(commit).length > 0),
    count(from, to) {
      const has = new Set(lineOf(from));
      return Promise.resolve(lineOf(to).filter((one) => !has.has(one)).length);
    },
    resolve: () => Promise.resolve(isForced ? amended : sha),
  };
}
