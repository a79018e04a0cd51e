import { assert } from 'chai';
import { setScene } from './scene';
import { inChannel } from './wait';

/** Records with 64 KB each in 16 lines, of which the channel shows the newest 1000. */
const body = Array(16).fill('x'.repeat(4000)).join('\n');

/** VS Code begins the file behind a channel again after 30 MiB, and then reads it at wrong places. */
describe('more text than VS Code keeps of a channel', () => {
  const scene = setScene();

  const isShown = (end: string): Promise<string> =>
    inChannel('Control Plane Logs', (text) => (text.includes(end) ? text : undefined));

  beforeEach(async () => {
    await scene.set('logs.maxLines', 1000);
    await scene.connect();
  });

  it('is shown to its end, and what comes after clearing too (F40)', async () => {
    await scene.follow();
    await scene.tailIs('live');
    // 16 MB come, and with what is written again where the oldest lines go, 30 MB are written.
    for (let part = 0; part < 5; part++) {
      await scene.emit(...Array<string>(50).fill(body), `end of part ${part}`);
      await isShown(`end of part ${part}`);
    }
    const other = await scene.startOther();
    await scene.connectToOther();
    await scene.follow();
    await scene.tailIs('live');
    await other.admin.emit([{ body: 'first of the other' }]);
    assert.notInclude(await isShown('first of the other'), 'end of part');
  }).timeout(60_000);
});
