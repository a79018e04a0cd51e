import os from 'node:os';

/** The milliseconds that `work` takes on a quiet machine of today. */
const usual = 45;
/** Lanes that run side by side share the processors. */
export const lanes = Math.min(3, os.availableParallelism() + 1);

/**
 * How many times slower this machine is than a usual one, from 1 to 8: measured once, at the start of a
 * run, and passed on to the processes that it starts. Every bound of time is multiplied with it.
 */
export const slowness = Number(process.env['TEST_SLOWNESS']) || measured();
process.env['TEST_SLOWNESS'] = String(slowness);

/** A bound of time for this machine. */
export function scaled(ms: number): number {
  return Math.round(ms * slowness);
}

function measured(): number {
  const times = Array.from({ length: 5 }, () => {
    const started = performance.now();
    work();
    return performance.now() - started;
  }).sort((a, b) => a - b);
  const shared = Math.max(1, lanes / os.availableParallelism());
  const factor = (shared * (times[2] ?? usual)) / usual;
  return Math.round(Math.min(8, Math.max(1, factor)) * 10) / 10;
}

/** A fixed piece of work of the kind that tests do. */
function work(): number {
  const rows = Array.from({ length: 100_000 }, (_, index) => ({ id: (index * 7919) % 100_003 }));
  const text = JSON.stringify(rows.sort((a, b) => a.id - b.id));
  return (JSON.parse(text) as typeof rows).length;
}
