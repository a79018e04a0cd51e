import * as vscode from 'vscode';
import { plainText } from '../platform/plainText';
import type { Plan } from './plans';

/**
 * A plan as VS Code shows it before a tool runs. Names are text in it, whatever they hold: they come
 * from a model or a server.
 */
export function confirmationOf(plan: Plan): vscode.LanguageModelToolConfirmationMessages {
  const message = new vscode.MarkdownString(`${asText(plan.what, 600)}\n\n`);
  message.appendMarkdown(`${asText(plan.itemsTitle, 300)}\n`);
  for (const item of plan.items) message.appendMarkdown(`\n- ${asText(item, 100)}`);
  for (const note of plan.notes) message.appendMarkdown(`\n\n${asText(note, 300)}`);
  return { title: plan.title, message };
}

/** As `appendText` does it, but with spaces at which a long line can break. */
function asText(text: string, maxLength: number): string {
  return plainText(text, maxLength).replace(/[!-/:-@[-`{-~]/g, '\\$&');
}
