import { assert } from 'chai';
import { mkdir, rm } from 'node:fs/promises';
import * as vscode from 'vscode';
import { createGitFolder, type GitFolder } from '../../host/gitFolder';
import { uiText } from '../../host/texts';
import { covers } from '../../unit/covers';
import { inWorkspace } from '../environment';
import { leaveGit, openInGit, type OpenRepository } from '../gitExtension';
import { asText } from '../hovers';
import { hoverOf, type Marked, marksAre } from '../markedCode';
import { notification } from '../person';
import { errorRow } from '../rows';
import { setScene } from '../scene';
import { run, until } from '../wait';

/** An error at a line of a deployed file, of the workload with this index. */
type Failure = readonly [line: number, message: string, workload?: number];

/** The text of each file in the first commit, and in the second. */
const first = [
  'export function total(order) {',
  '  const { percent } = order.discount;',
  '  return order.price * percent;',
  '}',
  '',
].join('\n');
const second = `/** The sum of an order. */\n\n${first}`;
/** Lines of the first commit, and of the second. */
const discount = [2, 4] as const;
const price = [3, 5] as const;

const noDiscount: Failure = [discount[0], 'TypeError: no discount'];
const hostile = 'Error: [x](command:workbench.action.quit) <img src=x> $(error) *a* `b`';
/** The errors of each file. Each test has a file of its own, so that none changes what another sees. */
const failures = {
  moved: [noDiscount, noDiscount, [price[0], 'RangeError: too much']],
  changed: [
    [discount[0], 'E one'],
    [price[0], 'E two'],
  ],
  switched: [[discount[0], 'E']],
  twice: [[discount[0], 'E']],
  lost: [[discount[0], 'E', 2]],
  hovered: [noDiscount, noDiscount, [discount[1], noDiscount[1], 1]],
  hostile: [[discount[0], hostile]],
  walked: [
    [1, 'E one'],
    [discount[0], 'E two'],
    [price[0], 'E'],
  ],
  off: [[discount[0], 'E']],
  muted: [[discount[0], 'E muted']],
  asked: [[discount[0], 'E asked']],
  renamed: [[discount[0], 'E']],
  slow: [[discount[0], 'E slow', 3]],
} satisfies Record<string, Failure[]>;
type Name = keyof typeof failures;
const names = Object.keys(failures) as Name[];

const titlesOf = (actions: readonly vscode.CodeAction[]): string[] =>
  actions.map(({ title }) => title);

