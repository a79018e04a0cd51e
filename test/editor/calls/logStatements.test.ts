import { assert } from 'chai';
import * as vscode from 'vscode';
import type { LogQueryFilters } from '../../../src/api/types';
import { uiPattern, uiText } from '../../host/texts';
import { covers } from '../../unit/covers';
import { inWorkspace } from '../environment';
import { asText, hoversAt } from '../hovers';
import { answerPick, offeredButtons, notification } from '../person';
import { setScene, shown, type Scene } from '../scene';
import { channelDocument, run, until } from '../wait';

const file = 'order-worker/src/worker.ts';
const call = 'console.log(';
const carrier = ': label from carrier';

async function openCode(): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(inWorkspace(file));
  await vscode.window.showTextDocument(document);
  return document;
}

/** The position of the first logging call. */
function callIn(document: vscode.TextDocument): vscode.Position {
  return document.positionAt(document.getText().indexOf(call));
}

async function lensesOf({ uri }: vscode.TextDocument): Promise<vscode.CodeLens[]> {
  const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
    'vscode.executeCodeLensProvider',
    uri,
    100,
  );
  return lenses.filter(({ command }) => command?.command === 'controlPlane.searchStatementLogs');
}

/** The filters of the searches for the text of the call. */
async function searches(scene: Scene, text = carrier): Promise<LogQueryFilters[]> {
  return (await scene.filters()).filter(({ search }) => search === text);
}

/** The active editor: its file, and the text of the line with the cursor. */
async function opened(name: string): Promise<string> {
  const editor = await until(`${name} is open`, () => {
    const { activeTextEditor } = vscode.window;
    return activeTextEditor?.document.uri.path.endsWith(name) && activeTextEditor;
  });
  return editor.document.lineAt(editor.selection.active).text.trim();
}

describe('Links above logging calls', () => {
  const scene = setScene();

  it('open the records of the call, and cost no request before', async () => {
    await scene.connect();
    const document = await openCode();
    const [lens = assert.fail('There is no lens.'), ...more] = await lensesOf(document);
    assert.isEmpty(more);
    assert.equal(lens.range.start.line, callIn(document).line);
    assert.equal(lens.command?.title, uiText('Logs'));
    assert.isEmpty(await searches(scene));
    const { command = '', arguments: args = [] } = lens.command ?? {};
    const asked = await scene.searched(
      () => vscode.commands.executeCommand(command, ...(args as unknown[])),
      ({ search }) => search === carrier,
    );
    assert.isUndefined(asked.severities);
  });

  it('are there only while signed in, and if the setting allows it', async () => {
    const document = await openCode();
    assert.isEmpty(await lensesOf(document));
    await scene.connect();
    assert.lengthOf(await lensesOf(document), 1);
    await scene.set('code.logStatements', 'off');
    assert.isEmpty(await lensesOf(document));
  });

  it('are not in files of dependencies', async () => {
    await scene.connect();
    const uri = inWorkspace('node_modules/a/index.js');
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode('console.log("loaded")'));
    try {
      assert.isEmpty(await lensesOf(await vscode.workspace.openTextDocument(uri)));
    } finally {
      await vscode.workspace.fs.delete(uri);
    }
  });

  it('count the records of calls on the screen with one request, if asked to', async () => {
    await scene.connect();
    await scene.emit(
      `order 1${carrier} domestic`,
      `order 2${carrier} international`,
      `no order${carrier} x`.replace('order', 'parcel'),
    );
    await scene.set('code.logStatements', 'count');
    const document = await openCode();
    await until('the count', async () => {
      const [lens] = await lensesOf(document);
      return lens?.command?.title === uiText('Logs · {0} in the last hour', 2);
    });
    const all = new vscode.Range(0, 0, document.lineCount, 0);
    const hints = await vscode.commands.executeCommand<vscode.InlayHint[]>(
      'vscode.executeInlayHintProvider',
      document.uri,
      all,
    );
    const labels = hints.flatMap(({ label }) => (typeof label === 'string' ? label : []));
    assert.match(labels.join('\n'), /^order\.orderId: 1–2 · carrier: \w+ \+1$/m);
    assert.lengthOf(await searches(scene), 1);
  });
});

