import { assert } from 'chai';
import * as vscode from 'vscode';
import { uiPattern, uiText } from '../../host/texts';
import { covers } from '../../unit/covers';
import { followedLogs, notification } from '../person';
import { marker, setScene, shown, shownTexts } from '../scene';
import { until } from '../wait';

const everything = uiText('everything');

describe('following', () => {
  const scene = setScene();

  beforeEach(() => scene.connect());

  it('follows a workload by its name, which it looks up', async () => {
    const [record] = await scene.emit({ workloadName: 'storefront', body: 'mine' }, 'not mine');
    assert.isTrue(await scene.follow('workload:storefront'));
    assert.deepEqual(
      (await shown(1)).map(({ text, source }) => [source, text]),
      [['storefront', 'mine']],
    );
    const [filters] = await scene.filters('/logs/tail');
    assert.deepEqual(filters?.workloadIds, [record!.workloadId]);
    assert.deepEqual(
      (await followedLogs()).map(({ label }) => label),
      ['workload:storefront'],
    );
  });

  for (const [asked, reason] of [
    ['severity:loud', /loud.*severity.*: trace, debug/],
    [
      'last:15m',
      uiPattern('Remove the time range. Following starts now; time ranges are for searches.'),
    ],
    [{ workloadIds: ['web-api'] }, /workloadIds/],
    [42, /filter/],
  ] as const) {
    it(`rejects ${JSON.stringify(asked)} with a reason and without a request ${covers('F41', 'editor')}`, async () => {
      const before = (await scene.requests()).length;
      assert.isFalse(await scene.follow(asked));
      await notification(reason);
      assert.isEmpty(await followedLogs());
      assert.lengthOf(await scene.requests(), before);
    });
  }

  it('rejects the name of a workload that has not logged', async () => {
    assert.isFalse(await scene.follow('workload:unknown-name'));
    await notification(
      uiPattern('No recent workload has the name {0}. You can use an ID instead.', 'unknown-name'),
    );
    assert.isEmpty(await scene.requests('/logs/tail'));
  });

  it('accepts the label of a server', async () => {
    const id = '0b7d1c1e-4a52-4c1b-9f67-2d2a7f1f9a01';
    await scene.set('servers', [{ id, label: 'eu-1' }]);
    await until('the name is known', () => scene.follow('server:EU-1'));
    await scene.tailIs('live');
    assert.deepEqual((await scene.filters()).at(-1)?.serverIds, [id]);
    assert.equal((await followedLogs())[0]?.label, 'server:eu-1');
  });

  it('follows two filters at once, and shows records that match both only once', async () => {
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
});

describe('following after an error', () => {
  const scene = setScene();

  beforeEach(() => scene.connect());

  it(`waits as long as the control plane asks, says so, and resumes ${covers('F23', 'editor')}`, async () => {
    await scene.controlPlane.admin.fault({
      kind: 'status',
      status: 429,
      headers: { 'retry-after': '1' },
      endpoint: 'post_logs_tail',
    });
    await scene.follow();
    await scene.tailIs(uiPattern('rate limited {0} s', /[12]/));
    await scene.emit('meanwhile');
    await scene.tailIs('live');
    assert.equal((await shown(1))[0]?.text, 'meanwhile');
    const [first, second] = await scene.requests('/logs/tail');
    assert.isAtLeast(second!.at - first!.at, 1000);
  });

  it(`marks where lines may be missing after a refused cursor, and repeats none ${covers('F21', 'editor')}`, async () => {
    await scene.controlPlane.admin.fault({ kind: 'end', endpoint: 'post_logs_tail' });
    await scene.controlPlane.admin.fault({ kind: 'cursorRefused', endpoint: 'post_logs_tail' });
    await scene.emit('before');
    await scene.follow();
    const gap = await marker(
      uiPattern('Gap in {0}: the position was lost. Lines may be missing here.', everything),
    );
    assert.equal(gap.level, 'warning');
    await scene.emit('after');
    assert.deepEqual(await shownTexts(2), ['before', 'after']);
  });

  it(`marks where the control plane omitted records ${covers('F29', 'editor')}`, async () => {
    await scene.controlPlane.admin.fault({ kind: 'partial', endpoint: 'post_logs_tail' });
    await scene.follow();
    await scene.tailIs('live');
    await scene.emit('a part');
    const line = await marker(
      uiText('Following {0}: the control plane returned only part of the logs here.', everything),
    );
    assert.equal(line.level, 'warning');
    await shown(1);
  });

  it(`fails if the permission is removed, and names it ${covers('F20', 'editor')}`, async () => {
    await scene.follow();
    await scene.tailIs('live');
    await scene.controlPlane.admin.changeAccess('demo-full', []);
    const line = await marker(uiPattern('Following {0} failed. {1}', everything));
    assert.equal(line.level, 'error');
    assert.match(line.text, /logs\.read.*\(forbidden, .*req_\w+\)/);
    await scene.tailIs(uiPattern('failed: {0}', uiText('permission logs.read is missing')));
    // A failed tail does not prevent a new start.
    await scene.controlPlane.admin.changeAccess('demo-full', ['logs.read']);
    await vscode.commands.executeCommand('controlPlane.resumeLogs');
    await scene.tailIs('live');
  });

  it(`is signed out if the key is revoked ${covers('F19', 'editor')}`, async () => {
    await scene.follow();
    await scene.tailIs('live');
    await scene.controlPlane.admin.revokeKey('demo-full');
    const { actions } = await scene.tailIs(uiPattern('failed: {0}', uiText('signed out')));
    assert.include(actions, uiText('Connect…'));
  });

  it(`marks where the access of the key has changed ${covers('F30', 'editor')}`, async () => {
    await scene.follow();
    await scene.tailIs('live');
    await scene.emit('as before');
    await shown(1);
    await scene.controlPlane.admin.changeAccess('demo-full');
    await scene.emit('with another view');
    await marker(uiText('Following {0}: the access of the API key changed here.', everything));
    await shown(2);
  });
});
