import { assert } from 'chai';
import * as vscode from 'vscode';
import { uiPattern, uiText } from '../../host/texts';
import { setScene } from '../scene';
import { run, until } from '../wait';

/** Checks the connection; returns the report. */
async function report(connection: string): Promise<string> {
  await run('checkConnection');
  return until(`a report about ${connection}`, () => {
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(document?.uri.scheme, 'control-plane');
    // A report that is still open is updated in place.
    const text = document?.getText() ?? '';
    return Promise.resolve(text.startsWith(`${uiText('Connection {0}', connection)}\n`) && text);
  });
}

/** What a report says about the permission `logs.read`. */
function stateOfLogsRead(text: string): string {
  return /^ {2}logs\.read +(.*)$/m.exec(text)?.[1] ?? '';
}

describe('Check Connection and Permissions', () => {
  const scene = setScene();

  it('reports the permissions of the key', async () => {
    await scene.connect();
    const text = await report(scene.name);
    const [baseUrl, reachable, clock] = text.split('\n').slice(2);
    assert.equal(baseUrl, uiText('Base URL: {0}', scene.controlPlane.url));
    assert.equal(reachable, uiText('Reachable: yes'));
    assert.isNotEmpty(clock);
    assert.equal(stateOfLogsRead(text), uiText('✓ granted'));
    assert.notInclude(text, uiText('✗ missing'));
    assert.include(text, uiText('– not tested: it would change something'));
  });

  it('recognizes an error of the API and reports the permission as missing', async () => {
    await scene.connect('demo-none');
    assert.equal(stateOfLogsRead(await report(scene.name)), uiText('✗ missing'));
  });

  it('explains any other error of the API', async () => {
    await scene.connect();
    await scene.controlPlane.admin.fault({ kind: 'status', status: 404 });
    assert.match(
      stateOfLogsRead(await report(scene.name)),
      uiPattern('? unknown: {0}', uiPattern('The control plane did not find this.')),
    );
  });
});

describe('Check Connection without a connection', () => {
  setScene({}, { withoutConnections: true });

  it('asks to connect', async () => {
    const check = run('checkConnection');
    let ended = false;
    const end = (): boolean => (ended = true);
    check.then(end, end);
    await until('the input box is dismissed', async () => {
      await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
      return ended;
    });
    await check;
    assert.isUndefined(vscode.window.activeTextEditor);
  });
});
