import * as vscode from 'vscode';
import type { Session } from '../../../connection/ui/session';
import { logStatementLinks } from '../../../vscode/settings';
import type { LogStatement } from '../logStatement';
import type { SessionLookups } from './sessionLookups';

/** Counts the records of statements that are visible, a few a minute. */
export interface StatementCounts {
  /** Looks the statement up if it is still visible when its turn comes. */
  want(document: vscode.TextDocument, statement: LogStatement): void;
  /** Fires when more is known. */
  readonly onDidChange: vscode.Event<void>;
  dispose(): void;
}

interface Wanted {
  readonly document: vscode.TextDocument;
  readonly version: number;
  readonly statement: LogStatement;
}

/** Answers that arrive within this time are shown at once, in milliseconds. */
const together = 300;

export function createStatementCounts(session: Session, lookups: SessionLookups): StatementCounts {
  const changes = new vscode.EventEmitter<void>();
  let wanted: readonly Wanted[] = [];
  let isRunning = false;
  let turn: ReturnType<typeof setTimeout> | undefined;
  let change: ReturnType<typeof setTimeout> | undefined;

  /** The next statement that is visible; the others are forgotten until they are shown again. */
  function next(): Wanted | undefined {
    const isOn = logStatementLinks() === 'count' && session.signedIn !== undefined;
    wanted = isOn ? wanted.filter(isVisible) : [];
    return wanted[0];
  }

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    for (let one = next(); one !== undefined; one = next()) {
      const { wait } = lookups;
      if (wait > 0) {
        clearTimeout(turn);
        turn = setTimeout(() => void run(), wait);
        break;
      }
      wanted = wanted.slice(1);
      await count(one.statement);
    }
    isRunning = false;
  }

  async function count(statement: LogStatement): Promise<void> {
    const { signal } = session.signedIn ?? {};
    if (signal === undefined) return;
    try {
      await lookups.find(statement, signal);
      change ??= setTimeout(() => {
        change = undefined;
        changes.fire();
      }, together);
    } catch {
      // The diagnostics have the request, and no count is shown.
    }
  }

  return {
    want(document, statement) {
      const { version } = document;
      const isWanted = wanted.some(
        (one) => one.document === document && one.statement === statement,
      );
      if (!isWanted) wanted = [...wanted, { document, version, statement }];
      void run();
    },
    onDidChange: changes.event,
    dispose() {
      wanted = [];
      clearTimeout(turn);
      clearTimeout(change);
      changes.dispose();
    },
  };
}

function isVisible({ document, version, statement: { line } }: Wanted): boolean {
  return (
    document.version === version &&
    vscode.window.visibleTextEditors.some(
      (editor) =>
        editor.document === document &&
        editor.visibleRanges.some(({ start, end }) => start.line <= line && line <= end.line),
    )
  );
}