describe('Hovers of logging calls', () => {
  const scene = setScene();

  const hoverOf = (document: vscode.TextDocument): Promise<vscode.MarkdownString[]> =>
    hoversAt(document.uri, callIn(document), (parts) =>
      parts.some(({ value }) => value.includes('command:controlPlane.')),
    );

  it('show the last record and what its expressions held, with one request', async () => {
    const document = await openCode();
    assert.isEmpty(await hoverOf(document));
    await scene.connect();
    await scene.emit(
      `order 11${carrier} domestic`,
      `order 7${carrier} domestic`,
      `order 30${carrier} international`,
    );
    const text = asText(...(await hoverOf(document)));
    assert.include(text, uiText('{0} records in the last hour', 3));
    assert.include(text, `order 30${carrier} international`);
    assert.include(text, 'order.orderId 7–30');
    assert.include(
      text,
      uiText(
        '{0}: {1} different, most often {2} ({3} of {4})',
        ...['carrier', 2, 'domestic', 2, 3],
      ),
    );
    await hoverOf(document);
    assert.lengthOf(await searches(scene), 1);
  });

  it(`trust only the link, which is of our own words ${covers('F57', 'editor')}`, async () => {
    await scene.connect();
    await scene.emit(`order <img src=x> [x](command:y)${carrier} $(error) \`\`\`\n\u202e`);
    const contents = await hoverOf(await openCode());
    const trusted = contents.filter(({ isTrusted }) => isTrusted);
    assert.lengthOf(trusted, 1);
    const [{ value, isTrusted } = assert.fail('There is no link.')] = trusted;
    assert.deepEqual(isTrusted, { enabledCommands: ['controlPlane.searchStatementLogs'] });
    assert.match(value, /^\[[\w ]+\]\(command:[\w.]+\?[\w%.-]+\)$/);
    for (const { supportHtml, supportThemeIcons } of contents) {
      assert.isNotOk(supportHtml ?? supportThemeIcons);
    }
    const others = contents.filter((content) => !trusted.includes(content));
    assert.notInclude(others.map(({ value: text }) => text).join(''), '\u202e');
  });
});

describe('Go to Log Statement', () => {
  const scene = setScene();

  /** Follows, writes a record, and returns its line in the channel. */
  async function logged(body: string): Promise<number> {
    await scene.connect();
    await scene.follow();
    await scene.tailIs('live');
    await scene.emit(body);
    await shown(1, body);
    const document = channelDocument('logs') ?? assert.fail('It is not shown.');
    return document.positionAt(document.getText().lastIndexOf(body)).line;
  }

  it('opens the call that fits the line of the log channel, as its hover offers', async () => {
    const line = await logged(`order 4711${carrier} domestic`);
    const { uri } = channelDocument('logs') ?? assert.fail();
    const [link = assert.fail('There is no hover.')] = await hoversAt(
      uri,
      new vscode.Position(line, 3),
    );
    const command = 'controlPlane.goToLogStatement';
    const [, args = ''] =
      /\]\(command:controlPlane\.goToLogStatement\?([^)]*)\)/.exec(link.value) ?? [];
    const [argument] = JSON.parse(decodeURIComponent(args)) as unknown[];
    assert.deepEqual(argument, { line });
    assert.isTrue(await vscode.commands.executeCommand(command, argument));
    assert.isTrue((await opened(file)).startsWith(call));
  });

  it('asks which of several, and notices changed files', async () => {
    const body = 'the cache of 7 pages was warmed';
    const line = await logged(body);
    assert.isFalse(await run('goToLogStatement', { line }));
    await notification(uiPattern('No log statement in this workspace fits “{0}”.', body));

    const uris = ['one', 'two'].map((name) => inWorkspace(`${name}.ts`));
    const code = '// a comment\nlogger.info(`the cache of ${count} pages was warmed`);\n';
    try {
      for (const uri of uris) {
        await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(code));
      }
      let labels: string[] = [];
      answerPick((items) => {
        labels = items.map(({ label }) => label.replace(/^\$\([\w-]+\) /, ''));
        return items.find(({ label }) => label.includes('two.ts'));
      });
      // The watcher of files reports them after a moment.
      await until('both are found', async () => {
        await run('goToLogStatement', { line });
        return labels.length > 0;
      });
      assert.sameMembers(labels, ['one.ts:2', 'two.ts:2']);
      assert.isTrue((await opened('/two.ts')).startsWith('logger.info('));
    } finally {
      for (const uri of uris) await vscode.workspace.fs.delete(uri);
    }
  });

  it('says what to do without a record', async () => {
    await scene.connect();
    for (const argument of [undefined, { line: 1e9 }, { line: 'x' }]) {
      assert.isFalse(await run('goToLogStatement', argument));
    }
    await notification(
      uiPattern(
        'Select a record in the Log Explorer, or place the cursor on a line of Control Plane Logs.',
      ),
    );
    assert.isFalse(await run('goToLogStatement', { recordKey: 'none' }));
    await notification(uiPattern('This record is no longer shown.'));
  });
});

