import { assert } from 'chai';
import * as vscode from 'vscode';
import type { LogRecord } from '../../src/api/types';
import { errorMessages, followedLogs } from './person';
import { marker, setScene, shown, type Scene } from './scene';
import { until } from './wait';

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';

/** Numbered bodies, so that what is lost, repeated or out of order can be told. */
function numbered(count: number, from = 0): string[] {
  return Array.from({ length: count }, (_, index) => `line ${from + index}`);
}

/** The filters of the requests at an end of a path, as the control plane received them. */
async function filtersOf(scene: Scene, path: string): Promise<Record<string, unknown>[]> {
  return (await scene.requests(path)).map(
    ({ body }) => (JSON.parse(body ?? '') as { filters: Record<string, unknown> }).filters,
  );
}

describe('following', () => {
  const scene = setScene();

  beforeEach(() => scene.connect());

  it('shows the last lines, oldest first, then the new ones as they come', async () => {
    await scene.set('logs.initialLines', 5);
    const earlier = await scene.emit(...numbered(20));
    assert.isTrue(await scene.follow());
    await shown(5);
    await scene.tailIs('live');
    const live = await scene.emit(...numbered(10, 20));
    assert.deepEqual(
      (await shown(15)).map(({ text }) => text),
      [...earlier.slice(-5), ...live].map(({ body }) => body),
    );
  });

  it('says what it follows and that it stopped', async () => {
    await scene.follow();
    assert.include(await marker('Following everything.'), { level: 'info' });
    await scene.tailIs('live');
    await vscode.commands.executeCommand('controlPlane.stopLogs');
    await marker('Stopped following everything.');
    const { actions } = await scene.tailIs('stopped');
    assert.deepEqual(actions, ['Resume', 'Remove from List']);
    await until(
      'the stream is closed',
      async () => (await scene.controlPlane.admin.streams()) === 0,
    );
    await vscode.commands.executeCommand('controlPlane.removeLogs');
    assert.isEmpty(await followedLogs());
  });

  it('goes on after a stop where it was', async () => {
    await scene.follow();
    await scene.tailIs('live');
    await scene.emit('before');
    await shown(1);
    await vscode.commands.executeCommand('controlPlane.stopLogs');
    await scene.emit('meanwhile');
    await vscode.commands.executeCommand('controlPlane.resumeLogs');
    await scene.tailIs('live');
    await scene.emit('after');
    assert.deepEqual(
      (await shown(3)).map(({ text }) => text),
      ['before', 'meanwhile', 'after'],
    );
  });

  it('follows a workload by its name, which it looks up', async () => {
    const [record] = await scene.emit({ workloadName: 'storefront', body: 'mine' }, 'not mine');
    assert.isTrue(await scene.follow('workload:storefront'));
    assert.deepEqual(
      (await shown(1)).map(({ text, source }) => [source, text]),
      [['storefront', 'mine']],
    );
    const [filters] = await filtersOf(scene, '/logs/tail');
    assert.deepEqual(filters?.['workloadIds'], [record?.workloadId]);
    assert.deepEqual(
      (await followedLogs()).map(({ label }) => label),
      ['workload:storefront'],
    );
  });

  it('filters by stream itself, which the tail does not take', async () => {
    await scene.follow('stream:stderr severity:error');
    await scene.tailIs('live');
    const [query] = (await filtersOf(scene, '/logs/query')).slice(-1);
    const [tail] = await filtersOf(scene, '/logs/tail');
    assert.equal(query?.['stream'], 'stderr');
    assert.notProperty(tail, 'stream');
    assert.deepEqual(tail?.['severities'], ['error']);
  });

  for (const [asked, reason] of [
    ['severity:loud', /severity does not have the value loud.*Allowed: trace, debug/],
    ['colour:red', /no field colour/],
    ['"half a text', /quote is not closed/],
    ['severity:error or service:web', /severity cannot stand beside "or".*Allowed: workload/],
    ['last:15m', /following goes on from now/],
    [{ severities: ['loud'] }, /severities/],
    [{ workloadIds: ['web-api'] }, /workloadIds/],
    [{ form: 'of another thing' }, /form/],
    [42, /filter/],
  ] as const) {
    it(`F41 refuses ${JSON.stringify(asked)} with a reason and without a request`, async () => {
      const before = (await scene.requests()).length;
      assert.isFalse(await scene.follow(asked));
      assert.match(errorMessages()[0] ?? '', reason);
      assert.isEmpty(await followedLogs());
      assert.lengthOf(await scene.requests(), before);
    });
  }

  it('refuses the name of a workload that has not logged', async () => {
    assert.isFalse(await scene.follow('workload:nobody'));
    assert.match(errorMessages()[0] ?? '', /No workload of this name has logged lately: nobody/);
    assert.isEmpty(await scene.requests('/logs/tail'));
  });

  it('takes the name that a server was given for following too', async () => {
    const id = '0b7d1c1e-4a52-4c1b-9f67-2d2a7f1f9a01';
    await scene.set('servers', [{ id, label: 'eu-1' }]);
    await until('the name is known', () => scene.follow('server:EU-1'));
    await scene.tailIs('live');
    const [query] = (await filtersOf(scene, '/logs/query')).slice(-1);
    assert.deepEqual(query?.['serverIds'], [id]);
    assert.equal((await followedLogs())[0]?.label, 'server:eu-1');
  });

  it('follows two things at once, and shows what both match only once', async () => {
    await scene.follow('severity:error');
    await scene.follow('"timed out"');
    await scene.tailIs('live', 'severity:error');
    await scene.tailIs('live', '"timed out"');
    assert.equal(await scene.controlPlane.admin.streams(), 2);
    await scene.emit(
      { body: 'one', severity: 'error' },
      { body: 'two timed out', severity: 'error' },
      { body: 'three timed out' },
      { body: 'four' },
      { body: 'five', severity: 'error' },
      { body: 'six timed out' },
    );
    const texts = (await shown(5)).map(({ text }) => text);
    assert.sameMembers(texts, ['one', 'two timed out', 'three timed out', 'five', 'six timed out']);
  });

  it('does not follow the same thing twice', async () => {
    await scene.follow({ severities: ['error'] });
    await scene.follow('severity:error');
    await scene.tailIs('live');
    assert.lengthOf(await followedLogs(), 1);
    assert.equal(await scene.controlPlane.admin.streams(), 1);
  });
});

