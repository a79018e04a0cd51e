import { assert } from 'chai';
import { covers } from '../../unit/covers';
import { setScene } from '../scene';
import { inChannel } from '../wait';

/** 16 lines with 64 KB together in each record; the channel shows the newest 1000 lines. */
const body = Array(16).fill('x'.repeat(4000)).join('\n');

/** VS Code starts the file of a channel again after 30 MiB, and then reads wrong positions. */
describe('More text than VS Code keeps for a channel', () => {
  const scene = setScene();

  const isShown = (end: string): Promise<string> =>
    inChannel('logs', (text) => (text.includes(end) ? text : undefined));

  beforeEach(async () => {
    await scene.set('logs.maxLines', 1000);
    await scene.connect();
  });

  it(`shows the last line, and later lines after a switch ${covers('F40', 'editor')}`, async () => {
    await scene.follow();
    await scene.tailIs('live');
    // 16 MB arrive; with the text that is written again when the oldest lines are dropped, 30 MB.
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
  });
});