describe('Show Logs of This File', () => {
  const scene = setScene();
  const stackFrames = uiText('Stack frames in this file');
  const oneRecord = uiText('{0} record', 1);

  it('lists what was found by its text, and opens it in the Log Explorer', async () => {
    await scene.connect();
    await scene.emit(
      'TypeError: no country\n    at ship (/app/order-worker/src/worker.ts:10:3)',
      `order 1${carrier} domestic`,
      'see worker.ts of another program',
    );
    const document = await openCode();
    let items: readonly vscode.QuickPickItem[] = [];
    answerPick((shownItems) => {
      items = shownItems;
      return shownItems.find(({ label }) => label.includes(stackFrames));
    });
    assert.isTrue(await run('showLogsOfFile', document.uri));
    const texts = items.map(({ label, description = '' }) => `${label}: ${description}`);
    assert.lengthOf(items, 3);
    assert.isTrue(texts.some((text) => text.includes(`${stackFrames}: ${oneRecord} · `)));
    const line = callIn(document).line + 1;
    assert.isTrue(
      texts.some((text) => text.includes(`${uiText('line {0}', line)} · ${oneRecord} · `)),
    );
    const all = `${uiText('All of these as text')}: ${uiText('{0} records', 2)}`;
    assert.isTrue(texts.some((text) => text.includes(all)));
    await until('the search of the Log Explorer', async () => {
      const found = await searches(scene, 'worker.ts');
      return found.length === 2;
    });
  });

  it('opens the only result at once, and says if there is none', async () => {
    await scene.connect();
    await openCode();
    assert.isFalse(await run('showLogsOfFile'));
    await notification(
      uiPattern('No records of {0} were found in the last 24 hours.', /.*worker\.ts/),
    );
    await scene.emit(`order 1${carrier} domestic`);
    assert.isTrue(await run('showLogsOfFile'));
    await until('the search of the Log Explorer', async () => {
      const all = await searches(scene);
      return all.length === 3;
    });
  });

  it('is for code of the workspace', async () => {
    await scene.connect();
    await vscode.window.showTextDocument(
      await vscode.workspace.openTextDocument({ content: 'console.log("started")' }),
    );
    assert.isFalse(await run('showLogsOfFile'));
    await notification(
      uiPattern('Open a code file of the workspace, such as JavaScript, Python, Java or Go.'),
    );
    assert.isEmpty(offeredButtons(), 'the diagnostics say nothing about it');
  });
});