describe('following by', () => {
  const scene = setScene({}, { shared: true });

  before(() => scene.connect());
  afterEach(() => vscode.commands.executeCommand('controlPlane.removeLogs'));

  const id = '11111111-1111-4111-8111-111111111111';
  /** What is asked for, and what a record that matches has besides its body. */
  const cases: [title: string, asked: unknown, matching: Partial<LogRecord>, words?: string][] = [
    ['severity', 'severity:error,fatal', { severity: 'error' }],
    ['workload', { workloadIds: [id] }, { workloadId: id, workloadName: 'one' }],
    ['server', `server:${id}`, { serverId: id }],
    ['deployment', `deployment:${id}`, { deploymentId: id }],
    ['preview', `preview:${id}`, { previewId: id, environment: 'preview' }],
    ['environment', 'env:preview', { environment: 'preview' }],
    ['service', 'service:checkout', { service: 'checkout' }],
    ['stream', 'stream:stderr', { stream: 'stderr' }],
    ['trace', `trace:${trace}`, { traceId: trace }],
    ['text', '"timed out"', {}, 'timed out'],
    ['an attribute', 'attr.user=42', { attributes: { user: '42' } }],
    ['a condition', 'service^=check', { service: 'checkout' }],
    [
      'conditions',
      'stream:stderr (service=checkout or attr.user:*)',
      { attributes: { user: '42' }, stream: 'stderr' },
    ],
    ['several at once', { severities: ['warn'], search: 'slow' }, { severity: 'warn' }, 'slow'],
  ];
  for (const [title, asked, matching, words = ''] of cases) {
    const form = typeof asked === 'string' ? 'query' : 'filter';
    it(`${title} (${form}) takes what matches, in the history and live`, async () => {
      const record = (when: string): Partial<LogRecord> => ({
        ...matching,
        body: `${title} ${when} ${words}`.trim(),
      });
      await scene.emit(`${title} of another`, record('before'));
      assert.isTrue(await scene.follow(asked));
      await shown(1, title);
      await scene.tailIs('live');
      await scene.emit(`${title} of another`, record('later'));
      assert.deepEqual(
        (await shown(2, title)).map(({ text }) => text),
        [record('before').body, record('later').body],
      );
    });
  }
});

