import { assert } from 'chai';
import { Excerpt } from '../../../src/ai/answer';
import {
  comparisonEntries,
  comparisonWords,
  deploymentOutline,
  listing,
  resourceOutline,
  ruleOutline,
  secretKeysOutline,
} from '../../../src/ai/outlines';
import type { LogRecord } from '../../../src/api/types';
import { ApiError } from '../../../src/api/errors';
import { hour } from '../../../src/base/clock';
import type { Compared, ComparedSide } from '../../../src/logs/explorer/comparison';
import type { PatternChange } from '../../../src/logs/explorer/patternChanges';
import { sampleRecord } from '../logs/sampleRecord';
import { read, scene, uuid } from '../trees/treeText';

/** As JSON: missing members are omitted. */
const plain = (outline: object): unknown => JSON.parse(JSON.stringify(outline));

describe('The outline', () => {
  it('of a resource is its state, without its configuration', () => {
    const [resource] =
      read('ResourceListing', {
        resources: [
          {
            id: 'r',
            config: {
              name: 'web-api',
              server: 'fra',
              externalSecrets: { TOKEN: 'hidden' },
              deployment: { arguments: { PASSWORD: 'hidden' } },
            },
            environment: { id: 'e', name: 'production' },
            runtimeState: { observedState: 'running', driftReasons: ['image'] },
          },
        ],
      }).resources ?? [];
    assert.deepEqual(plain(resourceOutline(resource!)), {
      id: 'r',
      name: 'web-api',
      server: 'fra',
      environment: { id: 'e', name: 'production' },
      observed: 'running',
      driftReasons: ['image'],
    });
  });

  it('of a deployment has its result', () => {
    const [deployment] =
      read('DeploymentListing', {
        deployments: [
          {
            id: 'd',
            commitSha: 'abc',
            state: 'failed',
            errorMessage: 'no',
            environment: 'production',
          },
        ],
      }).deployments ?? [];
    assert.deepEqual(plain(deploymentOutline(deployment!)), {
      id: 'd',
      commit: 'abc',
      state: 'failed',
      environment: 'production',
      errorMessage: 'no',
    });
  });

  it('of a deployment has the name and the id of the environment that it went to', () => {
    const [deployment] =
      read('DeploymentListing', {
        deployments: [
          {
            id: 'd',
            serverId: 's',
            environment: 'before it was renamed',
            targetEnvironment: { id: 'e', name: 'production' },
          },
        ],
      }).deployments ?? [];
    assert.deepEqual(plain(deploymentOutline(deployment!)), {
      id: 'd',
      serverId: 's',
      environment: 'production',
      environmentId: 'e',
    });
  });

  it('of a resource of which little is known has what is known', () => {
    const [bare, half] =
      read('ResourceListing', {
        resources: [
          { id: 'r', config: { name: 'web-api' } },
          { id: 'h', config: { name: 'job' }, environment: { name: 'preview' } },
        ],
      }).resources ?? [];
    assert.deepEqual(plain(resourceOutline(bare!)), { id: 'r', name: 'web-api' });
    assert.deepEqual(plain(resourceOutline(half!)), {
      id: 'h',
      name: 'job',
      environment: { name: 'preview' },
    });
  });

  it('of a rule of a metric has its limit and what was observed, and of a check its last result', () => {
    const { rules = [], workloads = [] } = read('AlertListing', {
      rules: [
        {
          id: 'cpu',
          deployableId: 'gone',
          condition: { metric: 'cpuPercent', operator: 'above', threshold: 80 },
          observedValue: 41.7,
        },
        {
          id: 'check',
          condition: { http: { method: 'GET' } },
          httpCheck: { state: 'firing', status_code: 503, latency_ms: 5003, reason: 'wanted 200' },
        },
        { id: 'bare' },
      ],
      workloads: [{ name: 'without an id' }, { id: 'w', name: 'web-api' }],
    });
    assert.deepEqual(
      rules.map((rule) => plain(ruleOutline(rule, workloads))),
      [
        {
          id: 'cpu',
          firing: false,
          workload: 'gone',
          condition: { metric: 'cpuPercent', operator: 'above', threshold: 80 },
          observed: 41.7,
        },
        {
          id: 'check',
          firing: false,
          condition: { http: { method: 'GET' } },
          httpCheck: { state: 'firing', status: 503, latencyMs: 5003, reason: 'wanted 200' },
        },
        { id: 'bare', firing: false },
      ],
    );
  });

  it('of a rule says whether it fires and what it watches, without secrets in a URL', () => {
    const { rules = [], workloads = [] } = read('AlertListing', {
      rules: [
        {
          id: 'a',
          name: 'Ping',
          enabled: true,
          evaluationState: 'firing',
          deployableId: 'w',
          condition: {
            http: { url: 'https://me:pass@shop.example/ping?token=1#x', method: 'GET' },
          },
        },
      ],
      workloads: [{ id: 'w', name: 'web-api' }],
    });
    assert.deepEqual(plain(ruleOutline(rules[0]!, workloads)), {
      id: 'a',
      name: 'Ping',
      firing: true,
      state: 'firing',
      enabled: true,
      workload: 'web-api',
      condition: { http: { method: 'GET', url: 'https://shop.example/ping' } },
    });
  });

  it('of secrets has names only, even if a server sends a value', () => {
    const binding = {
      environment: 'production',
      stage: 'run',
      keys: ['TOKEN'],
      missingKeys: ['PIN'],
      inheritedKeys: [],
      values: { TOKEN: 'hidden' },
      inheritedOrigins: { TOKEN: 'hidden' },
    };
    assert.deepEqual(plain(secretKeysOutline(binding)), {
      environment: 'production',
      stage: 'run',
      keys: ['TOKEN'],
      missingKeys: ['PIN'],
      inheritedKeys: [],
    });
  });
});

