import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { likeNamed } from './faces';
import { keyList } from './keys';
import { startControlPlane } from './server';

const help = `Starts the embedded control plane on loopback.

  --port N        the port (3900)
  --like FACE     document (the default), or real: names of its own, and more than the document says
  --ingest FILE…  serve the lines of these files instead of generated logs
  --help          show this text
`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      port: { type: 'string', default: '3900' },
      like: { type: 'string', default: 'document' },
      ingest: { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    console.log(help);
    return;
  }
  // `--ingest a.log b.log`: the arguments after the first file are files too.
  if (positionals.length > 0 && values.ingest.length === 0)
    throw new Error(`Unknown argument ${positionals.join(' ')}.`);
  if (!/^\d+$/.test(values.port)) throw new Error('--port takes a whole number.');
  const like = likeNamed(values.like);
  const ingest = [...values.ingest, ...positionals];
  for (const file of ingest.filter((one) => !existsSync(one))) {
    console.log(`${file} does not exist yet. It is followed as soon as it does.`);
  }
  const controlPlane = await startControlPlane({ port: Number(values.port), ingest, like });
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
