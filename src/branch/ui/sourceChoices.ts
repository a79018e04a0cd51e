import type * as vscode from 'vscode';
import { membersOf } from '../../api/lenient';
import { isUuid } from '../../inventory/targets';
import type { SourceChoice } from '../branch';

/** The user's choices of sources, by repository, in the workspace state. */
interface SourceChoices {
  /** @param root the URI of the repository, as text. */
  of(root: string): SourceChoice | undefined;
  /** Undefined removes the choice. */
  keep(root: string, choice: SourceChoice | undefined): Promise<void>;
}

const stateKey = 'sourceOfFolder';
const none = 'none';

export function createSourceChoices(memento: vscode.Memento): SourceChoices {
  const all = (): Readonly<Record<string, unknown>> => {
    const kept = memento.get<unknown>(stateKey);
    return membersOf(kept);
  };
  return {
    of(root) {
      const kept = all()[root];
      if (kept === none) return none;
      return isUuid(kept) ? { sourceId: kept } : undefined;
    },
    async keep(root, choice) {
      const { [root]: _before, ...others } = all();
      const kept = choice === 'none' ? none : choice?.sourceId;
      await memento.update(stateKey, kept === undefined ? others : { ...others, [root]: kept });
    },
  };
}
