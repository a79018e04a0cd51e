import * as vscode from 'vscode';
import { plainText } from '../platform/plainText';
import type { Plan } from './plans';

/**
 * A plan as VS Code shows it before a tool runs. Names are text in it, whatever they hold: they come
 * from a model or a server.
 */
export function confirmationOf(plan: Plan): vscode.LanguageModelToolConfirmationMessages {
  const message = new vscode.MarkdownString()
    .appendText(plainText(plan.what, 600))
    .appendMarkdown('\n\n')
    .appendText(plan.itemsTitle)
    .appendMarkdown('\n');
  for (const item of plan.items) message.appendMarkdown('\n- ').appendText(plainText(item, 100));
  for (const note of plan.notes) message.appendMarkdown('\n\n').appendText(note);
  return { title: plan.title, message };
}
