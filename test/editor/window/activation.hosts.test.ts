import { assert } from 'chai';
import * as vscode from 'vscode';
import { testEnvironment } from '../environment';

describe('the extension', () => {
  const extension = vscode.extensions.getExtension('control-plane.deployment-control-plane');

  it('is installed and activates', async () => {
    assert.isDefined(extension, 'the extension is installed');
    await extension.activate();
    assert.isTrue(extension.isActive);
  });

  it('runs in the extension host of this run', async () => {
    const { host } = await testEnvironment();
    assert.equal('WorkerGlobalScope' in globalThis ? 'web' : 'node', host);
  });
});
