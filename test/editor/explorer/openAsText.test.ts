import { assert } from 'chai';
import * as vscode from 'vscode';
import { uiText } from '../../host/texts';
import { clickInMessage, notification } from '../person';
import { signOutQuestion } from '../questions';
import { recordsOf, setScene } from '../scene';
import { run, until } from '../wait';

describe('logs as text', () => {
  const scene = setScene();

  beforeEach(() => scene.connect());

  const open = async (query = ''): Promise<vscode.TextDocument> => {
    await run('openLogsAsText', query);
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(document?.uri.scheme, 'control-plane-logs');
    return document!;
  };
  const failed =
    'failed\nTypeError: no\n    at priceOf (/app/web-api/src/pricing.ts:3:5)\n    at go (b.ts:1:1)';

  it('open as lines of the channel in a document that need not be saved', async () => {
    await scene.emit('one', { body: failed, severity: 'fatal' }, 'three');
    const document = await open();
    assert.equal(document.languageId, 'log');
    assert.isFalse(document.isDirty);
    assert.deepEqual(
      recordsOf(document.getText()).map(({ text }) => text),
      ['one', 'FATAL failed', 'three'],
    );
    assert.match(document.uri.path, /^\/.+ \d{4}-\d\d-\d\d .*\.log$/);
    const text = document.getText();
    await vscode.commands.executeCommand('type', { text: 'x' });
    assert.equal(document.getText(), text, 'it is read-only');
  });

  it('fold by record and by stack trace', async () => {
    await scene.emit('one', { body: failed }, 'three');
    const { uri } = await open();
    const folds = await until('the folds', async () => {
      const found = await vscode.commands.executeCommand<vscode.FoldingRange[] | undefined>(
        'vscode.executeFoldingRangeProvider',
        uri,
      );
      return found !== undefined && found.length > 0 && found;
    });
    assert.deepEqual(
      folds.map(({ start, end }) => [start, end]),
      [
        [1, 4],
        [2, 4],
      ],
    );
  });

  it('have an outline of their errors', async () => {
    await scene.emit(
      'one',
      { body: failed, severity: 'fatal', workloadName: 'shop' },
      { body: 'careful', severity: 'warn' },
      { body: 'broken', severity: 'error' },
    );
    const { uri } = await open();
    const symbols = await vscode.commands.executeCommand<vscode.DocumentSymbol[]>(
      'vscode.executeDocumentSymbolProvider',
      uri,
    );
    assert.deepEqual(
      symbols.map(({ name }) => name),
      ['FATAL failed', 'broken'],
    );
    assert.match(symbols[0]?.detail ?? '', /^shop · /);
    assert.deepInclude(symbols[0]?.range.end, { line: 4 });
  });

  it('have the links of the channel', async () => {
    await scene.emit({ body: failed });
    const { uri } = await open();
    const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
      'vscode.executeLinkProvider',
      uri,
    );
    const targets = links.map(({ target }) => target?.toString() ?? '');
    assert.lengthOf(
      targets.filter((target) => target.includes('pricing.ts#L3')),
      1,
    );
  });

  it('are removed after signing out', async () => {
    await scene.emit('one');
    const document = await open();
    clickInMessage(signOutQuestion, 'Sign Out');
    await run('signOut');
    await until('the records are gone', () => !document.getText().includes('one'));
  });

  it('show a message if there are none', async () => {
    await run('openLogsAsText', '"no such text"');
    await notification(uiText('No records match the query.'));
  });
});
