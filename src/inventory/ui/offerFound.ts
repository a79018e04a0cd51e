import * as vscode from 'vscode';
import { announce } from '../../vscode/announce';
import { commands } from '../../vscode/contributions';
import type { Diagnostics } from '../../vscode/diagnostics';
import { changeKnown, type KnownKind } from './targets';
import { showFailure } from '../../vscode/notifications';
import type { WorkspaceData } from './workspaceData';
import type { Discovery } from '../discovery/discovery';
import { addThings, discoveryOffer, type DiscoveryOffer } from '../discovery/discoveryOffer';
import { pickDiscovered } from './discoverPicker';
import { countWords, offerWords, unseenInShort, unseenSentences } from './discoveryText';

const { t } = vscode.l10n;

export interface OfferServices {
  readonly data: WorkspaceData;
  readonly diagnostics: Diagnostics;
}

/**
 * Asks what to add, or says why there is nothing to add.
 *
 * @param lifetime of the connection that it was found on.
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
  const added = t('Added {0}', offerWords(choice));
  if (sentences.length === 0) announce(added);
  else await sayWithCheck(`${added}. ${sentences.join(' ')}`);
}

async function sayNothingNew({ known }: WorkspaceData, found: Discovery): Promise<void> {
  const sentences = unseenSentences(found).join(' ');
  const [sources, servers] = [known.sources().length, known.servers().length];
  if (sources + servers > 0) {
    const nothing = t('Nothing new was found beside {0}.', countWords(sources, servers));
    if (sentences === '') void vscode.window.showInformationMessage(nothing);
    else await sayWithCheck(`${nothing} ${sentences}`);
    return;
  }
  const buttons = new Map([
    [t('Add Source…'), commands.addSource],
    [t('Add Server…'), commands.addServer],
    [t('Check Connection'), commands.checkConnection],
  ]);
  const nothing = t('No source and no server was found: nothing has logged in the last day.');
  const chosen = await vscode.window.showInformationMessage(
    sentences === '' ? nothing : `${t('No source and no server was found.')} ${sentences}`,
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

/** Whether all of it stands in the lists now. */
export async function keepFound(
  { diagnostics }: OfferServices,
  { sources, servers, inWorkspace }: DiscoveryOffer & { readonly inWorkspace: boolean },
): Promise<boolean> {
  const add = async (kind: KnownKind, things: DiscoveryOffer[KnownKind]): Promise<void> => {
    if (things.length === 0) return;
    const change = (setting: unknown): unknown[] =>
      addThings(
        setting,
        things.map(({ thing }) => thing),
      );
    await changeKnown(kind, change, inWorkspace ? 'workspace' : 'user');
  };
  try {
    await add('sources', sources);
    await add('servers', servers);
    return true;
  } catch (error) {
    void showFailure(diagnostics, t('What was found could not be kept.'), error);
    return false;
  }
}

export function offerOf({ known }: WorkspaceData, found: Discovery): DiscoveryOffer {
  return discoveryOffer(found, { sources: known.sources(), servers: known.servers() }, t);
}

export function isEmpty({ sources, servers }: DiscoveryOffer): boolean {
  return sources.length + servers.length === 0;
}
