import * as vscode from 'vscode';
import type { LogRecord } from '../../../../src/api/types';
import { createFormatter } from '../../../../src/logs/lines/format';
import type { Ask } from './extension';
import { machineTime } from './extension';
import { followAnew, ourChannel, visible } from './output';

/** As many at a time as our channel appends. */
const pieceLength = 256 * 1024;

/** Milliseconds until all lines were visible, by round. */
export interface Throughput {
  readonly ours: number[];
  readonly raw: number[];
}

/**
 * From the first byte that the server writes to the last line in the document of the channel, against
 * appending the same text to a channel of our own.
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
  const pieces: string[] = [''];
  for (let index = 0; index < count; index++) {
    const line = lines[index % lines.length] ?? '';
    const piece = pieces.at(-1) ?? '';
    if (piece.length + line.length > pieceLength) pieces.push(line);
    else pieces[pieces.length - 1] = piece + line;
  }
  pieces.push(`${end}\n`);

  const result: Throughput = { ours: [], raw: [] };
  // One round more, the first of which does not count.
  for (let round = -1; round < rounds; round++) {
    const raw = await appendRaw(pieces, end, round);
    await followAnew(url);
    const { start } = (await ask('/bench/throughput/go')) as { start: number };
    await visible(ourChannel, end);
    const ours = machineTime() - start;
    await vscode.commands.executeCommand('controlPlane.stopLogs');
    await ask('/bench/note', { round, raw, ours });
    if (round < 0) continue;
    result.raw.push(raw);
    result.ours.push(ours);
  }
  return result;
}

async function appendRaw(pieces: readonly string[], end: string, round: number): Promise<number> {
  const name = `Raw ${round}`;
  const channel = vscode.window.createOutputChannel(name, 'log');
  channel.show(true);
  channel.appendLine('Appending');
  await visible(name, 'Appending');
  const start = performance.now();
  for (const piece of pieces) channel.append(piece);
  const elapsed = (await visible(name, end)) - start;
  channel.dispose();
  return elapsed;
}
