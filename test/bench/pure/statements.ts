import type { LogRecord } from '../../../src/api/types';
import { findStatements } from '../../../src/logs/calls/findStatements';
import { StatementIndex } from '../../../src/logs/calls/statementIndex';
import type { Figure } from '../figures';
import { interleave, median } from '../statistics';

const files = 2000;
const callsInFile = 10;

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

/** The index of the logging calls of a workspace, from texts: reading the files is up to the disk. */
export async function statements(
  [sample]: readonly LogRecord[],
  rounds: number,
): Promise<Figure[]> {
  if (sample === undefined) throw new Error('There is no record.');
  const texts = Array.from({ length: files }, (_, file) => {
    const text = fileText(file);
    return () => text;
  });
  const body = 'order1200x7 ord_123 was not handled in eu after 3 attempts';
  const record = { ...sample, severity: 'warn', body } satisfies LogRecord;
  let built = build(texts);
  const measured = await interleave(
    {
      index: () => timed(() => void (built = build(texts))),
      find: () =>
        timed(() => {
          if (built.find(record).length !== 1) throw new Error('The statement is not found.');
        }),
    },
    { rounds, warmUp: 1 },
  );
  const before = heapInMegabytes();
  // The texts are not kept, as those of files are not.
  const held = build(Array.from({ length: files }, (_, file) => () => fileText(file)));
  const heap = heapInMegabytes() - before;
  return [
    {
      what: `${files.toLocaleString('en')} files, ${held.size.toLocaleString('en')} logging calls: the index`,
      measure: 'ms',
      ours: median(measured.index),
      result: median(measured.index) / 1000,
      unit: 's',
      goal: { is: '≤', value: 5 },
    },
    {
      what: '…its memory',
      measure: 'MB',
      ours: heap,
      result: heap,
      unit: 'MB',
      goal: { is: '≤', value: 50 },
    },
    {
      what: '…the call that fits a record',
      measure: 'ms',
      ours: median(measured.find),
      result: median(measured.find),
      unit: 'ms',
    },
  ];
}

function build(texts: readonly (() => string)[]): StatementIndex {
  const index = new StatementIndex();
  for (const [file, text] of texts.entries()) {
    index.set(`file:///workspace/src/file${file}.ts`, findStatements(text(), 'typescript'));
  }
  if (index.size !== texts.length * callsInFile) throw new Error('Not all calls were found.');
  return index;
}

function timed(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function heapInMegabytes(): number {
  if (!globalThis.gc) throw new Error('Run this with --expose-gc.');
  for (let time = 0; time < 3; time++) globalThis.gc();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}
