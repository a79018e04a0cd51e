import * as vscode from 'vscode';
import { boxText, labelText, plainText } from '../../base/plainText';
import { dotted } from '../../base/textFormat';
import type { TimeFormat } from '../../base/timeFormat';
import { describe, errorText } from '../../vscode/errorMessages';
import { counted, number } from '../../vscode/numbers';
import { showBox } from '../../vscode/quickInput';
import { escapedName } from '../escapedNames';
import { type ItemsProblem, parseItemNames, readItemNames } from '../itemNames';
import type { OrphanCandidates } from '../orphanCandidates';

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
export function pickItems(
  services: ItemPickerServices,
): Promise<readonly string[] | NothingToPick | undefined> {
  const { typed } = services;
  const picker = vscode.window.createQuickPick<Item>();
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
  const load = async (
    signal: AbortSignal,
  ): Promise<{ readonly candidates: Item[]; readonly words: string }> => {
    try {
      const found = await services.findCandidates(signal);
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

  return showBox(picker, services.lifetime, (answer, whileOpen) => {
    picker.onDidChangeSelection((selected) => {
      picker.title = `${title}: ${selected.length}`;
    });
    picker.onDidAccept(() => {
      const chosen = readItemNames(picker.selectedItems.flatMap(({ name }) => name ?? []));
      // A quick pick has no validation message, so the title shows it.
      if (chosen.problem === undefined) answer(chosen.names);
      else picker.title = `${title}: ${itemsProblemText(chosen.problem)}`;
    });
    picker.busy = true;
    void load(whileOpen).then(({ candidates, words }) => {
      if (whileOpen.aborted) return;
      // An empty quick pick cannot be accepted.
      if (items.length + candidates.length === 0) {
        answer({ reason: words });
        return;
      }
      const { selectedItems } = picker;
      picker.items = [...items, ...candidates];
      picker.selectedItems = selectedItems;
      picker.placeholder = words;
      picker.busy = false;
    });
  });
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
  const { shown, mark } = escapedName(name, { t, maxUnits: 100 });
  return {
    label: labelText(shown),
    description: labelText(dotted([words, mark && `⚠ ${mark}`])),
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

/**
 * Asks for item names. An empty list means that the user wants to choose from candidates. Returns
 * undefined if the box was dismissed.
 *
 * @param lifetime dismisses the box when the connection closes.
 * @param whyNone why there are no candidates, if they were searched already. Then names are required.
 */
export function askForItemNames(
  serverName: string,
  lifetime: AbortSignal,
  whyNone?: string,
): Promise<readonly string[] | undefined> {
  const box = vscode.window.createInputBox();
  box.title = t('Clean Up Orphans on {0}', plainText(serverName, 100));
  box.prompt = boxText(
    whyNone === undefined
      ? t(
          'Enter item names, separated by commas or line breaks. Leave empty to choose from orphan candidates.',
        )
      : t('Enter item names, separated by commas or line breaks.'),
  );
  box.placeholder = t('such as {0}', 'old-api, tmp-worker');
  box.ignoreFocusOut = true;

  const show = (): void => {
    const { names, problem } = parseItemNames(box.value);
    box.validationMessage =
      names.length > 0
        ? problem === undefined
          ? information(countText(names))
          : boxText(itemsProblemText(problem))
        : whyNone && warning(t('{0} – enter the names.', whyNone));
  };
  /** An input box replaces pasted line breaks with spaces. Restores them from the clipboard. */
  const restoreLines = async (value: string): Promise<void> => {
    if (!/\S\s+\S/.test(value)) return;
    const pasted = (await vscode.env.clipboard.readText()).trim();
    const flat = pasted.replace(/\r\n|\r|\n/g, ' ');
    if (flat === pasted || box.value !== value || !value.includes(flat)) return;
    box.value = value.replace(flat, () => parseItemNames(pasted).names.join(', '));
    show();
  };

  return showBox(box, lifetime, (answer) => {
    box.onDidChangeValue((value) => {
      show();
      // If the clipboard cannot be read, the text stays one long name, which the user can split.
      restoreLines(value).catch(() => undefined);
    });
    box.onDidAccept(() => {
      const { names, problem } = parseItemNames(box.value);
      const isEmptyAnswer = problem?.kind === 'none' && whyNone === undefined;
      if (problem === undefined || isEmptyAnswer) answer(names);
    });
    show();
  });
}

type Message = vscode.InputBoxValidationMessage;

function information(words: string): Message {
  return { message: boxText(words), severity: vscode.InputBoxValidationSeverity.Info };
}

function warning(words: string): Message {
  return { message: boxText(words), severity: vscode.InputBoxValidationSeverity.Warning };
}

function countText(names: readonly string[]): string {
  const list = names.map((name) => plainText(name, 60)).join(' | ');
  return counted(names.length, '{0} item: {1}', '{0} items: {1}', list);
}

/** What is wrong with the names, and what is allowed. */
export function itemsProblemText(problem: ItemsProblem): string {
  switch (problem.kind) {
    case 'none':
      return t('Enter 1 to 100 item names.');
    case 'tooMany':
      return t('Too many items ({0}): {1}.', number(problem.count), errorText(problem.limit));
    case 'notText':
      return t('Item {0} is not a text.', problem.place);
    case 'malformed':
      return t(
        'Item {0} contains an invalid character: {1}',
        problem.place,
        plainText(problem.name, 60),
      );
    case 'notAllowed':
      return t(
        '{0} {1} (allowed: {2}).',
        problem.error.field,
        errorText(problem.error.problem),
        errorText(problem.error.limit),
      );
  }
}
