import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { assert } from 'chai';
import { scaled } from '../../host/slowness';

const root = path.resolve(__dirname, '../../..');

/** Starts `npm run control-plane` as npm does, below a process that does not pass on signals. */
const parentScript = `
  const { spawn } = require('node:child_process');
  spawn(process.execPath, ['test/host/bootstrap.mjs', 'test/control-plane/main.ts', '--port', '0'], {
    stdio: 'inherit',
  });
  setInterval(() => {}, 1000);
`;

describe('A program of this repository', function () {
  this.timeout(scaled(60_000));
  let parent: ChildProcess | undefined;

  after(() => parent?.kill('SIGKILL'));

  it('ends when the process that started it has ended', async () => {
    parent = spawn(process.execPath, ['-e', parentScript], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (!parent.stdout) throw new Error('The output of the program is not a pipe.');
    const url = await urlOf(parent.stdout);
    assert.equal((await fetch(`${url}/v1/api/integrations`)).status, 401);
    const closed = once(parent.stdout, 'close');
    parent.kill('SIGKILL');
    // The pipe closes when the last process that can write to it has ended.
    await closed;
    await fetch(url).then(
      () => assert.fail('The control plane still answers.'),
      (error: unknown) => assert.instanceOf(error, TypeError),
    );
  });
});

async function urlOf(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const [url] = /http:\/\/[\d.:]+/.exec(line) ?? [];
    if (url) {
      output.resume();
      return url;
    }
  }
  throw new Error('The program has ended without its URL.');
}
