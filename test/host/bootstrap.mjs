// Runs a TypeScript file of this repository on a fresh clone: installs the dependencies first if
// they are missing or not what the lock file says. Plain JavaScript, since nothing is installed yet.
// The script runs in this process, so that a signal reaches it and nothing keeps running after it.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const [script, ...args] = process.argv.slice(2);
process.chdir(root);

/** What a lock file says is installed: the version of each path below node_modules. */
function packages(file) {
  try {
    return JSON.parse(readFileSync(path.join(root, file), 'utf8')).packages ?? {};
  } catch {
    return {};
  }
}

/**
 * Ends this process when the one that started it is gone. npm passes a signal to its shell, which ends
 * without passing it on, so this process sees only that it has another parent.
 */
function endWithParent() {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
  }, 500).unref();
}

const installed = packages('node_modules/.package-lock.json');
const complete = Object.entries(packages('package-lock.json')).every(
  ([where, { version, optional, devOptional }]) =>
    where === '' || optional || devOptional || installed[where]?.version === version,
);
if (!complete) {
  console.log('Installing dependencies…');
  // What npm warns of, such as a deprecated dependency of a dependency, is no news to a newcomer.
  const npm = spawnSync('npm', ['ci', '--loglevel=error'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (npm.status !== 0) process.exit(npm.status ?? 1);
}

// Without a script it only installs.
if (script) {
  endWithParent();
  const file = path.join(root, script);
  process.argv = [process.execPath, file, ...args];
  await import('tsx');
  await import(pathToFileURL(file).href);
}