const refused = new ApiError({ kind: 'http', status: 403, code: 'forbidden', message: 'no' });
const one = read('AlertListing', { rules: [{ id: 'a' }, { id: 'b' }] });

/** The rules of these servers, as a tool lists them. */
function listed(of: ReturnType<typeof scene>, ...servers: string[]) {
  const places = servers.map((serverId) => ({
    key: { kind: 'alerts', id: serverId } as const,
    known: () => of.store.read('alerts', serverId),
    head: () => ({ serverId }),
  }));
  const outlines = ({ rules = [] }: typeof one) => rules.map(({ id }) => ({ id }));
  return listing(of.store, places, 'alert rule', outlines, new AbortController().signal);
}

describe('a listing for a model', () => {
  it('has one line of JSON for each place and each object', async () => {
    const all = scene({ listAlertRules: () => Promise.resolve(one) });
    const { words, data } = await listed(all, uuid(1));
    assert.match(words.join(), /^2 alert rules found/);
    assert.deepEqual(data?.entries, [{ serverId: uuid(1) }, { id: 'a' }, { id: 'b' }]);
  });

  it('says how many places failed and why', async () => {
    const all = scene({
      listAlertRules: ({ serverId }) =>
        serverId === uuid(1) ? Promise.resolve(one) : Promise.reject(refused),
    });
    const some = await listed(all, uuid(1), uuid(2));
    assert.match(some.words[1] ?? '', /^1 of 2 places .* lacks the permission alert\.read\./);
    assert.lengthOf(some.data?.entries ?? [], 3);
    const none = await listed(all, uuid(2));
    assert.match(none.words.join(), /^Failed: the API key lacks the permission alert\.read\./);
  });

  it('does not return an older answer as the current state', async () => {
    let isDown = false;
    const all = scene({
      listAlertRules: () => (isDown ? Promise.reject(refused) : Promise.resolve(one)),
    });
    await listed(all, uuid(1));
    isDown = true;
    assert.match((await listed(all, uuid(1))).words.join(), /^Failed/);
  });

  it('has nothing of a place that was not loaded, and no heads if it needs none', async () => {
    const all = scene({ listAlertRules: () => Promise.resolve(one) });
    const { signal } = new AbortController();
    const place = (serverId: string) => ({
      key: { kind: 'alerts', id: serverId } as const,
      known: () => all.store.read('alerts', serverId),
    });
    const names = ({ rules = [] }: typeof one) => rules.map(({ id }) => ({ id }));
    const { data } = await listing(all.store, [place(uuid(1))], 'alert rule', names, signal);
    assert.deepEqual(data?.entries, [{ id: 'a' }, { id: 'b' }]);
    all.store.reset(undefined);
    const { words } = await listing(all.store, [place(uuid(1))], 'alert rule', names, signal);
    assert.match(words.join(), /^0 alert rules found/);
  });
});

const noon = Date.UTC(2026, 10, 20, 12);

/** A side of the hour before a time, with these records. */
function sideUntil(to: number, members: Partial<ComparedSide> = {}): ComparedSide {
  const range = { from: to - hour, to };
  const records: LogRecord[] = [sampleRecord(), sampleRecord()];
  return {
    search: { filter: {}, range },
    records,
    read: [range],
    isWhole: true,
    isPartial: false,
    ...members,
  };
}

function patternChange(members: Partial<PatternChange> = {}): PatternChange {
  const none = { count: 0, counts: [], last: undefined };
  return {
    key: 'key',
    template: 'order <n> failed',
    change: 'more',
    factor: 3.21456,
    surprise: 10,
    severity: 'error',
    now: { count: 32, counts: [32], last: sampleRecord({ body: 'order 7 failed' }) },
    before: none,
    ...members,
  };
}

