import { assert } from 'chai';
import { uiPattern, uiText } from '../../host/texts';
import { covers } from '../../unit/covers';
import {
  answerPick,
  clickInMessage,
  closeMessage,
  dialogDetails,
  errorMessages,
  notification,
} from '../person';
import { connectQuestion } from '../questions';
import { setScene, shown } from '../scene';
import { run } from '../wait';

/** The connections that the user can switch to. */
async function connections(): Promise<string[]> {
  let labels: string[] = [];
  answerPick((items) => {
    labels = items.map(({ label, description = '' }) => `${label} ${description}`.trim());
    return undefined;
  });
  await run('switchConnection');
  return labels.slice(0, -1);
}

describe('connecting', () => {
  const scene = setScene({}, { withoutConnections: true });

  it('accepts a valid key after one test request', async () => {
    assert.isTrue(await scene.connect());
    assert.deepEqual(await connections(), [`${scene.name} ${scene.controlPlane.url}`]);
    const requests = await scene.requests();
    assert.deepEqual(
      requests.map(({ method, url, status, key }) => [method, url, status, key]),
      [['POST', '/v1/api/logs/query', 200, 'demo-full']],
    );
    assert.isEmpty(await errorMessages());
  });

  it(`names a connection without a name after its host, and asks before it sends the key ${covers('F89', 'editor')}`, async () => {
    const { url: baseUrl, keys } = scene.controlPlane;
    const apiKey = keys['demo-full'];
    const { host } = new URL(baseUrl);
    closeMessage(connectQuestion(host, baseUrl));
    assert.isFalse(await run('connect', { baseUrl, apiKey }));
    clickInMessage(connectQuestion(host, baseUrl), 'Do Not Connect');
    assert.isFalse(await run('connect', { baseUrl, apiKey }));
    assert.isEmpty(await scene.requests());
    assert.isEmpty(await connections());
    clickInMessage(connectQuestion(host, baseUrl), 'Connect');
    assert.isTrue(await run('connect', { baseUrl, apiKey }));
    assert.deepEqual(await connections(), [`${new URL(baseUrl).host} ${baseUrl}`]);
  });

  it(`gives another name to a connection whose name belongs to another origin, which keeps its key ${covers('F89', 'editor')}`, async () => {
    await scene.connect();
    const other = await scene.startOther();
    const argument = { name: scene.name, baseUrl: other.url, apiKey: other.keys['demo-full'] };
    const name = `${scene.name} 2`;
    closeMessage(connectQuestion(name, other.url));
    assert.isFalse(await run('connect', argument));
    assert.include(
      dialogDetails()[0],
      uiText(
        'The connection {0} to {1} stays as it is, so the new one gets another name.',
        scene.name,
        scene.controlPlane.url,
      ),
    );
    assert.isEmpty(await other.admin.requests());
    clickInMessage(connectQuestion(name, other.url), 'Connect');
    assert.isTrue(await run('connect', argument));
    assert.deepEqual(await connections(), [
      `${scene.name} ${scene.controlPlane.url}`,
      `${name} ${other.url}`,
    ]);
    // The first one still has its key.
    answerPick((items) => items[0]);
    await run('switchConnection');
    await scene.emit('still here');
    await scene.follow();
    assert.equal((await shown(1))[0]?.text, 'still here');
  });

  it('rejects a wrong key, says why, and saves nothing', async () => {
    const argument = { name: scene.name, baseUrl: scene.controlPlane.url, apiKey: 'wrong-key' };
    clickInMessage(connectQuestion(scene.name, argument.baseUrl), 'Connect');
    assert.isFalse(await run('connect', argument));
    const why = uiText('The control plane does not accept this API key. Connect with a valid key.');
    const message = await notification(uiPattern('Could not connect.'));
    assert.lengthOf(await errorMessages(), 1);
    assert.include(message, `${uiText('Could not connect.')} ${why} `);
    assert.match(message, / \(unauthorized, .*req_\w+\)$/);
    assert.notInclude(message, 'wrong-key');
    assert.isEmpty(await connections());
  });

  it('keeps the working key if another one is rejected', async () => {
    await scene.connect();
    const argument = { name: scene.name, baseUrl: scene.controlPlane.url, apiKey: 'wrong-key' };
    clickInMessage(connectQuestion(scene.name, argument.baseUrl), 'Connect');
    assert.isFalse(await run('connect', argument));
    await scene.emit('still here');
    await scene.follow();
    assert.equal((await shown(1))[0]?.text, 'still here');
  });

  it(`asks before another key replaces the one in use ${covers('F109', 'editor')}`, async () => {
    await scene.connect();
    const { url: baseUrl, keys } = scene.controlPlane;
    const argument = { name: scene.name, baseUrl, apiKey: keys['demo-logs'] ?? '' };
    const asked = (await scene.requests()).length;
    closeMessage(connectQuestion(scene.name, baseUrl));
    assert.isFalse(await run('connect', argument));
    assert.include(
      dialogDetails()[0],
      uiText('It replaces the API key that you use for {0}.', scene.name),
    );
    assert.notInclude(dialogDetails().join(), argument.apiKey);
    assert.lengthOf(await scene.requests(), asked);
    clickInMessage(connectQuestion(scene.name, baseUrl), 'Connect');
    assert.isTrue(await run('connect', argument));
    assert.equal((await scene.requests()).at(-1)?.key, 'demo-logs');
    // The same key replaces nothing.
    assert.isTrue(await run('connect', argument));
  });

  it(`saves no key that the control plane did not accept, and says why ${covers('F109', 'editor')}`, async () => {
    await scene.connect();
    const { url: baseUrl, keys, admin } = scene.controlPlane;
    const argument = { name: scene.name, baseUrl, apiKey: keys['demo-logs'] ?? '' };
    await admin.fault({ kind: 'status', status: 503, times: 3 });
    clickInMessage(connectQuestion(scene.name, baseUrl), 'Connect');
    assert.isFalse(await run('connect', argument));
    assert.lengthOf(await errorMessages(), 1);
    await notification(uiPattern('Could not connect.'));
    await scene.follow();
    await scene.tailIs('live');
    assert.equal((await scene.requests()).at(-1)?.key, 'demo-full');
  });

  it('accepts a key without logs.read, and names the missing permission when it is used', async () => {
    assert.isTrue(await scene.connect('demo-none'));
    assert.isEmpty(await errorMessages());
    await scene.follow();
    const { detail } = await scene.tailIs(
      uiPattern('failed: {0}', uiText('permission logs.read is missing')),
    );
    assert.match(detail ?? '', /logs\.read.* \(forbidden, .*req_\w+\)$/);
  });

  it(`rejects a base URL with the reason ${covers('F52', 'editor')}`, async () => {
    const argument = { name: scene.name, baseUrl: 'http://localhost.evil.example', apiKey: 'key' };
    assert.isFalse(await run('connect', argument));
    await notification(
      uiPattern(
        'Use https. http is allowed on this computer only (localhost, 127.0.0.1), because it does not protect the API key.',
      ),
    );
    assert.isEmpty(await connections());
  });

  it(`shows server text as text, never as a link ${covers('F56', 'editor')}`, async () => {
    await scene.controlPlane.admin.fault({
      kind: 'status',
      status: 401,
      message: '[click](command:workbench.action.closeWindow) \u202e\u001b]8;;x\u0007',
    });
    assert.isFalse(await scene.connect());
    const message = await notification(/click/);
    assert.notInclude(message, '](');
    assert.include(message, '\\u{202e}\\u{1b}');
  });
});
