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

  /** The apps and jobs whose records were asked for. */
  const asked = async (): Promise<string[]> =>
    (await scene.filters()).flatMap(({ workloadIds }) => workloadIds ?? []);

  it('ask for the last record of each, once, as soon as they are shown and not before', async () => {
    await scene.connect();
    await vscode.commands.executeCommand('controlPlane.sources.focus');
    const { id, environmentId } = scene.controlPlane.world.sources[3]!;
    const source = `source ${id}`;
    await until('the source is shown', () => rowOf('sources', source));
    await until('its jobs are known', async () => (await scene.requests('/resources')).length > 0);
    assert.isEmpty(await asked());
    const environment = `environment ${environmentId}`;
    await until('the jobs are shown', async () => {
      await vscode.commands.executeCommand('controlPlane.sources.focus');
      await vscode.commands.executeCommand('list.focusFirst');
      await vscode.commands.executeCommand('list.expand');
      await vscode.commands.executeCommand('list.focusDown');
      await vscode.commands.executeCommand('list.expand');
      return rowOf('sources', source, environment, `resource ${jobs()[0]}`);
    });
    await until('both are asked for', async () => (await asked()).length >= 2);
    assert.deepEqual(await asked(), jobs());
  });
});
