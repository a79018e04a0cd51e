import { assert } from 'chai';
import { uiPattern, uiText } from '../../host/texts';
import { covers } from '../../unit/covers';
import { answerPick, chooseInMenu } from '../person';
import { setScene, shown, shownTexts } from '../scene';
import { channelDocument, run } from '../wait';

const everything = uiText('everything');

describe('Pause Logs', () => {
  const scene = setScene();

  beforeEach(async () => {
    await scene.connect();
    await scene.follow();
    await scene.tailIs('live');
  });

  it('counts new lines, and shows all of them in order afterwards', async () => {
    await scene.emit('before');
    await shown(1);
    await run('pauseLogs');
    const { actions } = await scene.tailIs(uiPattern('paused ({0} new)', 0));
    assert.deepEqual(actions, [uiText('Resume'), uiText('Stop')]);
    const meanwhile = Array.from({ length: 50 }, (_, index) => `meanwhile ${index}`);
    await scene.emit(...meanwhile);
    await scene.tailIs(uiPattern('paused ({0} new)', 50));
    const text = channelDocument('logs')?.getText() ?? '';
    assert.notInclude(text, 'meanwhile');
    await run('resumeLogs');
    await scene.emit('after');
    assert.deepEqual(await shownTexts(52), ['before', ...meanwhile, 'after']);
    await scene.tailIs('live');
  });

  it(`shows every record once and in order over twelve pauses of a busy tail ${covers('F64', 'editor')}`, async () => {
    let emitted = 0;
    const someMore = async (): Promise<void> => {
      for (let count = 0; count < 5; count++) await scene.emit(`busy ${++emitted}`);
    };
    for (let pauses = 0; pauses < 12; pauses++) {
      for (const command of ['pauseLogs', 'resumeLogs']) {
        await Promise.all([run(command), someMore()]);
        await someMore();
      }
    }
    const all = Array.from({ length: emitted }, (_, index) => `busy ${index + 1}`);
    assert.deepEqual(await shownTexts(all.length), all);
  });

  it('pauses one of two tails, not the other', async () => {
    await scene.follow('severity:error');
    await scene.tailIs('live', 'severity:error');
    await chooseInMenu(everything, 'Pause');
    await scene.emit({ body: 'an error', severity: 'error' }, 'something else');
    await scene.tailIs(uiPattern('paused ({0} new)', 2), everything);
    assert.deepEqual(await shownTexts(1), ['an error']);
    await chooseInMenu(everything, 'Resume');
    assert.deepEqual(await shownTexts(2), ['an error', 'something else']);
  });

  it('changes no other tail if the chosen one is gone', async () => {
    await scene.follow('severity:error');
    await scene.tailIs('live', 'severity:error');
    let chosen: unknown;
    answerPick((items) => {
      const item = items.find(({ label }) => label === 'severity:error');
      chosen = item && 'followed' in item ? item.followed : undefined;
      return undefined;
    });
    await run('pauseLogs');
    await run('removeLogs', chosen);
    for (const command of ['pauseLogs', 'stopLogs', 'removeLogs']) {
      await run(command, chosen);
      await scene.tailIs('live', everything);
    }
  });
});
