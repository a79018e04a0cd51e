import * as vscode from 'vscode';
import { plainText, withoutIcons } from '../../text/plainText';
import { errorText } from '../../vscode/errorMessages';
import { onAbort } from '../../vscode/notifications';
import { counted, number } from '../../vscode/numbers';
import { type ItemsProblem, parseItemNames } from '../itemNames';

const { t } = vscode.l10n;

/**
 * Asks for item names. An empty list means that the user wants to choose from candidates. Returns
 * undefined if the box was dismissed.
 *
 * @param lifetime dismisses the box when the connection closes.
 * @param whyNone why there are no candidates, if they were searched already. Then names are required.
 */
export async function askForItemNames(
  serverName: string,
  lifetime: AbortSignal,
  whyNone?: string,
): Promise<readonly string[] | undefined> {
  const box = vscode.window.createInputBox();
  box.title = t('Clean Up Orphans on {0}', plainText(serverName, 100));
  box.prompt =
    whyNone === undefined
      ? t(
          'Enter item names, separated by commas or line breaks. Leave empty to choose from orphan candidates.',
        )
      : t('Enter item names, separated by commas or line breaks.');
  box.placeholder = t('such as {0}', 'old-api, tmp-worker');
  box.ignoreFocusOut = true;

  const show = (): void => {
    const { names, problem } = parseItemNames(box.value);
    box.validationMessage =
      names.length > 0
        ? problem === undefined
          ? information(countText(names))
          : withoutIcons(itemsProblemText(problem))
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

  let release: (() => void) | undefined;
  try {
    return await new Promise((resolve) => {
      release = onAbort(lifetime, () => resolve(undefined));
      box.onDidHide(() => resolve(undefined));
      box.onDidChangeValue((value) => {
        show();
        // If the clipboard cannot be read, the text stays one long name, which the user can split.
        restoreLines(value).catch(() => undefined);
      });
      box.onDidAccept(() => {
        const { names, problem } = parseItemNames(box.value);
        const isEmptyAnswer = problem?.kind === 'none' && whyNone === undefined;
        if (problem === undefined || isEmptyAnswer) resolve(names);
      });
      show();
      box.show();
    });
  } finally {
    release?.();
    box.dispose();
  }
}

type Message = vscode.InputBoxValidationMessage;

function information(words: string): Message {
  return { message: withoutIcons(words), severity: vscode.InputBoxValidationSeverity.Info };
}

function warning(words: string): Message {
  return { message: withoutIcons(words), severity: vscode.InputBoxValidationSeverity.Warning };
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
