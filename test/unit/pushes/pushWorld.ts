import type { LogQueryRequest, LogQueryResponse, LogRecord } from '../../../src/api/types';
import { logAnswer } from '../data/fakeClient';
import type { HistoryReader } from '../../../src/commits/commitFacts';
import { matches } from '../../../src/logs/query/matches';
import { sampleRecord } from '../logs/sampleRecord';
import { uuid } from '../trees/treeText';

/*
 * A control plane that deploys, and what is really so there. All times are in seconds since the push, by the server's
 * clock. What the API says of a deployment is made of what really happens to it, never the other way round.
 */

/** Commits of one line, oldest first, and one that is on another line. */
export const commits = ['1', '2', '3', '4', '5'].map((digit) => digit.repeat(40));
export const stranger = 'e'.repeat(40);

/** What really happens to a deployment. */
export interface Run {
  readonly commit: string;
  readonly created: number;
  /** Undefined: it never starts. */
  readonly started?: number | undefined;
  readonly ended: number;
  /** The word of its state when it has ended. */
  readonly word: string;
  /** Whether its code runs from its end on. */
  readonly isLive: boolean;
  /** When its state becomes `superseded`, after it ran. */
  readonly replaced?: number | undefined;
  readonly isPreview?: boolean;
}

/** An app or job, and what happens to it. */
export interface App {
  readonly runs: readonly Run[];
  readonly kind: 'app' | 'job';
  readonly autoDeploy: boolean;
  readonly isReadable: boolean;
  /** When its environment no longer has it. */
  readonly removed?: number | undefined;
  /** The number of its environment. */
  readonly environment: number;
  /** Whether the pushed commit has an error of its own, and the next one. */
  readonly brings: boolean;
  readonly nextBrings: boolean;
}

export const environments = [
  { id: uuid(50), name: 'production' },
  { id: uuid(51), name: 'staging' },
];

export class World {
  constructor(
    readonly apps: readonly App[],
    readonly sha: string,
    /** When it is second 0, in milliseconds since 1970 by the server's clock. */
    private readonly origin: number,
    private readonly hasIds: boolean,
  ) {}

  private time(second: number): string {
    return new Date(this.origin + second * 1000).toISOString();
  }

  resources(second: number): object[] {
    return this.apps.flatMap(({ removed = Infinity, kind, autoDeploy, environment }, at) => {
      if (second >= removed && at % 2 === 0) return [];
      const archived = second >= removed ? { archivedAt: this.time(removed) } : {};
      const shared = { id: uuid(at + 1), name: `app-${at}`, kind, config: { autoDeploy } };
      return [{ ...shared, environment: environments[environment], ...archived }];
    });
  }

  deployments(id: string, second: number): object[] {
    const at = this.apps.findIndex((_, index) => uuid(index + 1) === id);
    const app = this.apps[at];
    return (app?.runs ?? []).flatMap((run, index) => {
      const { commit, created, started = Infinity, ended, word, replaced = Infinity } = run;
      if (second < created) return [];
      const state =
        second >= replaced
          ? 'superseded'
          : second >= ended
            ? word
            : second >= started
              ? 'building'
              : 'queued';
      return [
        {
          ...{ id: idOf(at, index), commitSha: commit, state, createdAt: this.time(created) },
          ...(second >= started ? { startedAt: this.time(started) } : {}),
          ...(second >= ended ? { finishedAt: this.time(ended) } : {}),
          ...(run.isPreview === true
            ? { environment: 'preview', gitRef: 'refs/heads/main' }
            : {
                environment: 'production',
                targetEnvironment: environments[app?.environment ?? 0],
              }),
        },
      ];
    });
  }

  /** What runs at a time in an environment; undefined for nothing. */
  running(app: App, second: number): Run | undefined {
    return app.runs
      .filter(({ isLive, ended, isPreview }) => isLive && ended <= second && isPreview !== true)
      .sort((a, b) => b.ended - a.ended)[0];
  }

