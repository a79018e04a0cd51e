import { assert } from 'chai';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createCore } from '../../control-plane/core';
import { demoCommits, textAtCommit } from '../../control-plane/releases';
import { createStackTraces } from '../../control-plane/stackTraces';
import { createDemoRepository } from '../../demo/repository';

describe('The history of the demo workspace', () => {
  it('has the files of each commit, and its last commit is not deployed', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'demo-'));
    const releases = await createDemoRepository(folder);
    const git = (...args: string[]): string =>
      execFileSync('git', args, { cwd: folder }).toString();
    const hashes = git('log', '--format=%H', '--reverse').trim().split('\n');
    assert.deepEqual(
      releases.map(({ sha }) => sha),
      [2, 1, 0].map((index) => hashes[index]),
    );
    for (const [index, { message, edits }] of demoCommits.entries()) {
      assert.equal(git('log', '-1', '--format=%s', hashes[index]!).trim(), message);
      for (const { file } of edits) {
        assert.equal(git('show', `${hashes[index]}:${file}`), textAtCommit(file, index));
      }
    }
    await rm(folder, { recursive: true });
  });

  it('moves the lines that stack traces name', () => {
    const [now, before] = [3, 2].map((commit) => {
      const { body } = createStackTraces(commit).find(({ workload }) => workload === 'web-api')!;
      return Number(/orders\.ts:(\d+)/.exec(body)?.[1]);
    });
    assert.equal(now, before! + 1);
    assert.notInclude(textAtCommit('web-api/src/pricing.ts', 0), 'SPRING');
  });

  it('gives each record the deployment that ran at its time, and the crashes of its commit', () => {
    const releases = [3, 10, 40].map((hoursAgo, index) => ({
      sha: String(index).repeat(40),
      commit: 2 - index,
      hoursAgo,
    }));
    const core = createCore({ seed: 5, live: false, releases }, () => Promise.resolve());
    const webApi = core.world.workloads.find(({ name }) => name === 'web-api')!;
    const records = core.store
      .all()
      .filter((one) => one.workloadId === webApi.id && one.previewId === null);
    const deploymentsOf = (text: string): unknown[] => {
      const found = records.filter(({ body }) => body.includes(text));
      return [...new Set(found.map(({ deploymentId }) => deploymentId))];
    };
    assert.sameMembers(deploymentsOf(''), [...webApi.releaseIds]);
    assert.deepEqual(deploymentsOf("reading 'percent'"), [webApi.releaseIds[0]]);
  });
});
