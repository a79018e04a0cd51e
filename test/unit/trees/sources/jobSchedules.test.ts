import { assert } from 'chai';
import { day, hour, minute } from '../../../../src/base/clock';
import type { CacheKey } from '../../../../src/data/store';
import { sourceNodes } from '../../../../src/trees/sources/sourceNodes';
import { treeState, viewMessage } from '../../../../src/trees/treeState';
import { uiText } from '../../../host/texts';
import { httpError, logAnswer, logRecord } from '../../data/fakeClient';
import { detailText, find, gives, scene, uuid, type Scene } from '../treeText';

const source = uuid(1);
const [job, other] = [uuid(10), uuid(11)];
const lastRecord = { kind: 'lastRecord', id: job } as const;

interface Given {
  readonly cron?: string;
  readonly timezone?: string;
  readonly enabled?: boolean;
  /** Members of the job. */
  readonly members?: object;
  /** When it was deployed, in milliseconds before now; undefined: never. */
  readonly deployedAgo?: number | undefined;
  /** When it logged, in milliseconds before now, the newest first. */
  readonly loggedAgo?: readonly number[];
  readonly start?: number;
  readonly isPartial?: boolean;
  readonly isRefused?: boolean;
}

/** A job whose logs can be asked for, and another one beside it. */
async function jobScene(given: Given = {}) {
  const { cron = '*/5 * * * *', timezone = 'UTC', enabled = true, members = {} } = given;
  const { deployedAgo = day, loggedAgo = [], isPartial = false, isRefused = false } = given;
  const asked: object[] = [];
  const resource = {
    kind: 'job',
    environment: { id: uuid(2), name: 'production' },
    config: { jobs: [{ name: 'a', schedule: { cron, timezone }, enabled }] },
    ...members,
  };
  const start = given.start ?? Date.UTC(2026, 10, 20, 12, 3);
  const at = (ago: number): string => new Date(start - ago).toISOString();
  const built: Scene = scene(
    {
      listResources: gives('ResourceListing', {
        resources: [
          { id: job, name: 'export', ...resource },
          { id: other, name: 'warmer', ...resource },
        ],
      }),
      listDeployments: gives('DeploymentListing', {
        deployments:
          'deployedAgo' in given && given.deployedAgo === undefined
            ? []
            : [{ id: uuid(20), state: 'succeeded', createdAt: at(deployedAgo) }],
      }),
      queryLogs(query) {
        asked.push(query);
        if (isRefused) return Promise.reject(httpError(403, 'forbidden'));
        const records = loggedAgo.slice(0, 1).map((ago) => logRecord({ timestamp: at(ago) }));
        return Promise.resolve({
          ...logAnswer(records),
          next: undefined,
          follow: undefined,
          partial: isPartial,
        });
      },
    },
    { sources: [{ id: source, label: 'shop' }] },
  );
  const { clock, context, load } = built;
  clock.jump(start - clock.now());
  await load({ kind: 'resources', id: source }, { kind: 'deployments', id: job });
  const keys = (): readonly CacheKey[] =>
    find(sourceNodes(context), 'production').cacheKeys.filter(({ kind }) => kind === 'lastRecord');
  return {
    ...built,
    asked,
    keys,
    /** Asks for what is due. */
    look: () => load(...keys()),
    text: () => find(sourceNodes(context), 'export').description ?? '',
    fact: () => {
      const lines = detailText(find(sourceNodes(context), 'export')).split('\n');
      const start = `${uiText('Last logged')}: `;
      return lines.find((line) => line.startsWith(start))?.slice(start.length);
    },
  };
}

function silent(length: string): string {
  return uiText('nothing logged for {0}', length);
}

/** What the row of such a job says before its schedule, after its last record was looked for. */
async function saidOf(given: Given): Promise<string | undefined> {
  const { look, text } = await jobScene(given);
  await look();
  return text()
    .split(' · ')
    .find((part) => part.startsWith(silent('')));
}

