import { assert } from 'chai';
import { uiText } from '../../host/texts';
import { covers } from '../../unit/covers';
import { followedLogs } from '../person';
import { marker, setScene, shown, shownTexts } from '../scene';
import { run, until } from '../wait';

/** Numbered bodies, to find lost, repeated and unordered lines. */
function numbered(count: number, from = 0): string[] {
  return Array.from({ length: count }, (_, index) => `line ${from + index}`);
}

/** Uses the `fetch`, the streams and the output channel of either host. */
describe('Following logs, from the history to the end', () => {
  const scene = setScene();

  beforeEach(() => scene.connect());

  it('shows the last lines, oldest first, then new lines as they arrive', async () => {
    await scene.set('logs.initialLines', 5);
    const earlier = await scene.emit(...numbered(20));
    assert.isTrue(await scene.follow());
    await shown(5);
    await scene.tailIs('live');
    const live = await scene.emit(...numbered(10, 20));
    assert.deepEqual(
      await shownTexts(15),
      [...earlier.slice(-5), ...live].map(({ body }) => body),
    );
  });

  it('says what it follows and that it has stopped', async () => {
    await scene.follow();
    assert.include(await marker(uiText('Following {0}.', uiText('everything'))), { level: 'info' });
    await scene.tailIs('live');
    await run('stopLogs');
    await marker(uiText('Stopped following {0}.', uiText('everything')));
    const { actions } = await scene.tailIs('stopped');
    assert.deepEqual(actions, [uiText('Resume'), uiText('Remove from List')]);
    await until(
      'the stream is closed',
      async () => (await scene.controlPlane.admin.streams()) === 0,
    );
    await run('removeLogs');
    assert.isEmpty(await followedLogs());
  });

  it(`resumes after resets and a restart without losing or repeating a line ${covers('F16, F18', 'editor')}`, async () => {
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
    assert.deepEqual(await shownTexts(3), ['one', 'two', 'three']);
  });
});
