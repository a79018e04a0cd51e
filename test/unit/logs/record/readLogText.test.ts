import { assert } from 'chai';
import fc from 'fast-check';
import { createFormatter, type LogLine } from '../../../../src/logs/record/logLine';
import { entriesOf, foldsOf, logText } from '../../../../src/logs/record/readLogText';
import { anyText } from '../anyText';
import { sampleRecord } from '../sampleRecord';

const format = createFormatter({ timeZone: 'utc', showAttributes: false });
const records = Array.from({ length: 2500 }, (_, index) =>
  sampleRecord({ eventId: `${index}`, body: `line ${index}` }),
);
const lineLength = format(sampleRecord({ body: 'line 1234' })).length;

async function textOf(maxLength: number) {
  let pauses = 0;
  const marker = (count: number): LogLine => ({
    timestamp: '2026-11-20T12:00:00Z',
    level: 'warning',
    text: `left out ${count}`,
  });
  const text = await logText(records, format, maxLength, marker, () => {
    pauses++;
    return Promise.resolve();
  });
  return { text, lines: text.split('\n'), pauses };
}

describe('the text of records', () => {
  it('has all of them in their order, and lets others have their turn', async () => {
    const { text, pauses } = await textOf(Infinity);
    assert.equal(text, records.map(format).join(''));
    assert.equal(pauses, 2);
  });

  it('has the newest if there are too many, and says how many are missing', async () => {
    const { lines } = await textOf(10 * lineLength);
    assert.lengthOf(lines, 12);
    assert.include(lines[0], '[warning] [control plane] left out 2490');
    assert.include(lines[1], 'line 2490');
    assert.include(lines[10], 'line 2499');
  });

  it('has the newest record however long it is', async () => {
    const { lines } = await textOf(1);
    assert.include(lines[1], 'line 2499');
  });
});

function linesOf(...bodies: string[]): string[] {
  return bodies
    .map((body) => format(sampleRecord({ body, severity: 'fatal' })))
    .join('')
    .split('\n');
}

describe('the entries of a text', () => {
  it('are its records with all of their lines', () => {
    const lines = linesOf('one', 'two\nmore\n\nend', 'three [error] [x] y');
    assert.deepEqual(
      entriesOf(lines).map(({ first, last, text }) => [first, last, text]),
      [
        [0, 0, 'FATAL one'],
        [1, 4, 'FATAL two'],
        [5, 5, 'FATAL three [error] [x] y'],
      ],
    );
    const [entry] = entriesOf(lines);
    assert.include(entry, { time: '2026-11-20 12:00:00.123', level: 'error', source: 'web-api' });
  });

  it('are found whatever the bodies hold', () => {
    fc.assert(
      fc.property(fc.array(anyText(40), { maxLength: 5 }), (bodies) => {
        const entries = entriesOf(linesOf(...bodies));
        assert.lengthOf(entries, bodies.length);
      }),
    );
  });

  it('have an invalid time unchanged', () => {
    const lines = format(sampleRecord({ timestamp: 'once upon' })).split('\n');
    assert.equal(entriesOf(lines)[0]?.time, 'once upon');
  });

  it('are not mixed with other lines', () => {
    assert.isEmpty(entriesOf(['', '    at run', 'a line', '[error] [x] y']));
  });
});

describe('what can be folded', () => {
  const foldsIn = (body: string): number[][] => {
    const lines = linesOf(body);
    return entriesOf(lines).flatMap((entry) =>
      foldsOf(entry, lines).map(({ first, last }) => [first, last]),
    );
  };

  it('is nothing in a single line', () => {
    assert.isEmpty(foldsIn('one'));
  });

  it('is an entry behind its first line', () => {
    assert.deepEqual(foldsIn('a\nb\nc'), [[0, 2]]);
  });

  it('is a stack trace behind the line that it belongs to', () => {
    const trace =
      'failed\nError: no\n    at run (src/a.ts:1:2)\n    at <anonymous>\n    at go (b.ts:3:4)';
    assert.deepEqual(
      foldsIn(`${trace}\nCaused by: x\n    at y (c.ts:5:6)\n    at z (d.ts:7:8)\nend`),
      [
        [0, 8],
        [1, 4],
        [5, 7],
      ],
    );
  });

  it('is a stack trace with its lines of code', () => {
    const trace =
      'failed\nTraceback:\n  File "/app/a.py", line 1, in go\n    run()\n  File "/app/b.py", line 2, in run\n    fail()\nValueError: no';
    assert.deepEqual(foldsIn(trace), [
      [0, 6],
      [1, 4],
    ]);
  });

  it('is not the same twice where the whole entry is a stack trace', () => {
    assert.deepEqual(foldsIn('Error: no\n    at run (src/a.ts:1:2)\n    at go (b.ts:3:4)'), [
      [0, 2],
    ]);
  });
});
