import * as vscode from 'vscode';
import type { Ask } from './extension';
import { connectAs } from '../../../host/connectAs';

export interface TypingTask {
  /** The file in the workspace. */
  readonly name: string;
  readonly marks: number;
}

/** Milliseconds of the thread of the extensions, by round, with marks and without. */
interface Times {
  readonly on: number[];
  readonly off: number[];
}

export interface Typing {
  readonly open: Times;
  readonly key: Times;
}

const keys = 60;
/** Longer than the pause after which marks are computed again. */
const pauseAfter = 600;

/** How long the host works to open a marked file and for each key in it. */
export async function measureTyping(ask: Ask, url: string, rounds: number): Promise<Typing> {
  const { name, marks } = (await ask('/bench/typing')) as TypingTask;
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder === undefined) throw new Error('The bench needs a folder.');
  const uri = vscode.Uri.joinPath(folder.uri, name);
  const connection = { name: 'bench', baseUrl: url, apiKey: 'bench-key' };
  await connectAs(connection);

  // Once with problems, which show when the marks and the texts of Git are known.
  await set('marksAndProblems');
  await vscode.window.showTextDocument(uri);
  for (let tries = 0; vscode.languages.getDiagnostics(uri).length < marks; tries++) {
    if (tries > 300) throw new Error('The file has no marks.');
    await wait(100);
  }

  const result: Typing = { open: { on: [], off: [] }, key: { on: [], off: [] } };
  for (let round = -1; round < rounds; round++) {
    for (const state of round % 2 === 0 ? (['on', 'off'] as const) : (['off', 'on'] as const)) {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await set(state === 'on' ? 'marks' : 'off');
      await wait(pauseAfter);
      const open = await work(async () => {
        await vscode.window.showTextDocument(uri);
        await wait(pauseAfter);
      });
      const typed = await work(async () => {
        for (let key = 0; key < keys; key++) {
          await vscode.commands.executeCommand('type', { text: key % 10 === 9 ? '\n' : 'x' });
        }
        await wait(pauseAfter);
      });
      await vscode.commands.executeCommand('workbench.action.files.revert');
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
async function work(run: () => Promise<void>): Promise<number> {
  const start = process.threadCpuUsage();
  await run();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
