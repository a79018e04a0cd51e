import { assert } from 'chai';
import * as vscode from 'vscode';
import { call, setToolScene } from './toolScene';
import { until } from '../wait';

describe('AI tools, in either host', () => {
  const { scene, countTools } = setToolScene();

  it('exist only while the setting is on', async () => {
    await scene.set('ai.enabled', undefined);
    await until('the tools are removed', () => countTools() === 0);
    const before = (await scene.requests()).length;
    const failure = await call('searchLogs', { query: '' }).catch((error: unknown) => error);
    assert.instanceOf(failure, Error);
    assert.lengthOf(await scene.requests(), before);
    await scene.set('ai.enabled', true);
    assert.match(await call('searchLogs', { query: '' }), /^Range: /);
  });

  it('end with their caller, and so does the request', async () => {
    const endpoint = 'post_logs_query';
    await scene.controlPlane.admin.fault({ kind: 'latency', latencyMs: 60_000, endpoint });
    const source = new vscode.CancellationTokenSource();
    const options = { toolInvocationToken: undefined, input: { query: '' } };
    const failure = Promise.resolve(
      vscode.lm.invokeTool('controlPlane_searchLogs', options, source.token),
    ).catch((error: unknown) => error);
    await until(
      'the request arrives',
      async () => (await scene.controlPlane.admin.pendingFaults()) === 0,
    );
    source.cancel();
    assert.propertyVal(await failure, 'name', 'Canceled');
    await until('the request ends', async () => {
      const request = (await scene.requests('/logs/query')).at(-1);
      return request?.isOver === true && request.status === undefined;
    });
  });
});
