import * as vscode from 'vscode';
import { dotted } from '../../../base/textFormat';
import type { ConnectionData } from '../../../data/ui/connectionData';
import { counted } from '../../../vscode/numbers';
import { codeErrors, decoratesFiles, onDidChangeSettings } from '../../../vscode/settings';
import { changedBadges, fileBadges, type FileBadge } from '../fileBadges';
import type { Errors } from './errors';

/**
 * Shows a badge on files in which recent errors happened, in the explorer and on tabs. It has no color of its own and
 * requests nothing: it shows what the marks of open files and the view Errors have loaded.
 */
export function registerFileDecorations(
  errors: Errors,
  { context }: Pick<ConnectionData, 'context'>,
): vscode.Disposable {
  const changes = new vscode.EventEmitter<vscode.Uri[]>();
  let badges: ReadonlyMap<string, FileBadge> = new Map();

  function update(): void {
    const isOn = decoratesFiles() && codeErrors() !== 'off';
    const before = badges;
    badges = isOn ? fileBadges(errors.kinds) : new Map();
    const changed = changedBadges(before, badges).map((file) => vscode.Uri.parse(file, true));
    if (changed.length > 0) changes.fire(changed);
  }

  return vscode.Disposable.from(
    changes,
    errors.onDidChange(update),
    onDidChangeSettings('code', update),
    vscode.window.registerFileDecorationProvider({
      onDidChangeFileDecorations: changes.event,
      provideFileDecoration(uri) {
        const badge = badges.get(uri.toString());
        if (badge === undefined) return undefined;
        const { kinds, count, lastSeen } = badge;
        // As VS Code counts problems; a badge has at most two characters.
        return new vscode.FileDecoration(
          kinds > 9 ? '9+' : String(kinds),
          dotted([
            counted(kinds, '{0} kind of error from logs', '{0} kinds of errors from logs'),
            counted(count, '{0} record', '{0} records'),
            context.timeFormat.relative(lastSeen),
          ]),
        );
      },
    }),
  );
}
