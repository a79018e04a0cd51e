import * as vscode from 'vscode';
import type { KnownKind } from './targets';
import { onAbort } from '../../vscode/notifications';
import { labelText, plainText } from '../../text/plainText';
import type { DiscoveryOffer, OfferedThing } from '../discovery/discoveryOffer';
import { shortId } from '../targets';

const { t } = vscode.l10n;

export interface DiscoveryChoice extends DiscoveryOffer {
  /** Whether the lists are to be those of this workspace; else those of the user. */
  readonly inWorkspace: boolean;
}

interface Item extends vscode.QuickPickItem {
  readonly kindOfThing?: KnownKind;
  readonly offered?: OfferedThing;
}

/**
 * Offers what was found, everything ticked. Undefined where it was dismissed.
 *
 * @param note what could not be looked at, in a few words.
 * @param lifetime of the connection that it was found on: it is dismissed with it.
 */
export async function pickDiscovered(
  offer: DiscoveryOffer,
  note: string | undefined,
  lifetime: AbortSignal,
): Promise<DiscoveryChoice | undefined> {
  const picker = vscode.window.createQuickPick<Item>();
  const items = [
    ...section('sources', t('Sources'), offer.sources),
    ...section('servers', t('Servers'), offer.servers),
  ];
  // What an untrusted workspace lists is ignored.
  const canChoosePlace = hasWorkspace() && vscode.workspace.isTrusted;
  let inWorkspace = false;

  const showPlace = (): void => {
    picker.title = inWorkspace
      ? t('Discover: What to Add to the Settings of This Workspace')
      : t('Discover: What to Add to Your User Settings');
    picker.buttons = canChoosePlace ? [placeButton(inWorkspace)] : [];
  };

  picker.canSelectMany = true;
  picker.ignoreFocusOut = true;
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  picker.placeholder = note ?? t('What the views Sources and Servers are to show');
  picker.items = items;
  picker.selectedItems = items.filter(({ offered }) => offered !== undefined);
  showPlace();
  let release: (() => void) | undefined;
  try {
    return await new Promise((resolve) => {
      picker.onDidTriggerButton(() => {
        inWorkspace = !inWorkspace;
        showPlace();
      });
      picker.onDidHide(() => resolve(undefined));
      picker.onDidAccept(() => {
        const { selectedItems } = picker;
        const chosen = (kind: KnownKind): OfferedThing[] =>
          selectedItems.flatMap((item) => (item.kindOfThing === kind ? (item.offered ?? []) : []));
        resolve({
          sources: chosen('sources'),
          servers: chosen('servers'),
          inWorkspace,
        });
      });
      picker.show();
      release = onAbort(lifetime, () => resolve(undefined));
    });
  } finally {
    release?.();
    picker.dispose();
  }
}

/** Whether there is anything that could have settings of its own. */
function hasWorkspace(): boolean {
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  return workspaceFile !== undefined || workspaceFolders.length > 0;
}

/** Shows where the lists are kept and turns it round; the title says it in words. */
function placeButton(inWorkspace: boolean): vscode.QuickInputButton {
  return inWorkspace
    ? {
        iconPath: new vscode.ThemeIcon('folder'),
        tooltip: t('Kept by this workspace, which may share it. Keep it in your user settings'),
      }
    : {
        iconPath: new vscode.ThemeIcon('account'),
        tooltip: t('Kept in your user settings. Keep it in the settings of this workspace'),
      };
}

function section(kind: KnownKind, title: string, things: readonly OfferedThing[]): Item[] {
  if (things.length === 0) return [];
  return [
    { label: title, kind: vscode.QuickPickItemKind.Separator },
    ...things.map((offered) => ({
      label: labelText(offered.name),
      description: shortId(offered.thing.id),
      detail: plainText(offered.detail),
      kindOfThing: kind,
      offered,
    })),
  ];
}
