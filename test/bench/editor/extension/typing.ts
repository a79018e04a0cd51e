import * as vscode from 'vscode';
import { connect, run, wait, type Host } from './host';

const keys = 60;
/** Longer than the pause after which marks are computed again. */
const pauseAfter = 600;

/** Milliseconds that the host works to open a marked file and for each key in it, with marks and without. */
export async function measureTyping(host: Host) {
  const { name, marks } = await host.ask<{ name: string; marks: number }>('typing');
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder === undefined) throw new Error('The bench needs a folder.');
  const uri = vscode.Uri.joinPath(folder.uri, name);
  await connect(host);

  // Once with problems, which show when the marks and the texts of Git are known.
  await set('marksAndProblems');
  await vscode.window.showTextDocument(uri);
  for (let tries = 0; vscode.languages.getDiagnostics(uri).length < marks; tries++) {
    if (tries > 300) throw new Error('The file has no marks.');
    await wait(100);
  }

  const times = () => ({ on: [] as number[], off: [] as number[] });
  const result = { open: times(), key: times() };
  for (let round = -1; round < host.rounds; round++) {
    for (const state of round % 2 === 0 ? (['on', 'off'] as const) : (['off', 'on'] as const)) {
      await run('workbench.action.closeAllEditors');
      await set(state === 'on' ? 'marks' : 'off');
      await wait(pauseAfter);
      const open = await work(async () => {
        await vscode.window.showTextDocument(uri);
        await wait(pauseAfter);
      });
      const typed = await work(async () => {
        for (let key = 0; key < keys; key++) {
          await run('type', { text: key % 10 === 9 ? '\n' : 'x' });
        }
        await wait(pauseAfter);
      });
      await run('workbench.action.files.revert');
      if (round < 0) continue;
      result.open[state].push(open);
      result.key[state].push(typed / keys);
    }
  }
  return result;
}

async function set(value: string): Promise<void> {
  const { Global } = vscode.ConfigurationTarget;
  await vscode.workspace.getConfiguration('controlPlane').update('code.errors', value, Global);
}

/**
 * The milliseconds that the thread of the extensions works meanwhile: what other threads do, such as collecting
 * garbage, varies more than what is measured here.
 */
async function work(what: () => Promise<void>): Promise<number> {
  const start = process.threadCpuUsage();
  await what();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}
