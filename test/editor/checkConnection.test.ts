import { assert } from 'chai';
import * as vscode from 'vscode';
import { setScene } from './scene';
import { run, until } from './wait';

/** Checks the connection; returns the report. */
async function report(connection: string): Promise<string> {
  await run('checkConnection');
  return until(`a report about ${connection}`, () => {
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(document?.uri.scheme, 'control-plane');
    // A report that is still open is updated in place.
    const text = document?.getText() ?? '';
    return Promise.resolve(text.startsWith(`Connection ${connection}\n`) && text);
  });
}

describe('Check Connection and Permissions', () => {
  const scene = setScene();

  it('reports the permissions of the key', async () => {
    await scene.connect();
    const text = await report(scene.name);
    assert.include(text, `Base URL: ${scene.controlPlane.url}\nReachable: yes\nClock: `);
    assert.match(text, /^ {2}logs\.read +✓ granted$/m);
    assert.notInclude(text, '✗');
  });

  it('recognizes an error of the API and reports the permission as missing', async () => {
    await scene.connect('demo-none');
    assert.match(await report(scene.name), /^ {2}logs\.read +✗ missing$/m);
  });

  it('explains any other error of the API', async () => {
    await scene.connect();
    await scene.controlPlane.admin.fault({ kind: 'status', status: 404 });
    assert.match(
      await report(scene.name),
      /^ {2}logs\.read +\? unknown: The control plane did not find this\. /m,
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
