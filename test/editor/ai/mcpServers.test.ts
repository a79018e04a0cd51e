import { assert } from 'chai';
import * as vscode from 'vscode';
import { notification } from '../person';
import { until } from '../wait';
import { setScene } from '../scene';

describe('the MCP server of the control plane', () => {
  const scene = setScene();

  it('is asked only when VS Code starts it, and it is said if there is none', async () => {
    await scene.connect();
    await scene.set('ai.mcp', true);
    assert.isEmpty(await scene.requests('/v1/mcp'));
    await until('VS Code starts it', async () => {
      await vscode.commands.executeCommand('workbench.mcp.startServer', '*');
      return (await scene.requests('/v1/mcp')).length > 0;
    });
    await notification(/\/v1\/mcp/);
    // It has none, so the contract of the test has no such request.
    const reports = await scene.controlPlane.admin.takeReports();
    assert.isNotEmpty(reports);
    for (const { request } of reports) assert.match(request.url, /\/v1\/mcp$/);
  });
});
