import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createCore } from '../../control-plane/core';
import { demoCommits, demoFolder, textAtCommit } from '../../control-plane/releases';
import { createStackTraces } from '../../control-plane/stackTraces';
import { createDemoRepository } from '../../demo/repository';

const lineOf = (body: string, file: string): number =>
  Number(new RegExp(`${file}:(\\d+)`).exec(body)?.[1]);

describe('the history of the demo workspace', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'demo-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('ends with the files of the demo workspace', async () => {
    const releases = await createDemoRepository(path.join(folder, 'shop'));
    const { stdout } = await promisify(execFile)('git', ['log', '--format=%H %s', '--reverse'], {
      cwd: path.join(folder, 'shop'),
    });
    const lines = stdout.trim().split('\n');
    expect(lines.map((line) => line.slice(41))).to.eql(demoCommits.map(({ message }) => message));
    // The last commit is not deployed.
    expect(releases.map(({ sha }) => sha)).to.eql(
      [2, 1, 0].map((index) => lines[index]?.slice(0, 40)),
    );
    const [file] = demoCommits.flatMap(({ edits }) => edits.map((edit) => edit.file));
    expect(await readFile(path.join(folder, 'shop', file!), 'utf8')).to.equal(
      await readFile(path.join(demoFolder, file!), 'utf8'),
    );
  });

  it('moves the lines that stack traces name', () => {
    const [now, before] = [3, 2].map(
      (commit) => createStackTraces(commit).find(({ workload }) => workload === 'web-api')!.body,
    );
    expect(lineOf(now!, 'orders.ts')).to.equal(lineOf(before!, 'orders.ts') + 1);
    expect(textAtCommit('web-api/src/pricing.ts', 0)).not.to.contain('SPRING');
  });

  it('gives each record the deployment that ran at its time, and the crashes of its commit', () => {
    const releases = [3, 10, 40].map((hoursAgo, index) => ({
      sha: String(index).repeat(40),
      commit: 2 - index,
      hoursAgo,
    }));
    const { world, store } = createCore({ seed: 5, live: false, releases }, () =>
      Promise.resolve(),
    );
    const all = Array.from({ length: store.end }, (_, number) => store.at(number));
    const records = all.filter(({ previewId }) => previewId === null);
    const webApi = world.workloads.find(({ name }) => name === 'web-api')!;
    expect(
      new Set(records.filter((one) => one.workloadId === webApi.id).map((one) => one.deploymentId)),
    ).to.have.all.keys(...webApi.releaseIds);
    const crashed = records.filter(({ body }) => body.includes("reading 'percent'"));
    expect(crashed.length).to.be.greaterThan(0);
    expect(new Set(crashed.map(({ deploymentId }) => deploymentId))).to.have.all.keys(
      webApi.releaseIds[0]!,
    );
  });
});