describe('following over closes of the stream', () => {
  const scene = setScene({ streamSeconds: 0.4 });

  it('F14 shows every line once, in order, over several closes', async () => {
    await scene.connect();
    await scene.follow();
    await scene.tailIs('live');
    const emitted: string[] = [];
    const connects = async (): Promise<number> => (await scene.requests('/logs/tail')).length;
    // The server closes the streams in its own time while lines keep coming.
    while ((await connects()) < 6) {
      const records = await scene.emit(...numbered(7, emitted.length));
      emitted.push(...records.map(({ body }) => body));
    }
    const lines = await shown(emitted.length);
    assert.deepEqual(
      lines.map(({ text }) => text),
      emitted,
    );
    const served = await scene.controlPlane.admin.emitted();
    assert.equal(served.count, emitted.length);
    // A routine close is no news.
    assert.lengthOf(await followedLogs(), 1);
    assert.isEmpty(errorMessages());
  });
});

describe('following through trouble', () => {
  const scene = setScene();

  beforeEach(() => scene.connect());

  it('F23 waits as long as the control plane asks, says so, and goes on', async () => {
    await scene.controlPlane.admin.fault({
      kind: 'status',
      status: 429,
      headers: { 'retry-after': '2' },
      endpoint: 'post_logs_tail',
    });
    await scene.follow();
    await scene.tailIs(/^rate limited [12] s$/);
    await scene.emit('meanwhile');
    await scene.tailIs('live');
    assert.equal((await shown(1))[0]?.text, 'meanwhile');
    const [first, second] = await scene.requests('/logs/tail');
    assert.isAtLeast(second!.at - first!.at, 2000);
  });

  it('F21 says where lines may be missing after a refused cursor, and repeats none', async () => {
    await scene.controlPlane.admin.fault({
      kind: 'end',
      endpoint: 'post_logs_tail',
    });
    await scene.controlPlane.admin.fault({ kind: 'cursorRefused', endpoint: 'post_logs_tail' });
    const [first] = await scene.emit('before');
    await scene.follow();
    const gap = await marker(/^Gap while following everything/);
    assert.equal(gap.level, 'warning');
    assert.include(gap.text, first!.timestamp);
    await scene.emit('after');
    assert.deepEqual(
      (await shown(2)).map(({ text }) => text),
      ['before', 'after'],
    );
  });

  it('F29 says where the control plane left something out', async () => {
    await scene.controlPlane.admin.fault({ kind: 'partial', endpoint: 'post_logs_tail' });
    await scene.follow();
    await scene.tailIs('live');
    await scene.emit('a part');
    assert.equal((await marker('it left something out here')).level, 'warning');
    await shown(1);
  });

  it('F16 F18 goes on after resets and a restart without losing or repeating a line', async () => {
    await scene.follow();
    await scene.tailIs('live');
    await scene.emit('one');
    await shown(1);
    await scene.controlPlane.admin.restart(50);
    await scene.emit('two');
    await shown(2);
    await scene.controlPlane.admin.fault({ kind: 'reset', endpoint: 'post_logs_tail' });
    await scene.controlPlane.admin.restart(0);
    await scene.emit('three');
    assert.deepEqual(
      (await shown(3)).map(({ text }) => text),
      ['one', 'two', 'three'],
    );
  });

  it('F20 stops when the permission is taken away, and names it', async () => {
    await scene.follow();
    await scene.tailIs('live');
    await scene.controlPlane.admin.changeAccess('demo-full', []);
    const line = await marker(/^Following everything ended/);
    assert.equal(line.level, 'error');
    assert.match(line.text, /logs\.read.*\(forbidden, request req_\w+\)/);
    await scene.tailIs('failed: permission logs.read is missing');
    // What has failed does not stand in the way of a new start.
    await scene.controlPlane.admin.changeAccess('demo-full', ['logs.read']);
    await vscode.commands.executeCommand('controlPlane.resumeLogs');
    await scene.tailIs('live');
  });

  it('F19 is signed out when the key is revoked', async () => {
    await scene.follow();
    await scene.tailIs('live');
    await scene.controlPlane.admin.revokeKey('demo-full');
    const { actions } = await scene.tailIs('failed: signed out');
    assert.include(actions, 'Connect…');
  });

  it('F30 says when the key may see something else', async () => {
    await scene.follow();
    await scene.tailIs('live');
    await scene.emit('as before');
    await shown(1);
    await scene.controlPlane.admin.changeAccess('demo-full');
    await scene.emit('with another view');
    await marker('what the API key may see has changed here');
    await shown(2);
  });
});
