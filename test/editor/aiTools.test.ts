import { assert } from 'chai';
import * as vscode from 'vscode';
import { shownMessages } from './boxes';
import { asked, call, partsOf, setToolScene } from './toolScene';
import { until } from './wait';

describe('AI tools', () => {
  const { scene, source, server, countTools } = setToolScene();
  /** Whether a request has come to what was to go wrong. */
  const isMet = async () => (await scene.controlPlane.admin.pendingFaults()) === 0;

  it('are there only while the setting is on', async () => {
    await scene.set('ai.enabled', undefined);
    await until('they are gone', () => Promise.resolve(countTools() === 0));
    const before = (await scene.requests()).length;
    const failure = await call('searchLogs', { query: '' }).catch((error: unknown) => error);
    assert.instanceOf(failure, Error);
    assert.lengthOf(await scene.requests(), before);
    await scene.set('ai.enabled', true);
    assert.match(await call('searchLogs', { query: '' }), /^Range: /);
  });

  it('refuse what their schema does not allow, and ask nobody', async () => {
    const before = (await scene.requests()).length;
    for (const [name, input, problem] of [
      ['searchLogs', {}, /query is missing/],
      ['searchLogs', { query: '', limit: 501 }, /limit is too large \(at most 500\)/],
      ['listDeployments', { resourceId: '../..' }, /resourceId is not a UUID/],
      ['cleanUpOrphans', { serverId: server().id, items: [] }, /items is empty/],
      ['syncEnvironment', { sourceId: source().id }, /environmentId is missing/],
    ] as const) {
      const { words, data } = partsOf(await call(name, input));
      assert.match(words, /^Not done: the input is not accepted/);
      assert.match(data.join(), problem);
    }
    assert.lengthOf(await scene.requests(), before);
    assert.isEmpty(shownMessages());
  });

  it('name the permission that is missing, with code and request id', async () => {
    for (const [name, input, permission] of [
      ['searchLogs', { query: '' }, 'logs.read'],
      ['summariseLogs', { query: '' }, 'logs.read'],
      ['listResources', {}, 'repository.read'],
      ['listDeployments', { resourceId: source().id }, 'resource.read'],
      ['listAlertRules', {}, 'alert.read'],
      ['listSecretKeys', { sourceId: source().id, environment: 'production' }, 'secret.list'],
    ] as const) {
      await scene.connect(`demo-without-${permission.replace('.', '-')}`);
      const { words } = partsOf(await call(name, input));
      assert.include(words, `lacks the permission ${permission}.`);
      assert.match(words, /\(status 403, code \w+, request id req_[0-9a-f]+\)/);
    }
  }).timeout(60_000);

  it('ask for a sign-in where there is no key, and open no box', async () => {
    await vscode.commands.executeCommand('controlPlane.signOut');
    const target = { sourceId: source().id, environmentId: source().environmentId };
    for (const [name, input] of [
      ['searchLogs', { query: '' }],
      ['listResources', {}],
      ['syncEnvironment', target],
      ['cleanUpOrphans', { serverId: server().id, items: ['a'] }],
    ] as const) {
      const answer = await call(name, input);
      assert.match(answer, /^Not done: VS Code is not signed in.*"Control Plane: Connect…"/);
      assert.notInclude(answer, scene.controlPlane.url);
    }
    assert.isUndefined((await asked('syncEnvironment', target)).confirmationMessages);
  });

  it('say that the control plane refuses the key', async () => {
    await scene.controlPlane.admin.fault({ kind: 'revokeKey' });
    const { words } = partsOf(await call('searchLogs', { query: '' }));
    assert.match(
      words,
      /^Failed: the control plane does not accept the API key\. .*\(status 401, /,
    );
    assert.include(words, '"Control Plane: Connect…"');
  });

  it('say nothing of a connection that the person has left meanwhile', async () => {
    const endpoint = 'post_logs_query';
    await scene.controlPlane.admin.fault({ kind: 'stall', endpoint });
    const answer = call('searchLogs', { query: '' });
    await until('it is asked for', isMet);
    await scene.connect('demo-full', `${scene.name} again`);
    await scene.controlPlane.admin.restart(0);
    assert.match(await answer, /^Not done: the person has changed the connection meanwhile\./);
  });

  it('end with what has called them, and so does the request', async () => {
    const endpoint = 'post_logs_query';
    await scene.controlPlane.admin.fault({ kind: 'latency', latencyMs: 60_000, endpoint });
    const source = new vscode.CancellationTokenSource();
    const options = { toolInvocationToken: undefined, input: { query: '' } };
    const failure = Promise.resolve(
      vscode.lm.invokeTool('controlPlane_searchLogs', options, source.token),
    ).catch((error: unknown) => error);
    await until('it is asked for', isMet);
    source.cancel();
    assert.propertyVal(await failure, 'name', 'Canceled');
    await until('the request is over', async () => {
      const request = (await scene.requests('/logs/query')).at(-1);
      return request?.isOver === true && request.status === undefined;
    });
  });

  it('list what runs, with the ids that others take', async () => {
    const { data } = partsOf(await call('listResources', {}));
    const [head, ...resources] = data.map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.deepEqual(head, { source: 'shop', sourceId: source().id });
    assert.isNotEmpty(resources);
    const [resource] = resources;
    assert.nestedPropertyVal(resource, 'environment.id', source().environmentId);
    const deployments = partsOf(await call('listDeployments', { resourceId: resource?.['id'] }));
    assert.match(deployments.words, /^\d+ deployments found, one a line as JSON/);
    assert.match(deployments.data[0] ?? '', /"state":".+"commit":"[0-9a-f]{40}"/);
  });

  it('list alert rules with their state, and names of secret keys without anything else', async () => {
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

  it('say that nothing is known where nothing is', async () => {
    await scene.set('sources', []);
    assert.match(await call('listResources', {}), /^No source is known here.*Discover…/);
  });
});
