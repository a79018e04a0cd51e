import { assert } from 'chai';
import { createFormatter } from '../../../../src/logs/record/format';
import { logText } from '../../../../src/logs/record/logText';
import { sampleRecord } from '../sampleRecord';

const format = createFormatter({ timeZone: 'utc', showAttributes: false });
const records = Array.from({ length: 2500 }, (_, index) =>
  sampleRecord({ eventId: `${index}`, body: `line ${index}` }),
);
const lineLength = format(sampleRecord({ body: 'line 1234' })).length;

async function textOf(maxLength: number) {
  let pauses = 0;
  const result = await logText(records, {
    format,
    maxLength,
    leftOutMarker: (count) => ({
      timestamp: '2026-11-20T12:00:00Z',
      level: 'warning',
      text: `left out ${count}`,
    }),
    pause() {
      pauses++;
      return Promise.resolve();
    },
  });
  return { ...result, lines: result.text.split('\n'), pauses };
}

describe('the text of records', () => {
  it('has all of them in their order, and lets others have their turn', async () => {
    const { text, leftOut, pauses } = await textOf(Infinity);
    assert.equal(text, records.map(format).join(''));
    assert.equal(leftOut, 0);
    assert.equal(pauses, 2);
  });

  it('has the newest where there are too many, and says how many there are not', async () => {
    const { lines, leftOut } = await textOf(10 * lineLength);
    assert.equal(leftOut, 2490);
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
