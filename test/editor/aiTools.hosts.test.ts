import { assert } from 'chai';
import * as vscode from 'vscode';
import { call, setToolScene } from './toolScene';
import { until } from './wait';

describe('AI tools, in either host', () => {
  const { scene, countTools } = setToolScene();

  it('are there only while the setting is on', async () => {
    await scene.set('ai.enabled', undefined);
    await until('they are gone', () => countTools() === 0);
    const before = (await scene.requests()).length;
    const failure = await call('searchLogs', { query: '' }).catch((error: unknown) => error);
    assert.instanceOf(failure, Error);
    assert.lengthOf(await scene.requests(), before);
    await scene.set('ai.enabled', true);
    assert.match(await call('searchLogs', { query: '' }), /^Range: /);
  });

  it('end with what has called them, and so does the request', async () => {
    const endpoint = 'post_logs_query';
    await scene.controlPlane.admin.fault({ kind: 'latency', latencyMs: 60_000, endpoint });
    const source = new vscode.CancellationTokenSource();
    const options = { toolInvocationToken: undefined, input: { query: '' } };
    const failure = Promise.resolve(
      vscode.lm.invokeTool('controlPlane_searchLogs', options, source.token),
    ).catch((error: unknown) => error);
    await until(
      'it is asked for',
      async () => (await scene.controlPlane.admin.pendingFaults()) === 0,
    );
    source.cancel();
    assert.propertyVal(await failure, 'name', 'Canceled');
    await until('the request is over', async () => {
      const request = (await scene.requests('/logs/query')).at(-1);
      return request?.isOver === true && request.status === undefined;
    });
  });
});
