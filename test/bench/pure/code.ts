import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { LogRecord } from '../../../src/api/types';
import { TimeFormat } from '../../../src/base/timeFormat';
import { createNumbers } from '../../../src/base/textFormat';
import { linesIn, type LineMapping, mapLines } from '../../../src/commits/lineMapping';
import { findSuspects } from '../../../src/commits/suspects';
import { findStatements } from '../../../src/logs/calls/findStatements';
import { StatementIndex } from '../../../src/logs/calls/statementIndex';
import type { ErrorKind } from '../../../src/logs/errors/errorKind';
import { lineMarks } from '../../../src/logs/errors/marks';
import { lineText, type MarkTexts } from '../../../src/logs/errors/markText';
import { createGitFolder } from '../../host/gitFolder';
import { GitCommandLine } from '../../unit/commits/gitCommandLine';
import { t } from '../../unit/trees/treeText';
import { figure, type Figure } from '../figures';
import { codeLines, edited, lineCount, markCount, markedLines } from '../markedCode';
import { heapInMegabytes, interleave, milliseconds } from '../timing';

const texts: MarkTexts = {
  t,
  number: createNumbers(t, 'en', 'en').number,
  timeFormat: new TimeFormat(
    () => ({}),
    () => 'utc',
    () => Date.now(),
    'en',
  ),
};

/**
 * The marks of errors in a large file whose deployed commits differ from it: what the host computes when the
 * file is opened, and after a pause of typing. Compared with splitting the same texts into lines.
 */
export async function marks([record]: readonly LogRecord[], rounds: number): Promise<Figure[]> {
  const deployments = 2;
  const now = codeLines();
  const current = now.join('\n');
  const deployed = Array.from({ length: deployments }, (_, index) =>
    edited(now, 40 * (index + 1)).join('\n'),
  );
  const kinds = markedLines().map((line, index) => kindAt(record!, line, index % deployments));
  const spotted = kinds.flatMap((kind) => kind.spots.map((spot) => ({ kind, spot })));
  const times = await interleave(
    {
      split: () => milliseconds(() => void [current, ...deployed].map(linesIn)),
      map: () => {
        const [before, after] = [linesIn(deployed[0] ?? ''), linesIn(current)] as const;
        return milliseconds(() => void mapLines(before, after)(lineCount / 2));
      },
      open: () =>
        milliseconds(() => {
          const lines = linesIn(current);
          const mappings = new Map<string | null, LineMapping>();
          deployed.forEach((text, index) =>
            mappings.set(`${index}`, mapLines(linesIn(text), lines)),
          );
          const found = lineMarks(spotted, ({ line, deploymentId }) => {
            const place = mappings.get(deploymentId)?.(line);
            return place && { ...place, sha: undefined };
          });
          if (found.length < markCount * 0.9) throw new Error(`There are ${found.length} marks.`);
          found.forEach((mark) => lineText(mark, texts));
        }),
    },
    { rounds: rounds * 3, warmUp: 5 },
  );
  const against = ['split into lines', times.split] as const;
  const size = lineCount.toLocaleString('en');
  const [mapped, marked] = [
    `lines of a file of ${size} lines mapped to those of now`,
    `${markCount} marks in it, from ${deployments} deployments`,
  ];
  return [
    figure(mapped, 'ms', times.map, { against, goal: '≤ 5' }),
    figure(marked, 'ms', times.open, { against, goal: '≤ 20' }),
  ];
}

function kindAt(record: LogRecord, line: number, deployment: number): ErrorKind {
  const { workloadId, timestamp: lastSeen } = record;
  const template = `TypeError: no value ${line} (deployment ${deployment})`;
  const at = { file: 'file:///code/large.ts', line, deploymentId: `${deployment}` };
  const spot = { ...at, workloadId, count: 1, lastSeen };
  return {
    ...{ key: template, template, severity: 'error', count: 1, first: record, last: record },
    ...{ messages: [template], records: [record], workloads: [], deployments: [], runs: [] },
    ...{ spots: [spot], change: undefined },
  };
}

