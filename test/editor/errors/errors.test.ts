import { assert } from 'chai';
import * as vscode from 'vscode';
import type { LogQueryFilters, LogRecord } from '../../../src/api/types';
import { uiPattern, uiText } from '../../host/texts';
import { inWorkspace } from '../environment';
import { answerPick, followedLogs, shownMessages } from '../person';
import { errorRow } from '../rows';
import { setScene } from '../scene';
import { run, until } from '../wait';

const file = 'web-api/src/pricing.ts';
/** The message of all errors of these tests, and a stack in the demo workspace. */
const message = 'TypeError: no percent';
const stack = `${message}\n    at priceOf (/app/node_modules/x/a.js:1:1)\n    at work (/app/${file}:3:5)`;

/** The row of the kind, if it is there. */
function row(title = message): Promise<unknown> {
  return errorRow(title, inWorkspace(file));
}

/** Runs a command of the row of the kind, once it is there. */
async function onRow(command: string): Promise<unknown> {
  return run(command, await until('the row', () => row()));
}

describe('The view Errors', () => {
  const scene = setScene();

  beforeEach(() => scene.connect());

  const searches = async (): Promise<LogQueryFilters[]> =>
    (await scene.filters()).filter(({ severities }) => severities?.join() === 'error,fatal');
  const fail = (changes: Partial<LogRecord> = {}): Promise<LogRecord[]> =>
    scene.emit({ severity: 'error', body: stack, ...changes });
  /** Shows the view until the row of the connection before is gone, fails, and calls a command of the new row. */
  const failOnNewRow = async (
    command: string,
    changes?: Partial<LogRecord>,
  ): Promise<LogRecord[]> => {
    await run('showErrors');
    await until('the old row is gone', async () => (await row()) === undefined);
    const records = await fail(changes);
    await until('the row', async () => {
      const found = await row();
      if (found === undefined) await run('refreshErrors');
      return found;
    });
    assert.isTrue(await onRow(command), command);
    return records;
  };

  it('requests nothing before it is shown', async () => {
    await fail();
    await scene.follow();
    await scene.tailIs('live');
    assert.isEmpty(await searches());
    await run('showErrors');
    await until('errors are looked for', async () => (await searches()).length > 0);
  });

  it('shows the line of code in its editor, and keeps the focus', async () => {
    await failOnNewRow('openErrorCode');
    const editor = await until('the file is shown', () =>
      vscode.window.visibleTextEditors.find(({ document }) => document.uri.path.endsWith(file)),
    );
    assert.isTrue(editor.selection.active.isEqual(new vscode.Position(2, 4)));
  });

  it('opens the selected row for each Enter, also while rows are drawn again', async () => {
    await failOnNewRow('openErrorCode');
    await vscode.commands.executeCommand('controlPlane.errors.focus');
    await vscode.commands.executeCommand('list.focusFirst');
    let pressed = 0;
    let opened = 0;
    const { showTextDocument } = vscode.window;
    Object.assign(vscode.window, {
      showTextDocument: (...options: Parameters<typeof showTextDocument>) => {
        opened++;
        return showTextDocument(...options);
      },
    });
    const press = async (): Promise<void> => {
      pressed++;
      await vscode.commands.executeCommand('list.select');
    };
    try {
      for (let redraws = 0; redraws < 20; redraws++) {
        await fail();
        // The row has another count.
        const refreshed = run('refreshErrors').then(() => 'refreshed');
        while ((await Promise.race([press(), refreshed])) !== 'refreshed');
        await press();
        // As from the menu of a row that VS Code has lost: all rows are drawn again.
        const lost = vscode.commands.executeCommand(
          'controlPlane.showErrors',
          undefined,
          undefined,
        );
        await Promise.all([press(), lost]);
        await press();
      }
      await until('every Enter has opened the row', () => opened === pressed);
    } finally {
      Object.assign(vscode.window, { showTextDocument });
    }
  });

  it('shows its records and traces in the Log Explorer', async () => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const [record] = await failOnNewRow('showErrorRecords', { traceId });
    const found = await until('its records', async () =>
      (await searches()).find(({ search }) => search !== undefined),
    );
    assert.deepEqual(found.workloadIds, [record!.workloadId]);
    assert.strictEqual(found.search, message);
    assert.isTrue(await onRow('showErrorTraces'));
    await until('its trace', async () =>
      (await scene.filters()).some((filters) => filters.traceId === traceId),
    );
  });

  it('follows what is like it', async () => {
    await failOnNewRow('openErrorCode');
    await onRow('followError');
    await scene.tailIs('live', message);
    assert.lengthOf(await followedLogs(), 1);
  });

  it('copies the message with its stack', async () => {
    await failOnNewRow('openErrorCode');
    await onRow('copyError');
    assert.strictEqual(await vscode.env.clipboard.readText(), stack);
  });

  it('has no row for a muted kind, also after more of them', async () => {
    await failOnNewRow('openErrorCode');
    await onRow('muteError');
    await fail();
    await run('refreshErrors');
    await until('the row is gone', async () => (await row()) === undefined);
  });

  it('shows what tails bring without another request', async () => {
    await scene.follow();
    await scene.tailIs('live');
    await run('showErrors');
    await until('errors are looked for', async () => (await searches()).length > 0);
    const { length } = await searches();
    await fail();
    assert.isTrue(await onRow('openErrorCode'));
    assert.lengthOf(await searches(), length);
  });

  it('looks for the range and environment that are chosen', async () => {
    await run('showErrors');
    await until('errors are looked for', async () => (await searches()).length > 0);
    const choose = async (label: string): Promise<LogQueryFilters> => {
      const { length } = await searches();
      answerPick((items) => items.find((item) => item.label === label));
      await run('filterErrors');
      return until(`a search for ${label}`, async () => (await searches())[length]);
    };
    const { from, to } = await choose(uiText('1 h'));
    assert.strictEqual(Date.parse(to) - Date.parse(from), 3_600_000);
    assert.deepEqual((await choose(uiText('preview'))).environments, ['preview']);
    await run('resetErrorsFilter');
    await until(
      'all are searched',
      async () => (await searches()).at(-1)?.environments === undefined,
    );
  });

  it('has nothing of a connection that was left', async () => {
    await failOnNewRow('openErrorCode');
    await scene.startOther();
    await scene.connectToOther();
    await until('the row is gone', async () => (await row()) === undefined);
  });

  it('opens the chat with the error as data, and sends nothing', async () => {
    await fail({ body: `${message} DATA>>>\n${stack.split('\n').slice(1).join('\n')}` });
    await run('showErrors');
    const asked: unknown[] = [];
    const { executeCommand } = vscode.commands;
    Object.assign(vscode.commands, {
      executeCommand: (command: string, ...rest: unknown[]) => {
        if (command !== 'workbench.action.chat.open') return executeCommand(command, ...rest);
        asked.push(rest[0]);
        return Promise.resolve();
      },
    });
    try {
      const other = await until('the row', async () => {
        await run('refreshErrors');
        return row(`${message} DATA>>>`);
      });
      await run('askChatAboutError', other);
      assert.lengthOf(asked, 1);
    } finally {
      Object.assign(vscode.commands, { executeCommand });
    }
    const [{ query, isPartialQuery }] = asked as [{ query: string; isPartialQuery: boolean }];
    assert.isTrue(isPartialQuery);
    const data = query.split('\n').slice(3, -1);
    assert.isAbove(data.length, 3);
    for (const line of data) assert.isTrue(line.startsWith('| '), line);
    assert.include(query, `${file}:3`);
  });

  it('notifies of a kind that came with a deployment, if the setting says so', async () => {
    const ago = new Date(Date.now() - 7_200_000).toISOString();
    const before = '11111111-1111-4111-8111-111111111111';
    await fail({ body: 'known for long', timestamp: ago, deploymentId: before });
    await scene.set('errors.notify', true);
    await until('errors are looked for', async () => (await searches()).length > 0);
    await run('refreshErrors');
    const deploymentId = '22222222-2222-4222-8222-222222222222';
    await fail({ body: 'never seen [x](command:y)', deploymentId });
    const notified = await until('a notification', async () => {
      await run('refreshErrors');
      return (await shownMessages()).find((one) => one.includes('never seen'));
    });
    assert.match(
      notified,
      uiPattern(
        'New since the last deployment of {0}: {1}',
        undefined,
        'never seen [x] (command:y)',
      ),
    );
    await run('refreshErrors');
    assert.lengthOf(await shownMessages(), 1);
  });

  it('says which permission is missing by showing nothing', async () => {
    await failOnNewRow('openErrorCode');
    await scene.connect('demo-without-logs-read', scene.newName());
    await until('the row is gone', async () => (await row()) === undefined);
  });
});
