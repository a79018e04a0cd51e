import * as vscode from 'vscode';
import type { Ask } from './extension';
import { connectAs } from '../../../host/connectAs';

/** Milliseconds by round. */
export interface FirstPage {
  /** From Enter in the query bar until the page is painted. */
  readonly ours: number[];
  /** The same page requested and parsed in the extension host. */
  readonly bare: number[];
}

/** The result of a search that the benchmark process started. */
export interface EnteredSearch {
  readonly milliseconds: number;
  /** The body of its request. */
  readonly request: unknown;
}

/** Connects and opens the Log Explorer; the benchmark process does the rest. */
export async function openForMeasuring(ask: Ask, url: string): Promise<unknown> {
  await openExplorer(url);
  return ask('/bench/explorer/measure');
}

/**
 * Each search with Enter in the query bar, then without the extension: the same request to the same
 * server.
 */
export async function measureFirstPage(ask: Ask, url: string, rounds: number): Promise<FirstPage> {
  await openExplorer(url);
  const result: FirstPage = { ours: [], bare: [] };
  for (let round = -3; round < rounds; round++) {
    const entered = (await ask('/bench/explorer/enter', { round })) as EnteredSearch;
    const body = JSON.stringify(entered.request);
    const start = performance.now();
    const response = await fetch(`${url}/v1/api/logs/query`, { method: 'POST', body });
    JSON.parse(await response.text());
    const bare = performance.now() - start;
    if (round < 0) continue;
    result.ours.push(entered.milliseconds);
    result.bare.push(bare);
  }
  return result;
}

export async function openExplorer(url: string): Promise<void> {
  const connection = { name: 'bench', baseUrl: url, apiKey: 'bench-key' };
  if (!(await connectAs(connection))) {
    throw new Error('Could not connect.');
  }
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  await vscode.commands.executeCommand('controlPlane.openLogExplorer');
}
