import * as vscode from 'vscode';
import type { LogRecord } from '../../../api/types';
import { sanitise } from '../../../text/sanitise';
import { commandLinks } from '../../../vscode/commandLinks';
import { commands } from '../../../vscode/contributions';
import { continuation } from '../../record/format';
import { findFrames } from '../../record/frames';
import { boundedRecord } from '../../record/recordSize';
import type { LogChannel } from './logChannel';
import { isLogDocument, logDocuments } from './logLinks';

/** The hover of a line: the whole record as text, and a link to the code that logged it. */
export function registerLogHovers(channel: LogChannel): vscode.Disposable {
  return vscode.languages.registerHoverProvider(logDocuments, {
    provideHover(document, position) {
      if (!isLogDocument(document)) return undefined;
      const record = recordAt(channel, document, position.line);
      if (record === undefined) return undefined;
      const goTo = {
        label: vscode.l10n.t('Go to Log Statement'),
        command: commands.goToLogStatement,
        argument: { line: position.line },
      };
      // A stack frame is a link itself.
      const hasFrame = findFrames(document.lineAt(position.line).text, 1).length > 0;
      return new vscode.Hover([
        ...(hasFrame ? [] : [commandLinks([goTo])]),
        describeRecord(record),
      ]);
    },
  });
}

/** The record of a line of the channel's document. A record can have several lines. */
export function recordAt(
  channel: LogChannel,
  document: vscode.TextDocument,
  line: number,
): LogRecord | undefined {
  let first = line;
  while (first > 0 && document.lineAt(first).text.startsWith(continuation)) first--;
  const text = document.lineAt(first).text;
  // Equal lines are told apart by their position, counted from the end, because the beginning may have
  // been dropped.
  let below = 0;
  for (let other = first + 1; other < document.lineCount; other++) {
    if (document.lineAt(other).text === text) below++;
  }
  return channel.lines.find(text, below);
}

function describeRecord(record: LogRecord): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString();
  // Untrusted: the code block shows markup as text, and control characters are escaped.
  const json = JSON.stringify(boundedRecord(record), null, 2)
    .split('\n')
    .map((line) => sanitise(line))
    .join('\n');
  markdown.appendCodeblock(json, 'json');
  return markdown;
}
