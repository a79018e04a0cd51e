import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { keyList } from './keys';
import { startControlPlane } from './server';

const help = `Starts the embedded control plane on loopback.

  --port N            the port (3900)
  --seed N            the seed of the generated data (1)
  --ingest FILE…      serve the lines of these files instead of generated logs
  --stream-seconds N  how long a log stream stays open (300)
  --rate N            generated log records a second (8)
  --help              show this text
`;

function wholeNumber(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  if (!/^\d+$/.test(text)) throw new Error(`--${name} takes a whole number, not ${text}.`);
  return Number(text);
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      port: { type: 'string' },
      seed: { type: 'string' },
      ingest: { type: 'string', multiple: true },
      'stream-seconds': { type: 'string' },
      rate: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    console.log(help);
    return;
  }
  // `--ingest a.log b.log`: the arguments after the first file are files too.
  if (positionals.length > 0 && !values.ingest)
    throw new Error(`Unknown argument ${positionals.join(' ')}.`);
  const files = [...(values.ingest ?? []), ...positionals];
  for (const file of files.filter((one) => !existsSync(one))) {
    console.log(`${file} does not exist yet. It is followed as soon as it does.`);
  }
  const controlPlane = await startControlPlane({
    port: wholeNumber('port', values.port, 3900),
    seed: wholeNumber('seed', values.seed, 1),
    ingest: files,
    streamSeconds: wholeNumber('stream-seconds', values['stream-seconds'], 300),
    logsPerSecond: wholeNumber('rate', values.rate, 8),
  });
  console.log(`Control plane: ${controlPlane.url}\n\n${keyList(controlPlane.keys)}\n`);
  console.log(`Workspace: ${controlPlane.demoFolder}\nPress Ctrl+C to stop.`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void controlPlane.close());
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
