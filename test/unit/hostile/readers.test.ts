import { assert } from 'chai';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { covers } from '../covers';
import { isLong, shortOrLong } from '../long';
import { logOthers, logReaders } from './logReaders';
import { others as textOthers, readers as textReaders } from './readers';
import { roomOthers, roomReaders } from './roomReaders';
import { hostileShapes, shapeCount } from './shapes';

/** Milliseconds of processor time for a text, on the machine where `reference` was measured. */
const most = 50;
/** How much longer four times the text may take, where it takes longer than that: 4 is linear, 16 is not. */
const mostGrowth = 8;
/** Milliseconds that `fixedWork` takes there. */
const reference = 10;

/** Milliseconds of processor time, which other programs do not lengthen as much as time. */
function costOf(work: () => unknown): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

function bestOf(times: number, work: () => unknown): number {
  return Math.min(...Array.from({ length: times }, () => costOf(work)));
}

/** What readers do: a pattern walks through a text, and small texts and objects are made. */
function fixedWork(): unknown {
  const found: { readonly text: string; readonly at: number }[] = [];
  for (const { 0: text, index } of 'a=b c="d" '.repeat(10_000).matchAll(/(\w)=("?)(\w)\2/g)) {
    found.push({ text: text.toUpperCase(), at: index });
  }
  return new Map(found.map((one) => [one.text + String(one.at % 1000), one])).size;
}

/** Shapes that took seconds once. They are read first, and each time. */
const known = new Set([
  'largeTemplateValue of "a"',
  'exceptions of "a"',
  'timestamp of "0"',
  'runs of "?"',
  'path of "/"',
  'path of "/v1/api"',
  'firstLine of "?"',
  String.raw`runs of "\"\"\""`,
  'runs of "{0}"',
  'runs of ".log"',
  'runs of "logger.warn "',
]);

/** The core of every room. What VS Code shows has its tests there, and a table says nothing of its own. */
const isOfCore = (file: string): boolean =>
  file.endsWith('.ts') && !/\.d\.ts$|^vscode\/|\/ui\/|\/generated\/|^extension\.ts$/.test(file);

const readers = { ...textReaders, ...logReaders, ...roomReaders };
const others = [textOthers, logOthers, roomOthers].flatMap((one) => Object.values(one));

const load = createRequire(__filename);

function functionsOf(module: unknown): string[] {
  return Object.entries(module ?? {}).flatMap(([name, one]) =>
    typeof one === 'function' ? [name] : [],
  );
}

describe('Readers of text', () => {
  it('are all walked: each exported function is a reader here, or takes no text', () => {
    const source = path.join(__dirname, '../../../src');
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
      .map((file) => file.replaceAll(path.sep, '/'))
      .filter(isOfCore)
      .map((file) => file.slice(0, -3));
    const exported: string[] = [];
    for (const module of files) {
      const names = functionsOf(load(path.join(source, module)));
      exported.push(...names.map((name) => `${module} ${name}`));
    }
    const listed = others.flatMap((ofModule) =>
      Object.entries(ofModule).flatMap(([module, names]) =>
        names.split(' ').map((name) => `${module} ${name}`),
      ),
    );
    const all = [...Object.keys(readers), ...listed];
    const without = (some: string[], these: string[]) => some.filter((one) => !these.includes(one));
    assert.deepEqual(without(exported, all), [], 'are missing');
    assert.deepEqual(without(all, exported), [], 'are gone');
  });

  it(`read hostile texts of 64 Ki in ${most} ms and throw nothing ${covers('F59, F76, F90', 'unit')}`, () => {
    const shapes = hostileShapes();
    assert.lengthOf(shapes, shapeCount);
    const slow: string[] = [];
    const first = shapes.filter(({ name }) => known.has(name));
    assert.sameMembers([...new Set(first.map(({ name }) => name))], [...known]);
    const some = shapes.filter((_, index) => isLong || index % 100 === 7);
    for (const shape of [...first, ...some]) {
      const text = shape.make();
      for (const [name, read] of Object.entries(readers)) {
        if (costOf(() => read(text)) < most) continue;
        // Code that is not compiled yet is slower, and so is a busy machine: a reader that only such a
        // machine makes slow still takes some four times as long for four times the text.
        const speed = Math.max(1, bestOf(3, fixedWork) / reference);
        const part = shape.make(Math.floor(text.length / 4));
        let [cost, parts] = [Infinity, Infinity];
        const growth = (): number => (4 * cost) / parts;
        const isFarTooSlow = (): boolean => cost >= 10 * most * speed;
        // The cost only falls: what is below the bound once cannot be slow.
        const isCostly = (): boolean => cost >= most * speed;
        const isSlow = (): boolean => isCostly() && (growth() >= mostGrowth || isFarTooSlow());
        // More often if it may be slow: garbage is collected in some of the measurements, and in the least it is not.
        const isOpen = (tries: number): boolean =>
          tries < 3 ? isCostly() : tries < 30 && isSlow() && !isFarTooSlow();
        for (let tries = 0; isOpen(tries); tries++) {
          cost = Math.min(
            cost,
            costOf(() => read(text)),
          );
          // Four parts make as much garbage as the whole, which takes its time, too.
          parts = Math.min(
            parts,
            costOf(() => [1, 2, 3, 4].forEach(() => read(part))),
          );
        }
        if (!isSlow()) continue;
        slow.push(`${name}, ${shape.name}: ${cost.toFixed(0)} ms, ×${growth().toFixed(1)} for ×4`);
      }
    }
    assert.deepEqual(slow, []);
  }).timeout(shortOrLong(120_000, 3_600_000));
});
