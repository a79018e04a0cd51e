import * as vscode from 'vscode';
import { plainText } from '../../text/plainText';
import type { Plan } from '../plans';

/**
 * A plan as VS Code shows it before a tool runs: as Markdown in a chat, and as plain text made of that in
 * a dialog, which keeps the escapes of a list and takes what looks like a tag or an entity for one. Names
 * are text in both, whatever they hold: they come from a model or a server.
 */
export function confirmationOf(plan: Plan): vscode.LanguageModelToolConfirmationMessages {
  const parts = [
    asText(plan.what, 600),
    [asText(plan.itemsTitle, 300), ...plan.items.map(inMarkdown)].join('  \n'),
    ...plan.notes.map((note) => asText(note, 300)),
  ];
  return { title: plan.title, message: new vscode.MarkdownString(parts.join('\n\n')) };
}

function asText(text: string, maxLength: number): string {
  const plain = plainText(text, maxLength);
  return inMarkdown(plain.replaceAll('<', '\\u{3c}').replaceAll('&', '\\u{26}'));
}

/** As `appendText` does it, but with spaces at which a long line can break, and the same in a dialog. */
function inMarkdown(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, '\\$&');
}
