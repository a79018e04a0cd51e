import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { assert } from 'chai';
import type { LogRecord } from '../../../src/api/types';
import { demoFolder } from '../../control-plane/releases';
import { createStackTraces, tracedLines } from '../../control-plane/stackTraces';
import { Harness } from './harness';

describe('The workspace of the embedded control plane', () => {
  let harness: Harness;
  before(() => {
    harness = Harness.inMemory({ historyRecords: 20_000 });
  });
  after(() => harness.server.close());

  it('generates the same data for the same seed, and other data for another seed', async () => {
    const of = async (seed: number): Promise<unknown> => {
      const other = Harness.inMemory({ seed, historyRecords: 300 });
      const { world, admin, keys } = other.server;
      const [, page] = [admin.emit(50), await other.query({ limit: 500 })];
      const secrets = await other.ask(`/sources/${world.sources[0]?.id}/secrets`);
      await other.server.close();
      const { accessRevision: _, followCursor: __, nextCursor: ___, ...rest } = page;
      return { world, keys: Object.keys(keys), page: rest, secrets: secrets.json };
    };
    const one = await of(7);
    assert.deepEqual(await of(7), one);
    assert.notDeepEqual(await of(8), one);
  });

  it('logs with the deployment that runs', async () => {
    const other = Harness.inMemory();
    const { world, admin } = other.server;
    const { id, name, deploymentId } = world.workloads.find((one) => one.name === 'web-api')!;
    const logged = (): unknown =>
      admin.emit([{ workloadName: name, previewId: null }])[0]?.deploymentId;
    const next = admin.deploy(id, {}, [{ afterSeconds: 0, state: 'building' }]);
    assert.equal(logged(), deploymentId);
    admin.change(next, { state: 'succeeded' });
    assert.equal(logged(), next);
    await other.server.close();
  });

  describe('logs', () => {
    let records: LogRecord[];
    before(() => {
      records = harness.server.admin.emit(20_000);
    });

    it('come from every workload, in every severity, from both streams and environments', () => {
      const values = (member: keyof LogRecord): number =>
        new Set(records.map((record) => record[member])).size;
      assert.equal(values('workloadName'), 12);
      assert.equal(values('severity'), 7);
      assert.equal(values('stream'), 2);
      assert.equal(values('environment'), 2);
      assert.equal(values('eventId'), records.length);
    });

    it('share traces across workloads and carry attributes, ANSI, JSON and hostile text', () => {
      const byTrace = new Map<string, Set<string>>();
      for (const { traceId, workloadName } of records) {
        if (traceId === null) continue;
        byTrace.set(traceId, (byTrace.get(traceId) ?? new Set()).add(workloadName));
      }
      assert.isAbove(Math.max(...[...byTrace.values()].map(({ size }) => size)), 4);
      const some = (test: (record: LogRecord) => boolean): void =>
        assert.isTrue(records.some(test), String(test));
      some(({ attributes }) => 'http.route' in attributes);
      some(({ body }) => body.includes('\u001b[32m'));
      some(({ body }) => body.startsWith('{"msg":'));
      some(({ body }) => body.includes('\u202e'));
      some(({ body }) => body.includes('(command:'));
      some(({ truncated }) => truncated);
    });

    it('contain crashes in eight languages, at lines of the demo workspace', async () => {
      const traces = createStackTraces();
      const lines = tracedLines();
      const extensions = new Set(lines.map(({ file }) => path.extname(file)));
      const wanted = ['.ts', '.js', '.py', '.java', '.go', '.rb', '.cs', '.rs'];
      assert.sameMembers([...extensions], wanted);
      for (const { workload, file, line } of lines) {
        const absolute = path.join(demoFolder, file);
        assert.isTrue(existsSync(absolute), file);
        const text = (await readFile(absolute, 'utf8')).split('\n')[line - 1] ?? '';
        assert.isNotEmpty(text.trim(), `${file}:${line}`);
        const body = traces.find((trace) => trace.workload === workload)?.body ?? '';
        assert.match(
          body,
          new RegExp(`${path.basename(file).replace('.', '\\.')}(?::|:line |", line )${line}\\b`),
        );
      }
      for (const { workload } of traces) {
        assert.isTrue(
          records.some((record) => record.workloadName === workload && record.body.includes('\n')),
          workload,
        );
      }
    });
  });
});
