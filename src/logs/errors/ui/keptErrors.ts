import type * as vscode from 'vscode';
import { connectionId } from '../../../connection/connections';
import type { Session } from '../../../connection/ui/session';
import { type ErrorMemory, readMemory, writeMemory } from '../errorScope';

/** What this workspace keeps for the errors of the session's connection. */
interface KeptErrors {
  readonly memory: ErrorMemory;
  keep(memory: ErrorMemory): Promise<void>;
}

const stateKey = 'errors';

export function createKeptErrors(session: Session, memento: vscode.Memento): KeptErrors {
  /** Read once for each connection, because rows ask for it often. */
  let known: { readonly id: string; readonly memory: ErrorMemory } | undefined;

  const idNow = (): string =>
    session.state.kind === 'none' ? '' : connectionId(session.state.connection);

  return {
    get memory() {
      const id = idNow();
      if (known?.id !== id) known = { id, memory: readMemory(memento.get<unknown>(stateKey), id) };
      return known.memory;
    },
    async keep(memory) {
      const id = idNow();
      if (id === '') return;
      known = { id, memory };
      await memento.update(stateKey, writeMemory(memento.get<unknown>(stateKey), id, memory));
    },
  };
}