describe('Marks of errors in code, with the Git extension', () => {
  const scene = setScene(
    {},
    {
      shared: true,
      settings: { 'code.errors': 'marksAndProblems', 'refresh.intervalSeconds': 5 },
    },
  );
  const folderName = 'marked';
  let code: GitFolder;
  let shas: [old: string, current: string];
  let repository: OpenRepository;

  before(async () => {
    code = await createGitFolder(uriOf('').fsPath);
    const commit = async (text: string): Promise<string> => {
      let sha = '';
      for (const name of names) sha = await code.commit(`${name}.js`, text);
      return sha;
    };
    shas = [await commit(first), await commit(second)];
    await mkdir(uriOf('today').fsPath);
    await code.git('mv', 'renamed.js', 'today/name.js');
    await code.git('commit', '--quiet', '--message', 'Move a file');
    repository = await openInGit(code);
    const { world, admin } = scene.controlPlane;
    for (const [index, commitSha] of [...shas, 'f'.repeat(40), shas[0]].entries()) {
      await admin.change(world.workloads[index]!.deploymentId, { commitSha });
    }
    for (const name of names) await fail(name, ...failures[name]);
    await scene.connect();
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await leaveGit();
    await rm(code.folder, { recursive: true, maxRetries: 10 });
  });

  const uriOf = (file: string): vscode.Uri => inWorkspace(folderName, file);

  /** Logs errors of a file. */
  async function fail(name: Name, ...errors: readonly Failure[]): Promise<void> {
    await scene.emit(
      ...errors.map(([line, message, index = 0]) => {
        const { id: workloadId, deploymentId } = scene.controlPlane.world.workloads[index]!;
        const body = `${message}\n    at total (/app/${folderName}/${name}.js:${line}:3)`;
        return { workloadId, deploymentId, severity: 'error' as const, body };
      }),
    );
  }

  const open = (name: Name): Thenable<vscode.TextEditor> =>
    vscode.window.showTextDocument(uriOf(`${name}.js`));
  const marked = (name: Name, ...wanted: readonly Marked[]): Promise<void> =>
    marksAre(uriOf(`${name}.js`), ...wanted);
  const insert = (editor: vscode.TextEditor, line: number, text: string): Thenable<boolean> =>
    editor.edit((builder) => builder.insert(new vscode.Position(line - 1, 0), text));

  it('are on the lines where the deployed ones are now, also in unsaved text and after undo', async () => {
    const editor = await open('moved');
    const texts = ['2 × TypeError: no discount', '1 × RangeError: too much'] as const;
    await marked('moved', [discount[1], texts[0]], [price[1], texts[1]]);
    await insert(editor, 1, 'const one = 1;\n');
    await insert(editor, 6, '\n\n');
    await marked('moved', [5, texts[0]], [8, texts[1]]);
    await vscode.commands.executeCommand('undo');
    await marked('moved', [5, texts[0]], [6, texts[1]]);
    await vscode.commands.executeCommand('undo');
    await marked('moved', [discount[1], texts[0]], [price[1], texts[1]]);
  });

  it('say if the line itself was changed or deleted', async () => {
    const editor = await open('changed');
    await marked('changed', [4, '1 × E one'], [5, '1 × E two']);
    const since = uiText('changed since {0}', shas[0].slice(0, 7));
    const line = editor.document.lineAt(3).range;
    await editor.edit((builder) => builder.replace(line, '  const percent = 0;'));
    await marked('changed', [4, `1 × E one · ${since}`], [5, '1 × E two']);
    await editor.edit((builder) => builder.delete(new vscode.Range(3, 0, 5, 0)));
    await marked('changed', [3, `1 × E one · ${since}`], [4, `1 × E two · ${since}`]);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await marked('changed', [4, '1 × E one'], [5, '1 × E two']);
  });

  it('follow a switch of the branch', async () => {
    await open('switched');
    await marked('switched', [discount[1], '1 × E']);
    await code.git('checkout', '--quiet', '-b', 'before', shas[0]);
    await repository.status();
    await marked('switched', [discount[0], '1 × E']);
    await code.git('checkout', '--quiet', 'main');
    await repository.status();
    await marked('switched', [discount[1], '1 × E']);
  });

  it('of a new deployment with other lines count with those of the old one', async () => {
    await open('twice');
    await marked('twice', [discount[1], '1 × E']);
    await fail('twice', [discount[1], 'E', 1]);
    await marked('twice', [discount[1], '2 × E']);
    const urls = (await scene.requests('/deployments')).map(({ url }) => url);
    for (const { id } of scene.controlPlane.world.workloads.slice(0, 2)) {
      assert.lengthOf(
        urls.filter((url) => url.includes(id)),
        1,
        'one request for each workload',
      );
    }
  });

  it('may have moved if the repository does not have the commit', async () => {
    await open('lost');
    await marked('lost', [discount[0], `1 × E · ${uiText('may have moved')}`]);
  });

  it('get the cursor of a click, also if it is known only later where the deployed line is now', async () => {
    const { id } = scene.controlPlane.world.workloads[3]!;
    const endpoint = 'get_resources_deployments';
    await scene.controlPlane.admin.fault({ kind: 'latency', latencyMs: 3000, endpoint, path: id });
    await run('showErrors');
    const row = await until('the row', () => errorRow('E slow', uriOf('slow.js')));
    await run('openErrorCode', row);
    const editor = await until('the file is shown', () =>
      vscode.window.visibleTextEditors.find(({ document }) =>
        document.uri.path.endsWith('slow.js'),
      ),
    );
    await until('the cursor is there', () => editor.selection.active.line === discount[1] - 1);
  });

  it('are in a file that was renamed since the deployment', async () => {
    const file = uriOf('today/name.js');
    const editor = await vscode.window.showTextDocument(file);
    await marksAre(file, [discount[1], '1 × E']);
    await insert(editor, 1, 'const one = 1;\n');
    await marksAre(file, [discount[1] + 1, '1 × E']);
    await vscode.commands.executeCommand('undo');
  });

  it('have a hover with counts, and links that run nothing but two commands', async () => {
    const { uri } = (await open('hovered')).document;
    await marked('hovered', [discount[1], '3 × TypeError: no discount']);
    const [text, links] = await hoverOf(uri, discount[1]);
    assert.isDefined(links);
    assert.isNotOk(text!.isTrusted);
    const [first, second] = scene.controlPlane.world.workloads.map(({ name }) => name);
    assert.include(asText(text!), '3 × TypeError: no discount');
    assert.include(asText(text!), `${first!} (2), ${second!} (1)`);
    assert.include(asText(text!), `${shas[0].slice(0, 7)} (2), ${shas[1].slice(0, 7)} (1)`);
    const allowed = ['controlPlane.searchLogs', 'controlPlane.showDeployedCommit'];
    assert.deepEqual(links.isTrusted, { enabledCommands: allowed });
    const link = String.raw`\(command:controlPlane\.\w+\?[\w%.~-]+\)`;
    assert.match(
      links.value,
      new RegExp(
        `^\\[${uiText('Show Records')}\\]${link} · \\[${uiText('Show Deployed Commit')}\\]${link}$`,
      ),
    );
    assert.isEmpty(await hoverOf(uri, price[1]));
  });

  it('open their deployed commit, and say why if they cannot', async () => {
    const { uri } = (await open('hovered')).document;
    const commit = { sha: shas[0], file: uri.toString() };
    assert.isTrue(await run('showDeployedCommit', commit));
    assert.isFalse(await run('showDeployedCommit', { ...commit, sha: 'HEAD' }));
    const elsewhere = { ...commit, file: uriOf('../web-api/src/pricing.ts').toString() };
    assert.isFalse(await run('showDeployedCommit', elsewhere));
    await notification(uiText('This file does not belong to an open Git repository.'));
  });

  it(`keep text from logs apart from links that can be clicked ${covers('F56, F57', 'editor')}`, async () => {
    const { uri } = (await open('hostile')).document;
    const parts = await until('a hover', async () => {
      const found = await hoverOf(uri, discount[1]);
      return found.length > 0 && found;
    });
    assert.include(asText(parts[0]!), 'Error: [x] (command:workbench.action.quit)');
    for (const { value, isTrusted, supportHtml, supportThemeIcons } of parts) {
      assert.isNotOk(supportHtml ?? supportThemeIcons);
      // Every sign of Markdown is escaped, and in a link of ours it is encoded.
      if (isTrusted) assert.notMatch(value, /quit\)|img src|[<`*$]/);
      else assert.notMatch(value, /(?<!\\)[[`*]/);
    }
  });

  it('are where the commands for the next and the previous error go', async () => {
    const editor = await open('walked');
    await marked('walked', [3, '1 × E one'], [4, '1 × E two'], [5, '1 × E']);
    editor.selection = new vscode.Selection(3, 0, 3, 0);
    const lines: number[] = [];
    for (const command of ['nextError', 'nextError', 'previousError', 'previousError']) {
      assert.isTrue(await run(command));
      lines.push(editor.selection.active.line + 1);
    }
    assert.deepEqual(lines, [5, 3, 5, 4]);
    assert.equal(editor.selection.active.character, 2);
  });

  it('have quick fixes that mute what they point at', async () => {
    const { uri } = (await open('muted')).document;
    await marked('muted', [discount[1], '1 × E muted']);
    const fixesAt = (line: number): Thenable<readonly vscode.CodeAction[]> =>
      vscode.commands.executeCommand(
        'vscode.executeCodeActionProvider',
        uri,
        new vscode.Range(line - 1, 0, line - 1, 0),
      );
    const titles = [
      uiText('Mute Error: {0}', 'E muted'),
      uiText('Fixed in the Next Deployment: {0}', 'E muted'),
    ];
    const found = await fixesAt(discount[1]);
    assert.includeMembers(titlesOf(found), titles);
    const elsewhere = await fixesAt(1);
    assert.notInclude(titlesOf(elsewhere).join(), 'E muted');
    const { command } = found.find(({ title }) => title === titles[0])!;
    await vscode.commands.executeCommand(command!.command, ...(command!.arguments as unknown[]));
    await marked('muted');
  });

  it('offer to ask the chat only if AI features are not turned off', async () => {
    const { uri } = (await open('asked')).document;
    await marked('asked', [discount[1], '1 × E asked']);
    const canAsk = async (): Promise<boolean> => {
      const found = await vscode.commands.executeCommand<readonly vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        uri,
        new vscode.Range(discount[1] - 1, 0, discount[1] - 1, 0),
      );
      assert.include(titlesOf(found), uiText('Mute Error: {0}', 'E asked'));
      return titlesOf(found).includes(uiText('Ask Chat About: {0}', 'E asked'));
    };
    const turnOff = (isOff: boolean | undefined): Thenable<void> =>
      vscode.workspace.getConfiguration('chat').update('disableAIFeatures', isOff, true);
    const before = vscode.workspace.getConfiguration('chat').get<boolean>('disableAIFeatures');
    try {
      await turnOff(true);
      assert.isFalse(await canAsk());
      await turnOff(false);
      assert.isTrue(await canAsk());
    } finally {
      await turnOff(before);
    }
  });

  it('are gone if the setting is off', async () => {
    await open('off');
    await marked('off', [discount[1], '1 × E']);
    await scene.set('code.errors', 'off');
    await marked('off');
    assert.isEmpty(await hoverOf(uriOf('off.js'), discount[1]));
    assert.isFalse(await run('nextError'));
    await scene.set('code.errors', 'marksAndProblems');
    await marked('off', [discount[1], '1 × E']);
  });
});
