import { assert } from 'chai';
import * as vscode from 'vscode';
import type { LogRecord } from '../../../src/api/types';
import { uiPattern, uiText } from '../../host/texts';
import { covers } from '../../unit/covers';
import { enter, nextPick } from '../boxes';
import { inWorkspace } from '../environment';
import { offeredButtons, notification } from '../person';
import { recordsOf, setScene } from '../scene';
import { run, until } from '../wait';

/** The target of the next save dialog; undefined dismisses it. */
let target: vscode.Uri | undefined;

const { showSaveDialog } = vscode.window;

const isNotAllowed = uiPattern(
  'The control plane does not allow this. To see what the API key may do, run “Check Connection and Permissions”.',
);
const isIncomplete = (why?: RegExp): RegExp =>
  uiPattern('{1} is incomplete. It contains {0} records: {2}', undefined, 'exported file', why);

describe('Export of logs', () => {
  const scene = setScene();

  beforeEach(async () => {
    await scene.connect();
    target = inWorkspace('exported file');
    Object.assign(vscode.window, { showSaveDialog: () => Promise.resolve(target) });
  });
  afterEach(async () => {
    Object.assign(vscode.window, { showSaveDialog });
    await vscode.workspace.fs.delete(inWorkspace('exported file')).then(undefined, () => undefined);
  });

  const read = async (): Promise<string> => {
    assert.isDefined(target);
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(target));
  };
  const exportAs = async (form: string, query = 'last:1h'): Promise<void> => {
    const done = run('exportLogs', query);
    const pick = await nextPick();
    const item = pick.items.find(({ label }) => label === form);
    if (item === undefined) throw new Error(`There is no ${form}.`);
    // The window has the last word on what Enter takes; it begins with the first.
    const isActive = new Promise<void>((resolve) => {
      pick.onDidChangeActive(([active]) => {
        if (active === item) resolve();
      });
    });
    pick.activeItems = [item];
    if (item !== pick.items[0]) await isActive;
    await enter();
    await done;
  };
  const emit = (count: number): Promise<LogRecord[]> =>
    scene.emit(...Array.from({ length: count }, (_, index) => `line ${index}`));
  const partialLine = async (): Promise<Record<string, unknown>> =>
    JSON.parse((await read()).trimEnd().split('\n').at(-1) ?? '') as Record<string, unknown>;

  it('writes every record of the range as it was sent', async () => {
    const emitted = await emit(1234);
    await exportAs('NDJSON');
    const lines = (await read()).trimEnd().split('\n');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line) as LogRecord),
      emitted,
    );
    assert.isAbove((await scene.requests('/logs/query')).length, 2);
    await notification(uiPattern('{0} records were exported to {1}.', /1.?234/, 'exported file'));
  });

  it('writes the lines of the channel in UTC as text', async () => {
    await scene.set('logs.timeZone', 'local');
    const [record] = await scene.emit({ body: 'Error: no\n    at run', severity: 'error' });
    await exportAs(uiText('Text'), 'severity:error');
    const [line] = recordsOf(await read());
    assert.deepInclude(line, { level: 'error', text: 'Error: no', more: ['    at run'] });
    assert.equal(line?.time, record?.timestamp.replace('T', ' ').replace('Z', ''));
  });

  it('ends at the maximum of the setting, and says so in the file and in a message', async () => {
    await scene.set('logs.maxExportRecords', 1000);
    await emit(1100);
    await exportAs('NDJSON');
    assert.lengthOf((await read()).trimEnd().split('\n'), 1001);
    const { partial, why } = await partialLine();
    assert.isTrue(partial);
    assert.match(
      String(why),
      uiPattern('There are more records: controlPlane.logs.maxExportRecords allows {0}.', /1.?000/),
    );
    await notification(isIncomplete());
  });

  it('keeps the records before a failure and says why it failed', async () => {
    await emit(2600);
    await scene.controlPlane.admin.fault({
      kind: 'status',
      status: 403,
      endpoint: 'post_logs_query',
      skip: 4,
    });
    await exportAs('NDJSON');
    const lines = (await read()).trimEnd().split('\n');
    assert.isAbove(lines.length, 1000);
    assert.isBelow(lines.length, 2600);
    assert.match(String((await partialLine())['why']), isNotAllowed);
    await notification(isIncomplete(isNotAllowed));
  });

  it('ends when the connection is switched, without its records', async () => {
    await emit(2600);
    const latency = { kind: 'latency', latencyMs: 60_000, endpoint: 'post_logs_query' } as const;
    await scene.controlPlane.admin.fault({ ...latency, skip: 4 });
    const { length } = await scene.filters();
    const exported = exportAs('NDJSON');
    await until('it waits for a page', async () => (await scene.filters()).length === length + 5);
    await scene.connect('demo-full', scene.newName());
    await exported;
    assert.equal((await partialLine())['why'], uiText('The export was cancelled.'));
  });

  it('writes nothing if no file is chosen', async () => {
    await emit(1);
    target = undefined;
    const before = (await scene.requests('/logs/query')).length;
    await exportAs('NDJSON');
    assert.lengthOf(await scene.requests('/logs/query'), before);
  });

  it('reports a file that cannot be written', async () => {
    await emit(1);
    target = inWorkspace();
    await exportAs('NDJSON');
    await notification(uiPattern('Could not export the logs.'));
    assert.deepEqual(offeredButtons(), [uiText('Show Diagnostics')]);
  });

  it(`reports what is wrong with a query ${covers('F41', 'editor')}`, async () => {
    await run('exportLogs', 'severity:loud');
    await notification(/loud.*severity/);
  });
});
