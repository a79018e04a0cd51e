import { assert } from 'chai';
import * as vscode from 'vscode';
import { tools } from '../../../src/vscode/contributions';
import { uiText } from '../../host/texts';
import { commandTitle } from '../../host/titles';
import { clickInMessage, shownMessages } from '../person';
import { signOutQuestion } from '../questions';
import { asked, call, partsOf, setToolScene } from './toolScene';
import { until } from '../wait';

/** The command for signing in, as models name it. */
const connectCommand = `"Control Plane: ${commandTitle('connect')}"`;

describe('AI tools', () => {
  const { scene, source, server } = setToolScene();
  /** Whether a request has used the fault. */
  const isMet = async () => (await scene.controlPlane.admin.pendingFaults()) === 0;

  it('are all offered to agents, and refuse input that breaks their schema, without a request', async () => {
    const before = (await scene.requests()).length;
    for (const name of Object.values(tools)) {
      assert.isTrue(
        vscode.lm.tools.some((tool) => tool.name === name),
        name,
      );
      const refused = partsOf(await call(name.replace('controlPlane_', ''), { unknown: 1 }));
      assert.match(refused.words, /^Not done: the input is not valid/, name);
    }
    const { words, data } = partsOf(await call('searchLogs', { query: '', limit: 501 }));
    assert.match(words, /^Not done: the input is not valid/);
    assert.include(data.join(), `limit ${uiText('is too large')} (${uiText('at most {0}', 500)})`);
    assert.lengthOf(await scene.requests(), before);
    assert.isEmpty(await shownMessages());
  });

  it('name the missing permission, with code and request id', async () => {
    await scene.connect('demo-none');
    for (const [name, input, permission] of [
      ['searchLogs', { query: '' }, 'logs.read'],
      ['summariseLogs', { query: '' }, 'logs.read'],
      ['compareLogs', { query: '' }, 'logs.read'],
      ['listErrors', {}, 'logs.read'],
      ['listResources', {}, 'repository.read'],
      ['listDeployments', { resourceId: source().id }, 'resource.read'],
      ['listAlertRules', {}, 'alert.read'],
      ['listSecretKeys', { sourceId: source().id, environment: 'production' }, 'secret.list'],
    ] as const) {
      const { words } = partsOf(await call(name, input));
      assert.include(words, `lacks the permission ${permission}.`);
      assert.match(words, /\(status 403, code \w+, request id req_[0-9a-f]+\)/);
    }
  });

  it('ask for a sign-in if there is no key, without opening a box', async () => {
    clickInMessage(signOutQuestion, 'Sign Out');
    await vscode.commands.executeCommand('controlPlane.signOut');
    const target = { sourceId: source().id, environmentId: source().environmentId };
    for (const [name, input] of [
      ['searchLogs', { query: '' }],
      ['listResources', {}],
      ['syncEnvironment', target],
      ['cleanUpOrphans', { serverId: server().id, items: ['a'] }],
    ] as const) {
      const answer = await call(name, input);
      assert.match(answer, new RegExp(`^Not done: VS Code is not signed in.*${connectCommand}`));
      assert.notInclude(answer, scene.controlPlane.url);
    }
    assert.isUndefined((await asked('syncEnvironment', target)).confirmationMessages);
  });

  it('end with their caller, whichever it is', async () => {
    const { id: sourceId } = source();
    for (const [name, input] of [
      ['searchLogs', { query: '' }],
      ['summariseLogs', { query: '' }],
      ['compareLogs', { query: '' }],
      ['listErrors', {}],
      ['listResources', {}],
      ['listDeployments', { resourceId: sourceId }],
      ['listAlertRules', {}],
      ['listSecretKeys', { sourceId, environment: 'production' }],
    ] as const) {
      await scene.controlPlane.admin.fault({ kind: 'latency', latencyMs: 60_000 });
      const caller = new vscode.CancellationTokenSource();
      const failure = Promise.resolve(
        vscode.lm.invokeTool(
          `controlPlane_${name}`,
          { toolInvocationToken: undefined, input },
          caller.token,
        ),
      ).catch((error: unknown) => error);
      await until(`the request of ${name} arrives`, isMet);
      caller.cancel();
      assert.propertyVal(await failure, 'name', 'Canceled', name);
    }
  });

  it('say that the control plane refuses the key', async () => {
    await scene.controlPlane.admin.fault({ kind: 'revokeKey' });
    const { words } = partsOf(await call('searchLogs', { query: '' }));
    assert.match(
      words,
      /^Failed: the control plane does not accept the API key\. .*\(status 401, /,
    );
    assert.include(words, connectCommand);
  });

  it('return nothing of a connection that was left in the meantime', async () => {
    const endpoint = 'post_logs_query';
    await scene.controlPlane.admin.fault({ kind: 'stall', endpoint });
    const answer = call('searchLogs', { query: '' });
    await until('the request arrives', isMet);
    await scene.connect('demo-full', scene.newName());
    await scene.controlPlane.admin.restart(0);
    assert.match(await answer, /^Not done: .*connection/);
  });

  it('list what runs, with the ids that other tools take', async () => {
    const { data } = partsOf(await call('listResources', {}));
    const [head, ...resources] = data.map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.deepEqual(head, { source: 'shop', sourceId: source().id });
    assert.isNotEmpty(resources);
    const [resource] = resources;
    assert.nestedPropertyVal(resource, 'environment.id', source().environmentId);
    const deployments = partsOf(await call('listDeployments', { resourceId: resource?.['id'] }));
    assert.match(deployments.words, /^\d+ deployments found, .*JSON/);
    assert.match(deployments.data[0] ?? '', /"state":".+"commit":"[0-9a-f]{40}"/);
  });

  it('list alert rules with their state, and only the names of secret keys', async () => {
    const rules = partsOf(await call('listAlertRules', {}));
    assert.equal(rules.data[0], JSON.stringify({ server: 'fra', serverId: server().id }));
    assert.match(rules.data.slice(1).join('\n'), /"firing":(?:true|false),"state":"\w+"/);
    const input = { sourceId: source().id, environment: 'production' };
    const { words, data } = partsOf(await call('listSecretKeys', input));
    assert.match(words, /Names only/);
    assert.match(data.join('\n'), /"keys":\["DATABASE_URL"/);
    const [request] = await scene.requests('/secrets?environment=production');
    assert.isDefined(request);
  });

  it('say that nothing is known if nothing is loaded', async () => {
    await scene.set('sources', []);
    assert.match(
      await call('listResources', {}),
      new RegExp(`^No source is known: .*${commandTitle('discover')}`),
    );
  });
});
