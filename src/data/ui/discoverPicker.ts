import * as vscode from 'vscode';
import { labelText } from '../../base/plainText';
import { commands } from '../../vscode/contributions';
import type { Diagnostics } from '../../vscode/diagnostics';
import { announce, showFailure } from '../../vscode/notifications';
import { showBox } from '../../vscode/quickInput';
import type { Discovery } from '../discovery/discovery';
import {
  addThings,
  type DiscoveryOffer,
  discoveryOffer,
  type OfferedTarget,
} from '../discovery/discoveryOffer';
import { shortId } from '../targets';
import { countText, offerText, unseenInShort, unseenSentences } from './discoveryText';
import { changeTargets, type TargetKind } from './targetSettings';
import type { ConnectionData } from './connectionData';

const { t } = vscode.l10n;

interface DiscoveryChoice extends DiscoveryOffer {
  /** Whether to add to the lists of the workspace instead of those of the user. */
  readonly inWorkspace: boolean;
}

interface Item extends vscode.QuickPickItem {
  readonly kindOfThing?: TargetKind;
  readonly offered?: OfferedTarget;
}

/**
 * Asks which of the found sources and servers to add, with all of them selected. Undefined if the user
 * cancels.
 *
 * @param note what could not be searched, in a few words.
 * @param lifetime of the connection: the picker closes when it ends.
 */
function pickDiscovered(
  offer: DiscoveryOffer,
  note: string | undefined,
  lifetime: AbortSignal,
): Promise<DiscoveryChoice | undefined> {
  const picker = vscode.window.createQuickPick<Item>();
  const items = [
    ...section('sources', t('Sources'), offer.sources),
    ...section('servers', t('Servers'), offer.servers),
  ];
  // Lists of an untrusted workspace are ignored.
  const canChoosePlace = hasWorkspace() && vscode.workspace.isTrusted;
  let inWorkspace = false;

  const showPlace = (): void => {
    picker.title = inWorkspace
      ? t('Discover: Add to Workspace Settings')
      : t('Discover: Add to User Settings');
    picker.buttons = canChoosePlace ? [placeButton(inWorkspace)] : [];
  };

  picker.canSelectMany = true;
  picker.ignoreFocusOut = true;
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  picker.placeholder = note ?? t('Select sources and servers to show');
  picker.items = items;
  picker.selectedItems = items.filter(({ offered }) => offered !== undefined);
  showPlace();
  return showBox<DiscoveryChoice>(picker, lifetime, (answer) => {
    picker.onDidTriggerButton(() => {
      inWorkspace = !inWorkspace;
      showPlace();
    });
    picker.onDidAccept(() => {
      const { selectedItems } = picker;
      const chosen = (kind: TargetKind): OfferedTarget[] =>
        selectedItems.flatMap((item) => (item.kindOfThing === kind ? (item.offered ?? []) : []));
      answer({ sources: chosen('sources'), servers: chosen('servers'), inWorkspace });
    });
  });
}

/** Whether the window has a folder that can have its own settings. */
function hasWorkspace(): boolean {
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  return workspaceFile !== undefined || workspaceFolders.length > 0;
}

/** Shows which settings the selection is saved to, and switches them. The title names them, too. */
function placeButton(inWorkspace: boolean): vscode.QuickInputButton {
  return inWorkspace
    ? {
        iconPath: new vscode.ThemeIcon('folder'),
        tooltip: t('Saving to the workspace settings. Click to save to your user settings'),
      }
    : {
        iconPath: new vscode.ThemeIcon('account'),
        tooltip: t('Saving to your user settings. Click to save to the workspace settings'),
      };
}

function section(kind: TargetKind, title: string, things: readonly OfferedTarget[]): Item[] {
  if (things.length === 0) return [];
  return [
    { label: title, kind: vscode.QuickPickItemKind.Separator },
    ...things.map((offered) => ({
      label: labelText(offered.name),
      description: shortId(offered.target.id),
      detail: labelText(offered.detail),
      kindOfThing: kind,
      offered,
    })),
  ];
}

export interface OfferServices {
  readonly data: ConnectionData;
  readonly diagnostics: Diagnostics;
}

/**
 * Asks what to add and adds it, or says that nothing new was found.
 *
 * @param lifetime of the connection on which it was found: the question closes when it ends.
 */
export async function offerFound(
  services: OfferServices,
  found: Discovery,
  lifetime: AbortSignal,
): Promise<void> {
  const { data } = services;
  const fresh = offerOf(data, found);
  if (isEmpty(fresh)) return sayNothingNew(data, found);
  const choice = await pickDiscovered(fresh, unseenInShort(found), lifetime);
  if (choice === undefined || isEmpty(choice) || !(await keepFound(services, choice))) return;
  const sentences = unseenSentences(found);
  const added = t('Added {0}', offerText(choice));
  if (sentences.length === 0) announce(added);
  else await sayWithCheck(`${added}. ${sentences.join(' ')}`);
}

async function sayNothingNew({ targets: known }: ConnectionData, found: Discovery): Promise<void> {
  const sentences = unseenSentences(found).join(' ');
  const [sources, servers] = [known.sources().length, known.servers().length];
  if (sources + servers > 0) {
    const nothing = t(
      'Nothing new was found. The views already show {0}.',
      countText(sources, servers),
    );
    if (sentences === '') void vscode.window.showInformationMessage(nothing);
    else await sayWithCheck(`${nothing} ${sentences}`);
    return;
  }
  const buttons = new Map([
    [t('Add Source…'), commands.addSource],
    [t('Add Server…'), commands.addServer],
    [t('Check Connection'), commands.checkConnection],
  ]);
  const nothing = t('No sources or servers found: there are no logs from the last 24 hours.');
  const chosen = await vscode.window.showInformationMessage(
    sentences === '' ? nothing : `${t('No sources or servers found.')} ${sentences}`,
    ...buttons.keys(),
  );
  const command = chosen === undefined ? undefined : buttons.get(chosen);
  if (command !== undefined) await vscode.commands.executeCommand(command);
}

async function sayWithCheck(message: string): Promise<void> {
  const check = t('Check Connection');
  const chosen = await vscode.window.showInformationMessage(message, check);
  if (chosen === check) await vscode.commands.executeCommand(commands.checkConnection);
}

/** Adds sources and servers to the settings. Shows a failure, and returns whether all were added. */
export async function keepFound(
  { diagnostics }: OfferServices,
  { sources, servers, inWorkspace }: DiscoveryOffer & { readonly inWorkspace: boolean },
): Promise<boolean> {
  const add = async (kind: TargetKind, things: DiscoveryOffer[TargetKind]): Promise<void> => {
    if (things.length === 0) return;
    const change = (setting: unknown): unknown[] =>
      addThings(
        setting,
        things.map(({ target: thing }) => thing),
      );
    await changeTargets(kind, change, inWorkspace ? 'workspace' : 'user');
  };
  try {
    await add('sources', sources);
    await add('servers', servers);
    return true;
  } catch (error) {
    void showFailure(diagnostics, t('Could not save the selection.'), error);
    return false;
  }
}

export function offerOf({ targets: known }: ConnectionData, found: Discovery): DiscoveryOffer {
  return discoveryOffer(found, { sources: known.sources(), servers: known.servers() }, t);
}

export function isEmpty({ sources, servers }: DiscoveryOffer): boolean {
  return sources.length + servers.length === 0;
}
