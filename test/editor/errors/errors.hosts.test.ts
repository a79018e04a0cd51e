import { assert } from 'chai';
import * as vscode from 'vscode';
import { inWorkspace } from '../environment';
import { errorRow } from '../rows';
import { setScene } from '../scene';
import { run, until } from '../wait';

describe('The view Errors, without Git', () => {
  const scene = setScene();

  it('fills, and opens the line as it came', async () => {
    const file = inWorkspace('web-api/src/pricing.ts');
    const message = 'TypeError: no percent';
    await scene.connect();
    await scene.emit({
      severity: 'error',
      body: `${message}\n    at total (/app/web-api/src/pricing.ts:3:5)`,
    });
    await run('showErrors');
    const row = await until('the row is there', async () => {
      await run('refreshErrors');
      return errorRow(message, file);
    });
    assert.isTrue(await run('openErrorCode', row));
    const editor = vscode.window.visibleTextEditors.find(
      ({ document }) => document.uri.toString() === file.toString(),
    );
    assert.isTrue(editor?.selection.active.isEqual(new vscode.Position(2, 4)));
  });
});
