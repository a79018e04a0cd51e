import { assert } from 'chai';
import * as vscode from 'vscode';
import { sequence, uiPattern, uiText } from '../../host/texts';
import {
  clickInMessage,
  closeMessage,
  errorMessages,
  shownMessages,
  notification,
} from '../person';
import { agreeToCleanUp, cleanUpQuestion, syncQuestion } from '../questions';
import { asked, call, partsOf, setToolScene } from './toolScene';
import { notAgreed } from '../../../src/ai/actionOutcome';

describe('AI tools that change something', () => {
  const { scene, source, server } = setToolScene();

  const target = () => ({ sourceId: source().id, environmentId: source().environmentId });
  const plan = (...items: string[]) => ({ serverId: server().id, items });

  it('name target and items before they run, as plain text', async () => {
    const sync = (await asked('syncEnvironment', target())).confirmationMessages;
    assert.equal(sync?.title, uiText('Sync an environment?'));
    const text = sync?.message instanceof vscode.MarkdownString ? sync.message : undefined;
    assert.match(
      text?.value ?? '',
      uiPattern(
        'Sync the environment {0} of the source {1} on the connection {2}.',
        /production .*/,
        /shop .*/,
        /test .*/,
      ),
    );
    assert.include(text?.value ?? '', '  \n• ');
    const odd = '[x](command:workbench.action.quit) <b>**\u202e$(bug)';
    const cleanUp = (await asked('cleanUpOrphans', plan('old-api', odd))).confirmationMessages;
    assert.instanceOf(cleanUp?.message, vscode.MarkdownString);
    const { value, isTrusted, supportHtml, supportThemeIcons } = cleanUp.message;
    assert.match(
      value,
      sequence(
        uiPattern('Clean up the server {0} on the connection {1}.', /fra .*/),
        /.* {2}\n• old\\-api {2}\n⚠ /,
      ),
    );
    assert.notInclude(value, '](command');
    assert.notInclude(value, '\u202e');
    assert.include(value, '\\*\\*');
    assert.isNotOk(isTrusted ?? supportHtml ?? supportThemeIcons);
    assert.isEmpty(await scene.requests('/syncs'));
    assert.isEmpty(await scene.requests('/cleanup-orphans'));
  });

  it('sync with the command, once, and only after its dialog', async () => {
    closeMessage(syncQuestion);
    const declined = await call('syncEnvironment', target());
    assert.equal(declined, notAgreed.words[0]);
    assert.isEmpty(await scene.requests('/syncs'));
    clickInMessage(syncQuestion, 'Sync');
    const answer = await call('syncEnvironment', target());
    assert.match(answer, /^Accepted\./);
    assert.lengthOf(await scene.requests('/syncs'), 1);
  });

  it('report a sync without the permission, with the request id', async () => {
    await scene.connect('demo-without-repository-sync');
    clickInMessage(syncQuestion, 'Sync');
    const { words } = partsOf(await call('syncEnvironment', target()));
    assert.match(words, /lacks the permission repository\.sync\..*request id req_/s);
    // From now on the command reports it before it sends anything.
    const isMissing = uiPattern(
      'A sync requires the permission {0}, which the API key does not have.',
      'repository.sync',
    );
    clickInMessage(isMissing, 'Try Anyway');
    clickInMessage(syncQuestion, 'Sync');
    assert.match(await call('syncEnvironment', target()), /request id req_/);
    closeMessage(isMissing);
    const answer = await call('syncEnvironment', target());
    assert.match(answer, /^Nothing [^.]*: the API key lacks the permission repository\.sync/);
  });

  it('never repeat a sync without an answer', async () => {
    const endpoint = 'post_sources_environments_syncs';
    await scene.controlPlane.admin.fault({ kind: 'status', status: 502, accepted: true, endpoint });
    clickInMessage(syncQuestion, 'Sync');
    assert.match(await call('syncEnvironment', target()), /Do not send it again yourself/);
    assert.lengthOf(await scene.requests('/syncs'), 1);
  });

  it('clean up only after the dialog of the command, and Activity shows the result', async () => {
    agreeToCleanUp();
    const answer = await call('cleanUpOrphans', plan('old-api'));
    assert.match(answer, /^(?:Accepted|Finished)/);
    assert.include(await shownMessages(), uiText('Clean up {0} item on {1}?', 1, 'fra'));
    await notification(uiPattern('Clean up {0} on {1}', 'old-api', 'fra: succeeded'));
    const [request, ...others] = await scene.requests('/cleanup-orphans');
    assert.isEmpty(others);
    assert.equal(request?.body, '{"items":[{"name":"old-api"}]}');
    assert.match(String(request?.headers['idempotency-key']), /^[0-9a-f-]{36}$/);
  });

  it('send no clean-up without consent', async () => {
    closeMessage(cleanUpQuestion(1));
    const answer = await call('cleanUpOrphans', plan('old-api'));
    assert.equal(answer, notAgreed.words[0]);
    assert.isEmpty(await scene.requests('/cleanup-orphans'));
    assert.isEmpty(await errorMessages());
  });
});