/** The index of the logging calls of a workspace, from texts: reading the files is up to the disk. */
export async function statements(
  [sample]: readonly LogRecord[],
  rounds: number,
): Promise<Figure[]> {
  const files = Array.from({ length: 2000 }, (_, file) => fileText(file));
  const body = 'order1200x7 ord_123 was not handled in eu after 3 attempts';
  const record = { ...sample!, severity: 'warn', body } satisfies LogRecord;
  let built = indexOf(files.values());
  const times = await interleave(
    {
      index: () => milliseconds(() => void (built = indexOf(files.values()))) / 1000,
      find: () =>
        milliseconds(() => {
          if (built.find(record).length !== 1) throw new Error('The statement is not found.');
        }),
    },
    { rounds, warmUp: 1 },
  );
  const before = heapInMegabytes();
  // The texts are not kept, as those of files are not.
  const held = indexOf(textsOf(files.length));
  const heap = heapInMegabytes() - before;
  const [count, calls] = [files.length, held.size].map((one) => one.toLocaleString('en'));
  return [
    figure(`${count} files, ${calls} logging calls: the index`, 's', times.index, { goal: '≤ 5' }),
    figure('…its memory', 'MB', heap, { goal: '≤ 50' }),
    figure('…the call that fits a record', 'ms', times.find),
  ];
}

const callsInFile = 10;

function* textsOf(count: number): Generator<string> {
  for (let file = 0; file < count; file++) yield fileText(file);
}

/** The text of a file of 200 lines, with other messages than any other file. */
function fileText(file: number): string {
  const functions = Array.from({ length: callsInFile }, (_, call) => {
    const name = `${['order', 'invoice', 'customer', 'shipment'][file % 4] ?? ''}${file}x${call}`;
    return `
/** Handles what arrives for ${name}; see "the docs" and \`README.md\`. */
export async function handle_${name}(input: Input, options: Options = {}): Promise<Result> {
  const { id, amount, region = 'eu' } = input;
  const parts = id.split('/').map((part) => part.replace(/[^\\w"'-]+/g, '_'));
  // It is retried, but not for ever: 'three' times.
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      const answer = await options.client.post(\`/v1/${name}/\${encodeURIComponent(id)}\`, { amount });
      if (answer.status < 400) return { parts, region, text: "done: '" + answer.text + "'" };
      await delay(attempt * 100);
    } catch (error) {
      if (attempt === 2) throw error;
    }
  }
  logger.warn(\`${name} \${id} was not handled in \${region} after \${options.attempts ?? 3} attempts\`);
  return { parts, region, text: '' };
}
`;
  });
  return functions.join('');
}

function indexOf(files: Iterable<string>): StatementIndex {
  const index = new StatementIndex();
  let count = 0;
  for (const text of files) {
    index.set(`file:///workspace/src/file${count++}.ts`, findStatements(text, 'typescript'));
  }
  if (index.size !== count * callsInFile) throw new Error('Not all calls were found.');
  return index;
}

/** The search for the commit behind an error, in a repository whose commits all change the file of its stack. */
export async function suspects(_: readonly LogRecord[], rounds: number): Promise<Figure[]> {
  const commits = 200;
  const file = 'src/price.ts';
  const folder = await mkdtemp(path.join(os.tmpdir(), 'suspects-'));
  try {
    const repository = await createGitFolder(folder);
    const lines = Array.from({ length: 400 }, (_line, index) => `const value${index} = ${index};`);
    const before = await repository.commit(file, lines.join('\n'));
    let now = before;
    for (let count = 0; count < commits; count++) {
      lines[(count * 7) % lines.length] = `const changed${count} = ${count};`;
      now = await repository.commit(file, lines.join('\n'));
    }
    const reader = new GitCommandLine(repository);
    const places = [{ file, line: ((99 * 7) % lines.length) + 1 }];
    const question = { before, now, message: 'changed99 is not defined', places };
    const search = async (): Promise<void> => {
      const found = await findSuspects(reader, question, new AbortController().signal);
      if (!found?.commits.length) throw new Error('There is no suspect.');
    };
    const { times } = await interleave(
      { times: () => milliseconds(search) },
      { rounds, warmUp: 1 },
    );
    return [figure(`the likely commit of ${commits}`, 'ms', times, { goal: '≤ 1500' })];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