describe('The last record of a job', () => {
  it('is asked for with one record of a week, and is in the tooltip', async () => {
    const { look, asked, text, fact } = await jobScene({ loggedAgo: [3 * minute] });
    assert.isUndefined(fact());
    await look();
    assert.deepEqual(asked, [
      {
        filters: {
          workloadIds: [job],
          from: '2026-11-13T12:03:00.000Z',
          to: '2026-11-20T12:03:00.000Z',
        },
        limit: 1,
      },
    ]);
    assert.equal(fact(), '2026-11-20 12:00:00 UTC (3 min. ago)');
    assert.notInclude(text(), silent(''));
  });

  it('is asked for again a minute after the job was due, and not before', async () => {
    const { clock, load, keys, asked, look } = await jobScene({ loggedAgo: [3 * minute] });
    await look();
    // The other one, now that the key is known to be allowed to.
    assert.deepEqual(keys(), [{ kind: 'lastRecord', id: other }]);
    await look();
    assert.isEmpty(keys());
    await clock.advance(3 * minute - 1);
    assert.isEmpty(keys());
    await clock.advance(1);
    assert.deepEqual(keys(), [lastRecord, { kind: 'lastRecord', id: other }]);
    await load(lastRecord);
    assert.lengthOf(asked, 3);
  });

  it('is asked for again if it was just due then, and may not have logged yet', async () => {
    const start = Date.UTC(2026, 10, 20, 12, 0, 30);
    const { clock, load, keys } = await jobScene({ start, loggedAgo: [5 * minute] });
    await load(lastRecord, { kind: 'lastRecord', id: other });
    assert.isEmpty(keys());
    await clock.advance(30_000);
    assert.lengthOf(keys(), 2);
  });

  it('is asked for once if the key may not read logs, and nothing is said of that', async () => {
    const { keys, look, text, fact, asked, store } = await jobScene({ isRefused: true });
    const all = keys();
    await look();
    assert.lengthOf(asked, 1);
    assert.isEmpty(keys());
    assert.notInclude(text(), silent(''));
    assert.isUndefined(fact());
    const state = treeState('signedIn', store, all, [], { shown: 1, all: 1 });
    assert.isUndefined(viewMessage(state));
  });

  it('is not asked for without a schedule that is on, known, and in a time zone', async () => {
    const cases: Given[] = [
      { enabled: false },
      { cron: '@reboot' },
      { timezone: 'Mars/Olympus' },
      { members: { config: { jobs: [{ schedule: { cron: '* * * * *' } }] } } },
      { members: { archivedAt: '2026-11-20T00:00:00Z' } },
      { members: { kind: 'app' } },
    ];
    for (const given of cases) {
      const { keys } = await jobScene(given);
      assert.isEmpty(keys(), JSON.stringify(given));
    }
  });

  it('says up to when that is known if the job was due since', async () => {
    const { look, fact, clock } = await jobScene({ loggedAgo: [3 * minute - 1] });
    await look();
    await clock.advance(4 * minute);
    const logged = '2026-11-20 12:00:00 UTC (6 min. ago)';
    assert.equal(fact(), uiText('{0}, as of {1}', logged, '12:03:00 UTC'));
  });

  it('is none of the last week', async () => {
    const { look, fact } = await jobScene();
    await look();
    assert.equal(fact(), uiText('nothing, looked back {0}', '7 days'));
  });
});

describe('The silence of a job', () => {
  it('is said after two intervals in which it was due, with its length', async () => {
    // It was due at 12:00, 11:55 and 11:50.
    assert.equal(await saidOf({ loggedAgo: [14 * minute] }), silent('14 min'));
    assert.equal(
      await saidOf({ loggedAgo: [2 * hour + 5 * minute + 59_000] }),
      silent('2 hr 5 min'),
    );
    assert.equal(await saidOf({ loggedAgo: [] }), silent('7 days'));
    assert.isUndefined(await saidOf({ loggedAgo: [13 * minute] }));
    assert.isUndefined(await saidOf({ loggedAgo: [4 * minute] }));
  });

  it('comes before the schedule, as a word without a colour', async () => {
    const { look, text, context } = await jobScene({ loggedAgo: [hour] });
    const before = find(sourceNodes(context), 'export').status;
    await look();
    assert.equal(
      text().split(' · ').slice(0, 3).join(' · '),
      `${silent('1 hr')} · ${uiText('every {0} minutes', 5)} · ${uiText('next {0}', 'in 2 min.')}`,
    );
    assert.deepEqual(find(sourceNodes(context), 'export').status, before);
  });

  it('is said of that time, not of now, until it is looked for again', async () => {
    const { look, text, clock } = await jobScene({ loggedAgo: [14 * minute] });
    await look();
    await clock.advance(10 * minute);
    assert.include(text(), silent('14 min'));
  });

  it('is not said of a job that is younger than that, never deployed, stopped, or of which records may be missing', async () => {
    assert.isUndefined(await saidOf({ deployedAgo: 13 * minute }));
    assert.isDefined(await saidOf({ deployedAgo: 14 * minute }));
    assert.isUndefined(await saidOf({ deployedAgo: undefined }));
    const stopped = { runtimeState: { desiredState: 'stopped' } };
    assert.isUndefined(await saidOf({ members: stopped }));
    assert.isUndefined(await saidOf({ isPartial: true }));
  });

  it('is that of all its schedules', async () => {
    const schedule = (cron: string): object => ({ schedule: { cron, timezone: 'UTC' } });
    const jobs = [schedule('0 3 * * *'), schedule('30 11 * * *')];
    const members = { config: { jobs } };
    const since = (time: string): readonly number[] => [
      Date.UTC(2026, 10, 20, 12, 3) - Date.parse(`2026-11-${time}:00Z`),
    ];
    // It was due today at 11:30 and 03:00, and yesterday at 11:30.
    assert.isUndefined(
      await saidOf({ members, deployedAgo: 3 * day, loggedAgo: since('19T11:30') }),
    );
    assert.isDefined(await saidOf({ members, deployedAgo: 3 * day, loggedAgo: since('19T11:29') }));
  });

  it('is counted by the clock of its time zone where that changes', async () => {
    // Berlin is at UTC+2 until 01:00 UTC of 25 October, and at UTC+1 from then on.
    const given = { cron: '30 2 * * *', timezone: 'Europe/Berlin', deployedAgo: 30 * day };
    const start = Date.UTC(2026, 9, 26, 2);
    // Due at 01:30 UTC of the 26th, and at 00:30 UTC of the 25th and the 24th.
    const ago = (time: string): readonly number[] => [start - Date.parse(`2026-10-${time}:00Z`)];
    assert.isUndefined(await saidOf({ ...given, start, loggedAgo: ago('24T00:30') }));
    assert.equal(
      await saidOf({ ...given, start, loggedAgo: ago('24T00:29') }),
      silent('2 days 1 hr'),
    );
  });

  it('is not said of what is due less often than every few days: only a week is looked at', async () => {
    assert.isUndefined(await saidOf({ cron: '0 3 * * 1', deployedAgo: 90 * day }));
    assert.isDefined(await saidOf({ cron: '0 3 * * *', deployedAgo: 90 * day }));
  });
});
