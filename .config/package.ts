import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createPackage } from './vsix';

async function hashOf(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
}

/**
 * Makes the package once more, as somebody would in another time zone who shares no files.
 *
 * @throws if that is another package.
 */
async function makeAgain(hash: string): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'package-'));
  process.env['TZ'] = new Date().getTimezoneOffset() === 0 ? 'Asia/Kathmandu' : 'UTC';
  process.umask(0o077);
  try {
    const { file } = await createPackage(folder);
    const again = await hashOf(file);
    if (again !== hash) throw new Error(`The same sources gave another package: ${again}.`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  console.log('The same again.');
}

/** `--twice` proves besides that the same sources give the same package. */
async function main(args: readonly string[]): Promise<void> {
  const { file, bytes, files } = await createPackage();
  const hash = await hashOf(file);
  console.log(files.map((name) => `  ${name}`).join('\n'));
  console.log(`${path.basename(file)}  ${(bytes / 1024).toFixed(1)} KB  sha256 ${hash}`);
  if (args.includes('--twice')) await makeAgain(hash);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
