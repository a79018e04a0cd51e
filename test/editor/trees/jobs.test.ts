import { assert } from 'chai';
import * as vscode from 'vscode';
import { rowOf } from '../rows';
import { setScene } from '../scene';
import { until } from '../wait';

describe('The rows of jobs', () => {
  const scene = setScene(
    {},
    { settings: ({ sources }) => ({ sources: [{ id: sources[3]?.id, label: 'operations' }] }) },
  );
  const jobs = (): string[] => {
    const { sources, workloads } = scene.controlPlane.world;
    return workloads.flatMap(({ id, source }) => (source.id === sources[3]?.id ? [id] : []));
  };

  it('ask for the last record of each, once, as soon as they are shown and not before', async () => {
    await scene.connect();
    await vscode.commands.executeCommand('controlPlane.sources.focus');
    const { id, environmentId } = scene.controlPlane.world.sources[3]!;
    const source = `source ${id}`;
    await until('the source is shown', () => rowOf('sources', source));
    await until('its jobs are known', async () => (await scene.requests('/resources')).length > 0);
    assert.isEmpty(await scene.filters());
    await vscode.commands.executeCommand('list.focusFirst');
    await vscode.commands.executeCommand('list.expand');
    const environment = `environment ${environmentId}`;
    for (const job of jobs()) {
      await until('a job is shown', () => rowOf('sources', source, environment, `resource ${job}`));
    }
    const asked = await until('both are asked for', async () => {
      const all = await scene.filters();
      return all.length >= 2 && all;
    });
    assert.deepEqual(
      asked.map(({ workloadIds }) => workloadIds?.join()),
      jobs(),
    );
  });
});
