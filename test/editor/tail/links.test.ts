import { assert } from 'chai';
import * as vscode from 'vscode';
import { commands } from '../../../src/vscode/contributions';
import { uiText } from '../../host/texts';
import { covers } from '../../unit/covers';
import { inWorkspace } from '../environment';
import { asText, hoversAt } from '../hovers';
import { setScene, shown } from '../scene';
import { channelDocument } from '../wait';

function logDocument(): vscode.TextDocument {
  const document = channelDocument('logs');
  if (!document) throw new Error('The channel is not shown.');
  return document;
}

/** A link and its text. */
interface Link {
  text: string;
  target: vscode.Uri;
}

/** The links of the log channel, from the last line with this text on. */
async function links(from: string): Promise<Link[]> {
  const document = logDocument();
  const found = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
    'vscode.executeLinkProvider',
    document.uri,
  );
  const first = document.positionAt(document.getText().lastIndexOf(from)).line;
  return found.flatMap(({ range, target }) =>
    target && range.start.line >= first ? [{ text: document.getText(range), target }] : [],
  );
}

/** Opens a link as a click does; returns the file and the line of the active editor. */
async function open(target: vscode.Uri): Promise<{ file: string; line: string }> {
  await vscode.commands.executeCommand('vscode.open', target);
  const editor = vscode.window.activeTextEditor;
  if (!editor) throw new Error(`${target.toString()} opens no editor.`);
  return {
    file: vscode.workspace.asRelativePath(editor.document.uri),
    line: editor.document.lineAt(editor.selection.active).text,
  };
}

/** The position of a text in a file of the workspace: line and column, from 1. */
async function placeOf(file: string, text: string): Promise<{ line: number; column: number }> {
  const document = await vscode.workspace.openTextDocument(inWorkspace(file));
  const { line, character } = document.positionAt(document.getText().indexOf(text));
  return { line: line + 1, column: character + 1 };
}

/** test/unit/logs/record/stackFrames.crashes.test.ts has the frames of each language. */
describe('Links in log lines', () => {
  const scene = setScene({}, { shared: true });

  before(async () => {
    await scene.connect();
    await scene.follow();
    await scene.tailIs('live');
  });

  it('open the lines of a stack trace in the workspace', async () => {
    const pricing = { file: 'web-api/src/pricing.ts', text: 'discount.percent' };
    const orders = { file: 'web-api/src/routes/orders.ts', text: 'priceOf(request' };
    const frames = await Promise.all(
      [pricing, orders].map(async ({ file, text }) => {
        const { line, column } = await placeOf(file, text);
        return `    at work (/app/${file}:${line}:${column})`;
      }),
    );
    await scene.emit(['TypeError: no percent', ...frames].join('\n'));
    await shown(1, 'no percent');
    const found = await links('no percent');
    assert.lengthOf(found, 2);
    for (const [index, { file, text }] of [pricing, orders].entries()) {
      const opened = await open(found[index]!.target);
      assert.equal(opened.file, file);
      assert.include(opened.line, text);
    }
  });

  it('are also definitions, for Go to Definition', async () => {
    await scene.emit('at total (/app/web-api/src/pricing.ts:3:5)', 'at y (/etc/passwd:1:1)');
    await shown(1, 'passwd');
    const document = logDocument();
    const definitionAt = async (text: string): Promise<vscode.Location[]> => {
      const position = document.positionAt(document.getText().lastIndexOf(text));
      const { uri } = document;
      const command = 'vscode.executeDefinitionProvider';
      return vscode.commands.executeCommand<vscode.Location[]>(command, uri, position);
    };
    const [found] = await definitionAt('pricing.ts:3:5');
    assert.equal(found && vscode.workspace.asRelativePath(found.uri), 'web-api/src/pricing.ts');
    assert.isTrue(found?.range.start.isEqual(new vscode.Position(2, 4)));
    assert.isEmpty(await definitionAt('total ('));
    assert.isEmpty(await definitionAt('passwd:1:1'));
  });

  it('open nothing else: no files outside of the workspace, no missing files', async () => {
    await scene.emit(
      'at x (../../../../etc/passwd:1:1)',
      'at x (/etc/passwd:1:1)',
      'see command:workbench.action.quit:1:1',
      'at x (web-api/src/missing.ts:1:1)',
    );
    await shown(1, 'missing.ts');
    assert.isEmpty(await links('at x (../'));
  });

  it('search for the trace of a line', async () => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    await scene.emit({ body: `request ${traceId} failed` });
    await shown(1, traceId);
    const [{ text, target }] = (await links(`request ${traceId}`)) as [Link];
    assert.equal(text, traceId);
    assert.equal(target.scheme, 'command');
    assert.equal(target.path, 'controlPlane.searchLogs');
    assert.deepEqual(JSON.parse(target.query), [`trace:${traceId} last:7d`]);
    const [argument] = JSON.parse(target.query) as unknown[];
    await scene.searched(
      () => vscode.commands.executeCommand(target.path, argument),
      (filters) => filters.traceId === traceId,
    );
  });
});

