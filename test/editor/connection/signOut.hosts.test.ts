import { assert } from 'chai';
import { uiText } from '../../host/texts';
import { covers } from '../../unit/covers';
import { answerPick, clickInMessage, closeMessage, dialogDetails, followedLogs } from '../person';
import { connectQuestion, signOutQuestion } from '../questions';
import { cleared, marker, setScene, shown, shownTexts } from '../scene';
import { run, until } from '../wait';

const isSignedOut = new RegExp(`^${uiText('signed out')}$`);

describe('Another key or connection', () => {
  const scene = setScene();

  beforeEach(async () => {
    await scene.connect();
    await scene.follow();
    await scene.tailIs('live');
    await scene.emit('of the first');
    await shown(1);
  });

  const streams = async (): Promise<number> => scene.controlPlane.admin.streams();

  it(`ends every stream and clears the channel on sign-out ${covers('F48, F79', 'editor')}`, async () => {
    await scene.follow('severity:error');
    await scene.tailIs('live', 'severity:error');
    closeMessage(signOutQuestion);
    await run('signOut');
    assert.equal(await streams(), 2, 'it is asked first');
    assert.include(
      dialogDetails()[0],
      uiText('{0} queries are followed. They continue when you connect again.', 2),
    );
    clickInMessage(signOutQuestion, 'Sign Out');
    await run('signOut');
    await until('no stream is open', async () => (await streams()) === 0);
    await marker(uiText('Signed out of {0}.', scene.name));
    await scene.tailIs(isSignedOut, 'severity:error');
    const before = (await scene.requests()).length;
    await scene.emit('not for us');
    assert.lengthOf(await scene.requests(), before);
    assert.isEmpty(await shown(0));
  });

  it(`resumes at the same position after signing in again ${covers('F48', 'editor')}`, async () => {
    clickInMessage(signOutQuestion, 'Sign Out');
    await run('signOut');
    await scene.tailIs(isSignedOut);
    await scene.emit('meanwhile');
    await scene.connect();
    await scene.tailIs('live');
    assert.deepEqual(await shownTexts(1), ['meanwhile']);
  });

  it(`asks also if nothing is followed: any program can run the command ${covers('F109', 'editor')}`, async () => {
    await run('stopLogs');
    closeMessage(signOutQuestion);
    await run('signOut', { forgets: true });
    const asked = (await scene.requests()).length;
    await run('searchLogs', 'still signed in');
    await until('the key is there', async () => (await scene.requests()).length > asked);
  });

  it(`forgets what it keeps of the connection, if the user wants that ${covers('F79', 'editor')}`, async () => {
    clickInMessage(signOutQuestion, 'Sign Out and Forget');
    await run('signOut');
    await until('nothing is followed', async () => (await followedLogs()).length === 0);
    await scene.connect();
    assert.isEmpty(await followedLogs());
  });

  it(`uses a replaced key at once ${covers('F48', 'editor')}`, async () => {
    const apiKey = await scene.controlPlane.admin.addKey('second', ['logs.read']);
    const argument = { name: scene.name, baseUrl: scene.controlPlane.url, apiKey };
    clickInMessage(connectQuestion(scene.name, argument.baseUrl), 'Connect');
    assert.isTrue(await run('connect', argument));
    await until('the second key opened a stream', async () =>
      (await scene.requests('/logs/tail')).some(({ key }) => key === 'second'),
    );
    await until('one stream is open', async () => (await streams()) === 1);
    await scene.emit('for the second');
    assert.deepEqual(await shownTexts(2), ['of the first', 'for the second']);
  });

  it('ends the streams and clears the channel on a switch', async () => {
    const other = await scene.startOther();
    assert.isTrue(await scene.connectToOther());
    await until('no stream is open', async () => (await streams()) === 0);
    assert.isEmpty(await followedLogs());
    await cleared();

    await other.admin.emit([{ body: 'of the other' }]);
    await scene.follow();
    assert.deepEqual(await shownTexts(1), ['of the other']);
    // Switches back: nothing of the other connection remains either.
    answerPick((items) => items.find(({ label }) => label === scene.name));
    await run('switchConnection');
    await until('the other has no stream', async () => (await other.admin.streams()) === 0);
    await cleared();
    await scene.follow();
    assert.deepEqual(await shownTexts(1), ['of the first']);
  });
});
