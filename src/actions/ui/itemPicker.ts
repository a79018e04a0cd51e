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

interface ItemPickerServices {
  readonly serverName: string;
  /** Names that the user typed. They are selected at first. */
  readonly typed: readonly string[];
  readonly timeFormat: TimeFormat;
  /** Finds orphan candidates. */
  readonly findCandidates: (signal: AbortSignal) => Promise<OrphanCandidates>;
  /** Dismisses the quick pick when the connection closes. */
  readonly lifetime: AbortSignal;
}

interface Item extends vscode.QuickPickItem {
  readonly name?: string;
}

/** There is nothing to choose from: no typed names and no candidates. */
interface NothingToPick {
  readonly reason: string;
}

/**
 * Shows the typed names and orphan candidates, which are not selected. Returns undefined if it was
 * dismissed.
 */
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

  /** Loads the candidates that were not typed, and the placeholder. */
  const load = async (): Promise<{ readonly candidates: Item[]; readonly words: string }> => {
    try {
      const found = await services.findCandidates(signalOf(cancellation.token));
      const candidates = found.candidates.filter(({ name }) => !typed.includes(name));
      return {
        candidates: candidateItems(candidates, services.timeFormat),
        words: placeholderOf(candidates.length, found.isWhole),
      };
    } catch (error) {
      return {
        candidates: [],
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
        // A quick pick has no validation message, so the title shows it.
        if (chosen.problem === undefined) resolve(chosen.names);
        else picker.title = `${title}: ${itemsProblemText(chosen.problem)}`;
      });
      picker.show();
      picker.busy = true;
      void load().then(({ candidates, words }) => {
        if (cancellation.token.isCancellationRequested || services.lifetime.aborted) return;
        // An empty quick pick cannot be accepted.
        if (items.length + candidates.length === 0) {
          resolve({ reason: words });
          return;
        }
        const { selectedItems } = picker;
        picker.items = [...items, ...candidates];
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

function candidateItems(found: OrphanCandidates['candidates'], timeFormat: TimeFormat): Item[] {
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

/** A name as it is sent. Different names look different. */
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
