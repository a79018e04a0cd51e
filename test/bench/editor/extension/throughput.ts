import * as vscode from 'vscode';
import type { LogRecord } from '../../../../src/api/types';
import { createFormatter } from '../../../../src/logs/lines/format';
import { machineTime, type Ask } from './extension';
import { followAnew, ourChannel, visible } from './output';

/** As many at a time as our channel appends. */
const pieceLength = 256 * 1024;

/** Milliseconds until all lines were visible, by round. */
export interface Throughput {
  readonly ours: number[];
  /** One append a record. */
  readonly raw: number[];
  /** As few appends as there can be, all at once. */
  readonly rawPieces: number[];
}

/**
 * From the first byte that the server writes to the last line in the document of the channel, against
 * appending the same text to a channel of our own, record by record and in large pieces.
 */
export async function measureThroughput(
  ask: Ask,
  url: string,
  records: readonly LogRecord[],
  rounds: number,
): Promise<Throughput> {
  const { count, end } = (await ask('/bench/throughput')) as { count: number; end: string };
  const format = createFormatter({ timeZone: 'utc', showAttributes: false });
  const lines = records.map((record) => format(record));
  const texts = Array.from({ length: count }, (_, index) => lines[index % lines.length] ?? '');
  texts.push(`${end}\n`);
  const pieces: string[] = [''];
  for (const text of texts) {
    const piece = pieces.at(-1) ?? '';
    if (piece.length + text.length > pieceLength) pieces.push(text);
    else pieces[pieces.length - 1] = piece + text;
  }

  const result: Throughput = { ours: [], raw: [], rawPieces: [] };
  // One round more, the first of which does not count.
  for (let round = -1; round < rounds; round++) {
    const raw = await appendRaw(texts, end, `Raw ${round}`);
    const rawPieces = await appendRaw(pieces, end, `Raw pieces ${round}`);
    await followAnew(url);
    const { start } = (await ask('/bench/throughput/go')) as { start: number };
    await visible(ourChannel, end);
    const ours = machineTime() - start;
    await vscode.commands.executeCommand('controlPlane.stopLogs');
    await ask('/bench/note', { round, raw, rawPieces, ours });
    if (round < 0) continue;
    result.raw.push(raw);
    result.rawPieces.push(rawPieces);
    result.ours.push(ours);
  }
  return result;
}

async function appendRaw(texts: readonly string[], end: string, name: string): Promise<number> {
  const channel = vscode.window.createOutputChannel(name, 'log');
  channel.show(true);
  channel.appendLine('Appending');
  await visible(name, 'Appending');
  const start = performance.now();
  for (const text of texts) channel.append(text);
  const elapsed = (await visible(name, end)) - start;
  channel.dispose();
  return elapsed;
}