  /** The runs of the pushed commit since the push. */
  own(app: App): readonly Run[] {
    return app.runs.filter((run) => run.commit === this.sha && run.created >= 0 && !run.isPreview);
  }

  /** Whether the pushed commit has run since the push. */
  hasRun(app: App, second: number): boolean {
    const isBefore = this.running(app, 0)?.commit === this.sha;
    return isBefore || this.own(app).some(({ isLive, ended }) => isLive && ended <= second);
  }

  /** Whether the push has to reach an app, as far as that can be known. */
  counts(
    { kind, autoDeploy, isReadable, removed = Infinity, ...app }: App,
    second: number,
  ): boolean {
    const isOptional = kind === 'job' || !autoDeploy;
    const isDeployed = this.own({ ...app, kind, autoDeploy, isReadable }).some(
      ({ created }) => created <= second,
    );
    return isReadable && second < removed && (!isOptional || isDeployed);
  }

  /** What an app has logged. The old error is always as frequent; a new one is that of its deployment. */
  private records(app: App, at: number, second: number): LogRecord[] {
    const made: LogRecord[] = [];
    /** @param isSaid whether what runs then says it. */
    const write = (
      when: number,
      severity: 'info' | 'error',
      body: string,
      isSaid: (run: Run | undefined) => boolean = () => true,
    ): void => {
      const run = this.running(app, when);
      if (!isSaid(run)) return;
      const timestamp = this.time(when);
      made.push(
        sampleRecord({
          ...{ eventId: `${at} ${made.length}`, timestamp, ingestedAt: timestamp, severity, body },
          ...{ workloadId: uuid(at + 1), workloadName: `app-${at}` },
          deploymentId: this.hasIds && run ? idOf(at, app.runs.indexOf(run)) : null,
        }),
      );
    };
    /** Whether a deployment since the push is of the pushed commit, or of another. */
    const isSince = (run: Run | undefined, isOwn: boolean): boolean =>
      run !== undefined && run.created >= 0 && (run.commit === this.sha) === isOwn;
    for (let when = -4000; when < second; when += 20) {
      write(when, 'info', 'It works');
      if (when % 60 === 0) write(when + 5, 'error', 'It timed out');
      if (app.brings) write(when + 7, 'error', ownError, (run) => isSince(run, true));
      if (app.nextBrings) write(when + 8, 'error', nextError, (run) => isSince(run, false));
    }
    return made.filter(({ timestamp }) => timestamp <= this.time(second));
  }

  query({ filters, limit = 50, cursor }: LogQueryRequest, second: number): LogQueryResponse {
    const found = this.apps
      .flatMap((app, at) => this.records(app, at, second))
      .filter((record) => matches(record, filters))
      .sort((a, b) => (a.timestamp < b.timestamp ? 1 : -1));
    const from = Number(cursor ?? 0);
    const hasMore = found.length > from + limit;
    const nextCursor = hasMore ? String(from + limit) : null;
    return logAnswer(found.slice(from, from + limit), { hasMore, nextCursor });
  }
}

export const ownError = 'The pushed commit broke it';
const nextError = 'The next commit broke it';

/** The id of a deployment, by the number of its app and its own. */
export function idOf(app: number, run: number): string {
  return uuid(1000 + app * 100 + run);
}

/** Git, in which a commit was pushed that came after or before what was there. */
export function historyOf(tip: string): HistoryReader {
  const lineOf = (commit: string): readonly string[] => {
    if (commit === stranger) return [...commits.slice(0, 1), stranger];
    return commits.slice(0, commits.indexOf(commit) + 1);
  };
  return {
    holds: (commit) => Promise.resolve(lineOf(commit).length > 0),
    count(from, to) {
      const has = new Set(lineOf(from));
      return Promise.resolve(lineOf(to).filter((one) => !has.has(one)).length);
    },
    resolve: () => Promise.resolve(tip),
  };
}
