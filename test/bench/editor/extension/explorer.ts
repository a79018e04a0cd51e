import type { Loaded } from '../explorer';
import { connect, run, wait, type Host } from './host';
import { processorShare } from './logs';

/** Opens the Log Explorer; the benchmark process does the rest. */
export async function openForMeasuring(host: Host) {
  await openExplorer(host);
  return host.ask<Loaded>('explorer/measure');
}

/**
 * Milliseconds from Enter in the query bar until the page is painted; then the same request to the same server,
 * without the extension.
 */
export async function measureFirstPage(host: Host) {
  await openExplorer(host);
  const result = { ours: [] as number[], bare: [] as number[] };
  for (let round = -3; round < host.rounds; round++) {
    const { milliseconds, request } = await host.ask<{ milliseconds: number; request: unknown }>(
      'explorer/enter',
      { text: `round ${round};` },
    );
    const body = JSON.stringify(request);
    const start = performance.now();
    const response = await fetch(`${host.url}/v1/api/logs/query`, { method: 'POST', body });
    JSON.parse(await response.text());
    const bare = performance.now() - start;
    if (round < 0) continue;
    result.ours.push(milliseconds);
    result.bare.push(bare);
  }
  return result;
}

/** A Log Explorer that follows; the benchmark process loads its records and sends the new ones. */
export async function measureFollowing(host: Host) {
  await openExplorer(host);
  await host.ask('explorer/follow');
  const without = await processorShare(() => wait(10_000));
  return { without, ours: await processorShare(() => host.ask('explorer/send')) };
}

async function openExplorer(host: Host): Promise<void> {
  await connect(host);
  await run('workbench.action.closeAllEditors');
  await run('controlPlane.openLogExplorer');
}
