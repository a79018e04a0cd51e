import * as vscode from 'vscode';
import { uiPattern } from '../host/texts';
import { asText, hoversAt } from './hovers';
import { until } from './wait';

/** A marked line of a file: its number, from 1, and what the view Problems says about it. */
export type Marked = readonly [line: number, message: string];

/** The marked lines of a file, as the view Problems has them; the setting must be `marksAndProblems`. */
export function marksOf(file: vscode.Uri): Marked[] {
  return vscode.languages
    .getDiagnostics(file)
    .filter(({ source }) => source === 'Control Plane')
    .map(({ range, message }): Marked => [range.start.line + 1, message])
    .sort(([a], [b]) => a - b);
}

/** Waits until these lines of a file are marked, and no others. */
export async function marksAre(file: vscode.Uri, ...wanted: readonly Marked[]): Promise<void> {
  const text = JSON.stringify(wanted);
  let is = '';
  try {
    await until(`marks`, () => (is = JSON.stringify(marksOf(file))) === text);
  } catch (error) {
    throw new Error(`The marks are ${is}, not ${text}.`, { cause: error });
  }
}

/** The parts of the hovers of a line that are about errors in logs. */
export async function hoverOf(file: vscode.Uri, line: number): Promise<vscode.MarkdownString[]> {
  const parts = await hoversAt(file, new vscode.Position(line - 1, 3));
  const isOfErrors = uiPattern('Workloads: {0}');
  return parts.some((part) => isOfErrors.test(asText(part))) ? parts : [];
}
