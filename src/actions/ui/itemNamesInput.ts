import * as vscode from 'vscode';
import { plainText, withoutIcons } from '../../text/plainText';
import { errorText } from '../../vscode/errorMessages';
import { onAbort } from '../../vscode/notifications';
import { counted, number } from '../../vscode/numbers';
import { type ItemsProblem, parseItemNames } from '../itemNames';

const { t } = vscode.l10n;

/**
 * Asks for names, typed or pasted. An empty list is an answer: the guesses come next. Undefined: it was
 * dismissed.
 *
 * @param lifetime of the connection of the server: it is dismissed with it.
 * @param noGuesses why there are no guesses, where they have been looked for: then names are needed.
 */
export async function askForItemNames(
  serverName: string,
  lifetime: AbortSignal,
  noGuesses?: string,
): Promise<readonly string[] | undefined> {
  const box = vscode.window.createInputBox();
  box.title = t('Clean Up Orphans on {0}', plainText(serverName, 100));
  box.prompt =
    noGuesses === undefined
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
        : noGuesses && warning(t('{0} – enter the names.', noGuesses));
  };
  /** The box makes blanks of the line breaks that are pasted: they are found again in the clipboard. */
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
        // Who may not read the clipboard sees one long name, and the commas that are missing.
        restoreLines(value).catch(() => undefined);
      });
      box.onDidAccept(() => {
        const { names, problem } = parseItemNames(box.value);
        const isEmptyAnswer = problem?.kind === 'none' && noGuesses === undefined;
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
