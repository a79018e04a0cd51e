import * as vscode from 'vscode';
import type { NodePlace, TreeNode } from '../../../trees/nodes';
import type { FollowLogs } from '../../../data/followTarget';
import type { Views } from '../../../trees/ui/views';
import type { Names } from '../../../data/knownNames';
import { clipboardText, oneLine } from '../../../base/plainText';
import { type CommandId, registerCommand } from '../../../vscode/commands';
import { commands, views as viewIds } from '../../../vscode/contributions';
import type { Diagnostics } from '../../../vscode/diagnostics';
import { announce } from '../../../vscode/notifications';
import { unambiguousNames } from '../../query/print';
import { bodyText } from '../../record/readableBody';
import { type ErrorKind, KindLookup } from '../errorKind';
import { followOf, recordsQuery, tracesQuery } from '../errorQueries';
import type { Errors } from './errors';
import type { MarkedFiles } from './markedFiles';

const { t } = vscode.l10n;

/** How long a click waits for the text of the deployed file, in milliseconds. */
const patience = 500;

interface CommandServices {
  readonly errors: Errors;
  readonly marked: MarkedFiles;
  readonly views: Views;
  /** Shows the records of a query. */
  readonly openQuery: (query: string) => void;
  readonly names: Names;
  readonly followLogs: FollowLogs;
  readonly diagnostics: Diagnostics;
}

/** The commands of the rows of errors. */
export function registerErrorCommands(services: CommandServices): vscode.Disposable {
  const { errors, views, openQuery, names, followLogs } = services;
  const nameOf = unambiguousNames(names);
  const kindOf = (node: TreeNode): ErrorKind | undefined =>
    errors.all.find(({ key }) => key === node.target.errorKey) ??
    // Its row is that of a pattern that became more general.
    new KindLookup(errors.all).of(node.target.errorKey ?? '')[0];
  /** Acts on the kind of the row that the command was called on, otherwise of the selected one. */
  const on = (command: CommandId, act: (kind: ErrorKind) => unknown): vscode.Disposable =>
    registerCommand(command, (argument) => {
      const node = views.nodeOf(argument);
      const kind = node && kindOf(node);
      return kind && act(kind);
    });
  const search = (query: string | undefined): boolean => {
    if (query !== undefined) openQuery(query);
    return query !== undefined;
  };

  return vscode.Disposable.from(
    registerCommand(commands.showErrors, () =>
      vscode.commands.executeCommand(`${viewIds.errors}.focus`),
    ),
    registerCommand(
      commands.openErrorCode,
      (argument) => {
        const node = views.nodeOf(argument);
        // A hidden tree may still have rows of a connection that was left.
        const kind = node && kindOf(node);
        const { place } = node?.target ?? {};
        return kind !== undefined && place !== undefined && openCode(services.marked, kind, place);
      },
      { diagnostics: services.diagnostics, failed: t('Could not open the code.') },
    ),
    on(commands.showErrorRecords, (kind) =>
      search(recordsQuery(kind, errors.memory.scope, nameOf)),
    ),
    on(commands.showErrorTraces, (kind) => search(tracesQuery(kind, errors.memory.scope))),
    on(commands.followError, (kind) => followLogs(followOf(kind))),
    on(commands.copyError, async ({ last }) => {
      await vscode.env.clipboard.writeText(clipboardText(bodyText(last, 'readable')));
      announce(t('Copied {0}', oneLine(bodyText(last, 'readable')).slice(0, 80)));
    }),
    on(commands.muteError, (kind) => {
      errors.mute(kind);
      announce(t('Muted. The last row of Errors shows what is muted.'), 'bell-slash');
    }),
    registerCommand(commands.unmuteError, (argument) => {
      const { errorKey } = views.nodeOf(argument)?.target ?? {};
      if (errorKey !== undefined) errors.unmute(errorKey);
    }),
  );
}

/** Shows the line of a row without the focus, so that the next row can be looked at. */
async function openCode(marked: MarkedFiles, kind: ErrorKind, place: NodePlace): Promise<boolean> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(place.file, true));
  const line = await lineNow(marked, document, kind, place);
  const at = new vscode.Position(line - 1, (place.column ?? 1) - 1);
  await vscode.window.showTextDocument(document, {
    preserveFocus: true,
    preview: true,
    selection: new vscode.Range(at, at),
  });
  return true;
}

/** The line that a line of a deployed file is now; the same if that is not known soon. */
async function lineNow(
  marked: MarkedFiles,
  document: vscode.TextDocument,
  { key }: ErrorKind,
  { line }: NodePlace,
): Promise<number> {
  const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), patience));
  const marks = (await Promise.race([marked.marksOf(document), late])) ?? [];
  const [latest] = marks
    .flatMap((mark) => mark.kinds.map((one) => ({ ...one, line: mark.line })))
    .filter(({ kind, spots }) => kind.key === key && spots.some((spot) => spot.line === line))
    .sort((one, other) => Date.parse(other.lastSeen) - Date.parse(one.lastSeen));
  return latest?.line ?? line;
}
