// Runs a TypeScript file of this repository on a fresh clone: installs the dependencies first if
// they are missing or older than the lock file. Plain JavaScript, since nothing is installed yet.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const [script, ...args] = process.argv.slice(2);

const installed = path.join(root, 'node_modules/.package-lock.json');
const wanted = path.join(root, 'package-lock.json');
if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(wanted).mtimeMs) {
  console.log('Installing dependencies…');
  const npm = spawnSync('npm', ['ci'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (npm.status !== 0) process.exit(npm.status ?? 1);
}

const child = spawnSync(
  process.execPath,
  ['--import', 'tsx', path.join(root, String(script)), ...args],
  { cwd: root, stdio: 'inherit' },
);
process.exit(child.status ?? 1);