describe('Hovers of log lines', () => {
  const scene = setScene();

  beforeEach(async () => {
    await scene.connect();
    await scene.follow();
    await scene.tailIs('live');
  });

  /** The record in the hover of a line, which must be one block of code. */
  const hoverOf = async (line: number): Promise<string> => {
    const hovers = await hoversAt(logDocument().uri, new vscode.Position(line, 3));
    const content = hovers.at(-1) ?? assert.fail('There is no hover.');
    assert.isNotOk(content.isTrusted);
    assert.isNotOk(content.supportHtml);
    assert.isNotOk(content.supportThemeIcons);
    const [, fence = '', code = ''] = /^\s*(`{3,})json\n(.*)\n\1\s*$/s.exec(content.value) ?? [];
    assert.notEqual(fence, '', content.value);
    assert.notMatch(code, /^ {0,3}(```|~~~)/m, 'the block ends early');
    return code;
  };

  it('show the whole record on any of its lines', async () => {
    const [, record] = await scene.emit('another', {
      body: 'Error: no\n    at run',
      severity: 'error',
      attributes: { user: '42' },
      traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    });
    await shown(2);
    const { lineCount } = logDocument();
    // The last line is empty.
    for (const line of [lineCount - 3, lineCount - 2]) {
      assert.deepEqual(JSON.parse(await hoverOf(line)), record);
    }
    assert.include(await hoverOf(lineCount - 4), '"another"');
  });

  it('show an entry as people read it, with the number of its records, names and actions', async () => {
    const trace = ['Traceback (most recent call last):', '  in f', 'KeyError: 1'];
    const records = await scene.emit(
      ...trace.map((body) => ({ body, traceId: '4bf92f3577b34da6a3ce929d0e0e4736' })),
    );
    await shown(1);
    const { lineCount, uri } = logDocument();
    const position = new vscode.Position(lineCount - 2, 3);
    const [links, text, raw] = await hoversAt(uri, position);
    for (const command of [commands.showRecordTrace, commands.showRecordContext]) {
      assert.include(links?.value, `(command:${command}?`);
    }
    assert.isNotOk(text?.isTrusted);
    const [, body = '', facts = ''] = /^```log\n(.*)\n```(.*)$/s.exec(text?.value ?? '') ?? [];
    assert.equal(body, trace.join('\n'));
    const lines = asText(new vscode.MarkdownString(facts)).trim().split(/ *\n/);
    assert.deepEqual(lines.slice(0, 2), [
      uiText('{0} records', 3),
      `${uiText('Workload')}: ${records[0]?.workloadName ?? ''}`,
    ]);
    assert.include(lines.at(-1), '4bf92f3577b34da6a3ce929d0e0e4736');
    assert.deepEqual(
      JSON.parse(/^```json\n(.*)\n```$/s.exec(raw?.value ?? '')?.[1] ?? ''),
      records,
    );
  });

  it(`show server text as plain text ${covers('F57', 'editor')}`, async () => {
    const body = '```\n# head [x](command:workbench.action.quit) <img src=x> $(error) \u202e```';
    await scene.emit({ body, attributes: { '````': '~~~' } });
    await shown(1);
    const code = await hoverOf(logDocument().lineCount - 3);
    assert.include(code, '[x](command:workbench.action.quit) <img src=x> $(error)');
    assert.include(code, '\\u{202e}');
    assert.notInclude(code, '\u202e');
  });
});