function compared(members: Partial<Compared> = {}): Compared {
  return {
    now: sideUntil(noon),
    before: sideUntil(noon - hour),
    measure: 'time',
    factor: 1,
    changes: [patternChange()],
    apart: [],
    ...members,
  };
}

describe('The outline of a comparison', () => {
  it('says what was compared and how', () => {
    assert.deepEqual(comparisonWords(compared()), [
      'Side A ("now"): 2026-11-20T11:00:00.000Z to 2026-11-20T12:00:00.000Z, 2 records, all.',
      'Side B ("before"): 2026-11-20T10:00:00.000Z to 2026-11-20T11:00:00.000Z, 2 records, all.',
      'Factors are by the time that was read.',
      'First the values that set side A apart, then one pattern per line, the most surprising first. "rare": too rare to tell.',
    ]);
  });

  it('says what is missing: older records, what the server left out, and patterns', () => {
    const half = { from: noon - hour / 2, to: noon };
    const rest = 'Rare patterns may be missing.';
    const partial = 'The control plane returned only part of the matching records.';
    const unread = comparisonWords(
      compared({ now: sideUntil(noon, { isWhole: false, read: [half, half] }) }),
    );
    assert.include(
      unread[0],
      '2 records, the newest ones, of 2026-11-20T11:30:00.000Z to 2026-11-20T12:00:00.000Z and ',
    );
    assert.include(unread, rest);
    assert.notInclude(unread, partial);
    assert.include(
      comparisonWords(compared({ before: sideUntil(noon, { isWhole: false }) })),
      rest,
    );
    for (const side of ['now', 'before'] as const) {
      const words = comparisonWords(compared({ [side]: sideUntil(noon, { isPartial: true }) }));
      assert.include(words, partial, side);
      assert.notInclude(words, rest);
    }
    const changes = Array.from({ length: 61 }, () => patternChange());
    const many = compared({ changes, measure: 'records' });
    assert.include(comparisonWords(many), 'Only the 60 most surprising of 61 patterns are listed.');
    assert.match(comparisonWords(many)[2] ?? '', /^Factors are by the number of records/);
    assert.lengthOf(comparisonEntries(many, true), 60);
  });

  it('has the values that set a side apart, then the patterns with an example', () => {
    const apart = [
      { field: 'attr.region', value: 'eu', share: 0.90909, otherShare: 0.1 },
      { field: 'previewId', value: undefined, share: 1, otherShare: 0 },
    ];
    const last = sampleRecord({ workloadName: '', service: 'billing', body: 'cache warmed up' });
    const changes = [
      patternChange(),
      patternChange({
        change: 'gone',
        factor: Infinity,
        now: { count: 0, counts: [], last: undefined },
        before: { count: 8, counts: [8], last },
      }),
      patternChange({ now: { count: 0, counts: [], last: undefined } }),
    ];
    const [region, preview, more, gone, bare] = comparisonEntries(
      compared({ apart, changes }),
      true,
    ).map((entry) => entry as Record<string, unknown>);
    const text = (entry: unknown): unknown => (entry instanceof Excerpt ? entry.text : entry);
    assert.deepInclude(region, { shareNow: 0.909, shareBefore: 0.1 });
    assert.deepEqual([text(region?.['setsApart']), text(region?.['value'])], ['attr.region', 'eu']);
    assert.equal(preview?.['value'], 'any');
    assert.deepInclude(more, { change: 'more', factor: 3.21, now: 32, before: 0 });
    assert.equal(text(more?.['message']), 'order <n> failed');
    assert.deepEqual(
      [text(more?.['workload']), text(more?.['example'])],
      ['web-api', 'order 7 failed'],
    );
    assert.notProperty(gone, 'factor');
    assert.deepEqual(
      [text(gone?.['workload']), text(gone?.['example'])],
      ['billing', 'cache warmed up'],
    );
    assert.notProperty(bare, 'example');
  });

  it('has whole texts only if secrets were not removed before', () => {
    const apart = [199, 200].map((length) => {
      return { field: 'attr.key', value: 'x'.repeat(length), share: 1, otherShare: 0 };
    });
    const some = compared({ apart: [...apart, { ...apart[0]!, value: undefined }] });
    const [short, any, change] = comparisonEntries(some, false).map(
      (entry) => entry as Record<string, unknown>,
    );
    assert.lengthOf(comparisonEntries(some, false), 3);
    assert.lengthOf(comparisonEntries(some, true), 4);
    assert.deepEqual(short?.['value'], new Excerpt('x'.repeat(199), 200));
    assert.equal(any?.['value'], 'any');
    assert.notProperty(change, 'message');
    assert.property(change, 'example');
  });
});
