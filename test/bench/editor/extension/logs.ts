import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import * as vscode from 'vscode';
import type { LogRecord } from '../../../../src/api/types';
import { createFormatter } from '../../../../src/logs/record/logLine';
import { followAnew, machineTime, ourChannel, run, visible, wait, type Host } from './host';

/** As many characters at a time as our channel appends. */
const pieceLength = 256 * 1024;

/** The texts to append, one for each record, and the text of the last one. */
interface Sample {
  readonly texts: readonly string[];
  readonly end: string;
}

/**
 * One burst: milliseconds from the first byte that the server writes until all lines are visible, by round; `bare`
 * reads and parses the same stream and appends the same text without the extension, and `raw` only appends the text
 * of each record.
 */
export async function measureThroughput(host: Host) {
  const { count, end } = await host.ask<{ count: number; end: string }>('throughput');
  const format = createFormatter({ timeZone: 'utc', showAttributes: false });
  const records = JSON.parse(readFileSync(host.recordsFile, 'utf8')) as LogRecord[];
  const lines = records.map((record) => format(record));
  const texts = Array.from({ length: count }, (_, index) => lines[index % lines.length] ?? '');
  const sample: Sample = { texts: [...texts, `${end}\n`], end };

  const result = { ours: [] as number[], bare: [] as number[], raw: [] as number[] };
  // The first round warms up and does not count.
  for (let round = -1; round < host.rounds; round++) {
    const raw = await inChannel(`Raw ${round}`, async (channel) => {
      const start = machineTime();
      for (const text of sample.texts) channel.append(text);
      return (await visible(channel.name, end)) - start;
    });
    const bare = await inChannel(`Bare ${round}`, (channel) => readBare(host, channel, sample));
    await followAnew(host);
    const { start } = await host.ask<{ start: number }>('throughput/go');
    const ours = (await visible(ourChannel, end)) - start;
    await run('controlPlane.stopLogs');
    await host.ask('note', { round, raw, bare, ours });
    if (round < 0) continue;
    result.raw.push(raw);
    result.bare.push(bare);
    result.ours.push(ours);
  }
  return result;
}

async function readBare(
  { url, ask }: Host,
  channel: vscode.OutputChannel,
  { texts, end }: Sample,
): Promise<number> {
  const controller = new AbortController();
  const response = await fetch(`${url}/v1/api/logs/tail`, {
    method: 'POST',
    body: '{}',
    signal: controller.signal,
  });
  const { start } = await ask<{ start: number }>('throughput/go');
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
      for (const next = at + length; at < next; at++) text += texts[at] ?? '';
    }
    const isOver = at >= texts.length;
    if (text.length >= pieceLength || isOver) {
      channel.append(text);
      text = '';
    }
    if (isOver) break;
  }
  controller.abort();
  return (await visible(channel.name, end)) - start;
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

/** From the server's write of one record on an idle tail to its line, compared with one plain append. */
export async function measureLatency(host: Host) {
  const channel = vscode.window.createOutputChannel('Raw', 'log');
  await followAnew(host);
  await host.ask('latency');
  // Long enough for the window to become idle, and never in step with its timers.
  const idle = (): Promise<void> => wait(150 + 100 * Math.random());
  const result = { ours: [] as number[], raw: [] as number[] };
  for (let round = -5; round < host.rounds; round++) {
    const text = `probe ${round};`;
    channel.show(true);
    await idle();
    const rawStart = machineTime();
    channel.appendLine(text);
    const raw = (await visible('Raw', text)) - rawStart;

    await run('controlPlane.showLogs');
    await idle();
    const shown = visible(ourChannel, text);
    const { start } = await host.ask<{ start: number }>('latency/write', { text });
    const ours = (await shown) - start;
    if (round < 0) continue;
    result.raw.push(raw);
    result.ours.push(ours);
  }
  channel.dispose();
  return result;
}

/** The lag of the extension host while records arrive faster than any window shows them. */
export async function measureBurst(host: Host) {
  // The usual delay of the monitor's own timer, which is subtracted.
  const resolution = 5;
  await followAnew(host);
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();
  const { seconds, end } = await host.ask<{ seconds: number; end: string }>('burst/go');
  delay.disable();
  await visible(ourChannel, end);
  await run('controlPlane.stopLogs');
  const [p99, most] = [delay.percentile(99), delay.max].map((lag) => lag / 1e6 - resolution);
  return { lagP99: p99!, lagMax: most!, seconds };
}

/** A window that does nothing, first without the extension, then with a live tail without records. */
export async function measureIdle(host: Host) {
  // What a window needs for its work after something happened.
  const settle = (): Promise<void> => wait(15_000);
  const minute = (): Promise<number> => processorShare(() => wait(60_000));
  await settle();
  const without = await minute();
  await followAnew(host);
  await run('workbench.action.closePanel');
  await settle();
  return { without, ours: await minute() };
}

/** The share of one processor, in percent, that this process takes meanwhile. */
export async function processorShare(what: () => Promise<unknown>): Promise<number> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  await what();
  const { user, system } = process.cpuUsage(cpu);
  return (user + system) / 10 / (performance.now() - start);
}
