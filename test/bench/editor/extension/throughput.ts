import * as vscode from 'vscode';
import type { LogRecord } from '../../../../src/api/types';
import { createFormatter } from '../../../../src/logs/record/logLine';
import { machineTime, type Ask } from './extension';
import { followAnew, ourChannel, visible } from './output';

/** As many characters at a time as our channel appends. */
const pieceLength = 256 * 1024;

/**
 * Milliseconds from the first byte that the server writes until all lines are visible, by round.
 */
export interface Throughput {
  readonly ours: number[];
  /** The same stream read and parsed, and the same text appended, without the extension. */
  readonly bare: number[];
  /** Only the same text, with one append for each record. */
  readonly raw: number[];
}

interface Sample {
  /** The texts to append, one for each record. */
  readonly texts: readonly string[];
  /** The text of the last one. */
  readonly end: string;
}

/** One burst, compared with the minimum of work for it. */
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
  const sample: Sample = { texts: [...texts, `${end}\n`], end };

  const result: Throughput = { ours: [], bare: [], raw: [] };
  // The first round warms up and does not count.
  for (let round = -1; round < rounds; round++) {
    const raw = await inChannel(`Raw ${round}`, (channel) => {
      const start = machineTime();
      for (const text of sample.texts) channel.append(text);
      return appended(channel, sample, start);
    });
    const bare = await inChannel(`Bare ${round}`, (channel) => readBare(ask, url, channel, sample));
    await followAnew(url);
    const { start } = (await ask('/bench/throughput/go')) as { start: number };
    await visible(ourChannel, end);
    const ours = machineTime() - start;
    await vscode.commands.executeCommand('controlPlane.stopLogs');
    await ask('/bench/note', { round, raw, bare, ours });
    if (round < 0) continue;
    result.raw.push(raw);
    result.bare.push(bare);
    result.ours.push(ours);
  }
  return result;
}

async function readBare(
  ask: Ask,
  url: string,
  channel: vscode.OutputChannel,
  sample: Sample,
): Promise<number> {
  const controller = new AbortController();
  const response = await fetch(`${url}/v1/api/logs/tail`, {
    method: 'POST',
    body: '{}',
    signal: controller.signal,
  });
  const { start } = (await ask('/bench/throughput/go')) as { start: number };
  let rest = '';
  let at = 0;
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    const events = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const data = event.slice(event.indexOf('data: ') + 'data: '.length);
      const { length } = (JSON.parse(data) as { records: unknown[] }).records;
      for (const end = at + length; at < end; at++) text += sample.texts[at] ?? '';
    }
    const isOver = at >= sample.texts.length;
    if (text.length >= pieceLength || isOver) {
      channel.append(text);
      text = '';
    }
    if (isOver) break;
  }
  controller.abort();
  return appended(channel, sample, start);
}

/** Milliseconds from a time of the machine until everything is visible. */
async function appended(
  { name }: vscode.OutputChannel,
  { end }: Sample,
  start: number,
): Promise<number> {
  return performance.timeOrigin + (await visible(name, end)) - start;
}

/** Measures with a visible channel, and disposes it afterwards. */
async function inChannel(
  name: string,
  measure: (channel: vscode.OutputChannel) => Promise<number>,
): Promise<number> {
  const channel = vscode.window.createOutputChannel(name, 'log');
  channel.show(true);
  channel.appendLine('Appending');
  await visible(name, 'Appending');
  const elapsed = await measure(channel);
  channel.dispose();
  return elapsed;
}
