import * as vscode from 'vscode';
import type { BranchNews } from './branchNews';
import { commands } from '../../vscode/contributions';
import { labelText } from '../../text/plainText';
import type { WorkspaceData } from '../../inventory/ui/workspaceData';
import type { SourceChoice } from '../branch';
import type { KnownThing } from '../../inventory/targets';
import { createLabels, idWords } from '../../inventory/tree/labels';

const { t } = vscode.l10n;

interface Item extends vscode.QuickPickItem {
  readonly choose?: { readonly choice: SourceChoice | undefined };
  /** A command that makes more to choose from. */
  readonly command?: string;
}

/** Asks which source the repository belongs to, and remembers it in the workspace. True if chosen. */
export async function chooseSource(news: BranchNews, data: WorkspaceData): Promise<boolean> {
  if (news.repository === undefined) return false;
  const picked = await vscode.window.showQuickPick(itemsOf(news, data), {
    placeHolder: t('Which source is deployed from this folder?'),
    matchOnDescription: true,
  });
  if (picked?.command !== undefined) await vscode.commands.executeCommand(picked.command);
  if (picked?.choose === undefined) return false;
  await news.choose(picked.choose.choice);
  return true;
}

/** Those that could be it first, then all by their labels. */
function itemsOf({ state, branch, choice }: BranchNews, { context, known }: WorkspaceData): Item[] {
  const labels = createLabels(context);
  const likely = state.kind === 'severalSources' ? state.sources.map(({ id }) => id) : [];
  const rank = ({ id }: KnownThing): number =>
    id === branch?.source.id ? 0 : likely.includes(id) ? 1 : 2;
  const sources = known.sources().map((source) => ({ source, label: labels.source(source) }));
  sources.sort(
    (one, other) => rank(one.source) - rank(other.source) || one.label.localeCompare(other.label),
  );
  const separator = { label: '', kind: vscode.QuickPickItemKind.Separator };
  return [
    ...sources.map(({ source, label }) => ({
      label: `$(repo) ${labelText(label)}`,
      description: [idWords(source, t), markOf(source, branch?.source, choice)]
        .filter((part) => part !== undefined)
        .join(' · '),
      choose: { choice: { sourceId: source.id } },
    })),
    separator,
    ...(choice === undefined
      ? []
      : [{ label: t('$(search) Find It Automatically'), choose: { choice: undefined } }]),
    ...(choice === 'none'
      ? []
      : [{ label: t('$(circle-slash) None: Show Nothing'), choose: { choice: 'none' as const } }]),
    { label: t('$(telescope) Discover…'), command: commands.discover },
    { label: t('$(add) Add Source…'), command: commands.addSource },
  ];
}

function markOf(
  { id }: KnownThing,
  current: KnownThing | undefined,
  choice: SourceChoice | undefined,
): string | undefined {
  if (id !== current?.id) return undefined;
  return choice === undefined ? t('found') : t('chosen');
}
