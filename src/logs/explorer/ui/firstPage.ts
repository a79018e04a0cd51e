import * as vscode from 'vscode';
import type { ExplorerState } from '../types';
import { contextKeys } from '../../../vscode/contributions';

/**
 * Notes once that a search has brought its first page in this window, which completes a step of the
 * walkthrough: told of every state, and heard no more after that.
 */
export function createFirstPageNote(): (state: ExplorerState) => void {
  let isNoted = false;
  return (state) => {
    if (isNoted || !hasFirstPage(state)) return;
    isNoted = true;
    void vscode.commands.executeCommand('setContext', contextKeys.searched, true);
  };
}

/** A page may hold nothing: then it says that there is nothing to be found. */
function hasFirstPage({ search, loading, failure, count, older }: ExplorerState): boolean {
  if (search === undefined || failure !== undefined || loading?.direction === 'first') return false;
  return count > 0 || older.kind === 'reached';
}
