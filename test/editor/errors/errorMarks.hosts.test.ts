import { assert } from 'chai';
import * as vscode from 'vscode';
import { uiText } from '../../host/texts';
import { inWorkspace } from '../environment';
import { marksAre } from '../markedCode';
import { setScene } from '../scene';
import { run, until } from '../wait';

describe('Marks of errors in code, without Git', () => {
  const scene = setScene({}, { settings: { 'code.errors': 'marksAndProblems' } });
  const file = inWorkspace('web-api/src/pricing.ts');
  const fail = (line: number): Promise<unknown> =>
    scene.emit({
      severity: 'error',
      body: `TypeError: no percent\n    at total (/app/web-api/src/pricing.ts:${line}:5)`,
    });

  it('are on the lines as they came, and say that these may have moved', async () => {
    await scene.connect();
    await fail(3);
    const editor = await vscode.window.showTextDocument(file);
    await marksAre(file, [3, `1 × TypeError: no percent · ${uiText('may have moved')}`]);
    assert.isTrue(await run('nextError'));
    assert.equal(editor.selection.active.line, 2);
  });

  it('cost no request as long as no file is open', async () => {
    const asked = async (): Promise<number> =>
      (await scene.filters()).filter(({ severities }) => severities?.includes('fatal')).length;
    await scene.connect();
    await fail(3);
    assert.isFalse(await run('nextError'));
    const untitled = await vscode.workspace.openTextDocument({ content: 'not a file' });
    await vscode.window.showTextDocument(untitled);
    assert.isFalse(await run('nextError'));
    assert.equal(await asked(), 0);
    await vscode.window.showTextDocument(file);
    await until('errors are requested', async () => (await asked()) > 0);
  });
});
