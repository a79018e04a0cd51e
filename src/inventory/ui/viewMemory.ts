import * as vscode from 'vscode';
import { membersOf } from '../../api/lenient';
import { viewFilteredKey, type WorkspaceViewId } from '../../vscode/contributions';
import { isFiltering, type Sorting, type TreeFilter } from '../tree/treeOrder';

/** The filter and order of a tree, kept across reloads. */
interface ViewMemory {
  readonly filter: TreeFilter;
  readonly sorting: Sorting;
  setFilter(filter: TreeFilter): Promise<void>;
  setSorting(sorting: Sorting): Promise<void>;
}

export function createViewMemory(id: WorkspaceViewId, memento: vscode.Memento): ViewMemory {
  const filterKey = `${id}.filter`;
  const sortingKey = `${id}.sorting`;
  let filter = readFilter(memento.get<unknown>(filterKey));
  let sorting = readSorting(memento.get<unknown>(sortingKey));

  async function setContext(): Promise<void> {
    await vscode.commands.executeCommand('setContext', viewFilteredKey(id), isFiltering(filter));
  }

  void setContext();
  return {
    get filter() {
      return filter;
    },
    get sorting() {
      return sorting;
    },
    async setFilter(next) {
      filter = next;
      await memento.update(filterKey, isFiltering(next) ? next : undefined);
      await setContext();
    },
    async setSorting(next) {
      sorting = next;
      await memento.update(sortingKey, next);
    },
  };
}

/** Reads a stored filter; any other value counts as none. */
function readFilter(kept: unknown): TreeFilter {
  const { text, states } = membersOf(kept);
  const names: readonly unknown[] = Array.isArray(states) ? states : [];
  return {
    text: typeof text === 'string' ? text : '',
    states: names.filter((one) => typeof one === 'string'),
  };
}

function readSorting(kept: unknown): Sorting {
  return kept === 'state' || kept === 'lastDeployment' ? kept : 'name';
}
