import * as vscode from 'vscode';
import { dotted } from '../../text/textFormat';
import { plainText, withoutIcons } from '../../text/plainText';
import type { TimeFormat } from '../../text/timeFormat';
import { describe } from '../../vscode/errorMessages';
import { onAbort, signalOf } from '../../vscode/notifications';
import { exactName } from '../exactItems';
import { readItemNames } from '../itemNames';
import type { OrphanCandidates } from '../orphanCandidates';
import { itemsProblemText } from './itemNamesInput';

const { t } = vscode.l10n;

export interface ItemPickerServices {
  readonly serverName: string;
  /** Names that were typed: ticked at first. */
  readonly typed: readonly string[];
  readonly timeFormat: TimeFormat;
  /** Looks for what could be meant too. */
  readonly guess: (signal: AbortSignal) => Promise<OrphanCandidates>;
  /** Of the connection of the server: it is dismissed with it. */
  readonly lifetime: AbortSignal;
}

interface Item extends vscode.QuickPickItem {
  readonly name?: string;
}

/** There is nothing to choose from: nothing was typed, and nothing guessed. */
export interface NothingToPick {
  readonly why: string;
}

/** Shows each name, and guesses besides, none of them ticked. Undefined where it was dismissed. */
export async function pickItems(
  services: ItemPickerServices,
): Promise<readonly string[] | NothingToPick | undefined> {
  const { typed } = services;
  const picker = vscode.window.createQuickPick<Item>();
  const cancellation = new vscode.CancellationTokenSource();
  const title = t('Clean Up on {0}', plainText(services.serverName, 100));
  const items = typed.map((name): Item => itemOf(name));

  picker.title = title;
  picker.placeholder = t('Looking for orphan candidates…');
  picker.canSelectMany = true;
  picker.ignoreFocusOut = true;
  picker.matchOnDescription = true;
  picker.items = items;
  picker.selectedItems = items;

  /** What there is besides what was typed, and what to say of that. */
  const load = async (): Promise<{ readonly guesses: Item[]; readonly words: string }> => {
    try {
      const found = await services.guess(signalOf(cancellation.token));
      const guesses = found.candidates.filter(({ name }) => !typed.includes(name));
      return {
        guesses: guessItems(guesses, services.timeFormat),
        words: placeholderOf(guesses.length, found.isWhole),
      };
    } catch (error) {
      return {
        guesses: [],
        words: t('Could not look for orphan candidates: {0}', describe(error)),
      };
    }
  };

  let release: (() => void) | undefined;
  try {
    return await new Promise((resolve) => {
      release = onAbort(services.lifetime, () => resolve(undefined));
      picker.onDidHide(() => resolve(undefined));
      picker.onDidChangeSelection((selected) => {
        picker.title = `${title}: ${selected.length}`;
      });
      picker.onDidAccept(() => {
        const chosen = readItemNames(picker.selectedItems.flatMap(({ name }) => name ?? []));
        // A quick pick has no place for what is wrong but its title.
        if (chosen.problem === undefined) resolve(chosen.names);
        else picker.title = `${title}: ${itemsProblemText(chosen.problem)}`;
      });
      picker.show();
      picker.busy = true;
      void load().then(({ guesses, words }) => {
        if (cancellation.token.isCancellationRequested || services.lifetime.aborted) return;
        // A list with nothing in it cannot even be accepted.
        if (items.length + guesses.length === 0) {
          resolve({ why: words });
          return;
        }
        const { selectedItems } = picker;
        picker.items = [...items, ...guesses];
        picker.selectedItems = selectedItems;
        picker.placeholder = words;
        picker.busy = false;
      });
    });
  } finally {
    release?.();
    cancellation.cancel();
    cancellation.dispose();
    picker.dispose();
  }
}

function guessItems(found: OrphanCandidates['candidates'], timeFormat: TimeFormat): Item[] {
  if (found.length === 0) return [];
  return [
    {
      label: t('Orphan candidates'),
      kind: vscode.QuickPickItemKind.Separator,
    },
    ...found.map(({ name, lastSeen }) =>
      itemOf(name, t('candidate, last seen {0}', timeFormat.relative(lastSeen))),
    ),
  ];
}

/** A name as it would be sent: two that differ look different. */
function itemOf(name: string, words?: string): Item {
  const { shown, mark } = exactName(name, { t, maxUnits: 100 });
  return {
    label: withoutIcons(shown),
    description: withoutIcons(dotted([words, mark && `⚠ ${mark}`])),
    name,
  };
}

function placeholderOf(count: number, isWhole: boolean): string {
  if (count === 0) {
    return isWhole
      ? t('No orphan candidates: everything that logged in the last 7 days is known')
      : t('No orphan candidates found; not all logs of the last 7 days were searched');
  }
  return isWhole
    ? t('Select what to clean up. Candidates logged in the last 7 days and are unknown')
    : t('Select what to clean up. Not all logs were searched for candidates');
}
