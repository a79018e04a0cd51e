import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
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
    const output = parent.stdout!.setEncoding('utf8');
    let text = '';
    output.on('data', (more: string) => (text += more));
    while (!text.includes('Ctrl+C')) await once(output, 'data');
    const [url = ''] = /http:\/\/[\d.:]+/.exec(text) ?? [];
    assert.equal((await fetch(`${url}/v1/api/integrations`)).status, 401);
    const closed = once(output, 'close');
    parent.kill('SIGKILL');
    // The pipe closes when the last process that can write to it has ended.
    await closed;
    const failed: unknown = await fetch(url).catch((error: unknown) => error);
    assert.instanceOf(failed, TypeError);
  });
});
