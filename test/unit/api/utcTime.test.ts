import { assert } from 'chai';
import * as fc from 'fast-check';
import { type Lenient, type Shape, shapes } from '../../../src/api/generated/shapes';
import { readLenient } from '../../../src/api/readLenient';
import {
  compareTimestamps,
  isTimeSet,
  logWindow,
  utcTime,
  utcTimeOf,
} from '../../../src/api/utcTime';
import { validateLogQuery } from '../../../src/api/validateRequest';
import { day } from '../../../src/base/clock';
import { hasEnded } from '../../../src/data/states';
import { covers } from '../covers';
import { anyText } from '../logs/anyText';

describe('utcTime and utcTimeOf', () => {
  for (const [text, expected] of [
    ['2026-11-20T12:00:00.123456789Z', '2026-11-20T12:00:00.123456789Z'],
    ['2026-11-20T12:00:00Z', '2026-11-20T12:00:00Z'],
    ['2026-11-20T14:00:00.5+02:00', '2026-11-20T12:00:00.500Z'],
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
    ['soon', undefined],
    ['', undefined],
    ['+012026-11-20T12:00:00Z', undefined],
    ['-000001-11-20T12:00:00Z', undefined],
    ['0000-01-01T00:00:00Z', undefined],
    ['2026-13-20T12:00:00Z', undefined],
  ] as const) {
    it(`return ${expected ?? 'undefined'} for ${text} ${covers('F68', 'unit')}`, () => {
      const time = utcTime(text);
      assert.equal(time, expected);
      if (time !== undefined) validateLogQuery({ filters: { from: time, to: time } });
    });
  }

  it(`return undefined for times out of range ${covers('F68', 'unit')}`, () => {
    for (const time of [Number.NaN, Infinity, -Infinity, 8.64e15, -8.64e15, 9e15]) {
      assert.isUndefined(utcTimeOf(time));
    }
    assert.equal(utcTimeOf(0), '1970-01-01T00:00:00.000Z');
  });
});

describe('logWindow', () => {
  it(`has times that filters can name, for any clock ${covers('F83', 'unit')}`, () => {
    for (const time of [
      -8.64e15,
      -7e13,
      0,
      Date.UTC(9999, 11, 31, 23),
      Date.UTC(10000, 0, 1),
      8.64e15,
      9e15,
    ]) {
      const filters = logWindow(time, time + day);
      assert.doesNotThrow(() => validateLogQuery({ filters }), String(time));
    }
  });
});

describe('compareTimestamps', () => {
  const ordered = [
    '2026-11-20T11:59:59.999999999Z',
    '2026-11-20T12:00:00Z',
    '2026-11-20T12:00:00.0001Z',
    '2026-11-20T12:00:00.05Z',
    '2026-11-20T12:00:00.123Z',
    '2026-11-20T12:00:00.123000001Z',
    '2026-11-20T12:00:00.5Z',
    '2026-11-20T12:00:01Z',
  ];

  it('sorts times with fractions of any length', () => {
    ordered.forEach((a, i) =>
      ordered.forEach((b, j) => {
        assert.equal(Math.sign(compareTimestamps(a, b)), Math.sign(i - j), `${a} ${b}`);
      }),
    );
  });

  it('ignores zeros at the end', () => {
    assert.equal(compareTimestamps('2026-11-20T12:00:00.120Z', '2026-11-20T12:00:00.12Z'), 0);
    assert.equal(compareTimestamps('2026-11-20T12:00:00.000Z', '2026-11-20T12:00:00Z'), 0);
  });

  it('compares other formats that can be parsed', () => {
    assert.isBelow(compareTimestamps('2026-11-20T12:00:00+02:00', '2026-11-20T12:00:00Z'), 0);
    assert.isNaN(compareTimestamps('yesterday', '2026-11-20T12:00:00Z'));
  });
});

const unset = [
  ...['', '  ', '0', '-', '0000-00-00T00:00:00Z', '0000-00-00 00:00:00'],
  ...['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000+00:00', '0001-01-01 00:00:00'],
  ...[
    '1970-01-01T00:00:00Z',
    '1970-01-01T01:00:00+01:00',
    '1970-01-01 00:00:00',
    '1753-01-01T00:00:00Z',
  ],
  ...['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.999999Z', '+287168-05-23T16:00:00.000Z'],
  ...['-292275055-05-16T16:47:04.192Z', '292278994-08-17T07:12:55Z'],
];

/** A value of a shape with this text for each time, or without times. */
function filled(shape: Shape, time: string | undefined): unknown {
  if (Array.isArray(shape)) return [filled((shape as readonly [Shape])[0], time)];
  if (typeof shape === 'object') {
    return Object.fromEntries(
      Object.entries(shape)
        .map(([name, member]): [string, unknown] => [name, filled(member, time)])
        .filter(([, value]) => value !== undefined),
    );
  }
  if (shape.startsWith('#')) return filled(shapes[shape.slice(1)] ?? 'o', time);
  return { s: 'text', t: time, n: 7, b: true, o: {} }[shape];
}

const names = Object.keys(shapes) as (keyof Lenient)[];

describe(`isTimeSet ${covers('F68', 'unit')}`, () => {
  for (const text of unset) {
    it(`is false for ${JSON.stringify(text)}, which every response is read without`, () => {
      assert.isFalse(isTimeSet(text));
      for (const name of names) {
        const { value, leftOut } = readLenient(name, filled(shapes[name]!, text) as object);
        assert.deepEqual<unknown>(value, filled(shapes[name]!, undefined));
        assert.lengthOf(leftOut, 0);
      }
    });
  }

  it('is true for all times of a clock, and for other text', () => {
    const bounds = { min: new Date('1970-01-04'), max: new Date('9998-12-31') };
    fc.assert(
      fc.property(
        fc.date({ ...bounds, noInvalidDate: true }),
        fc.constantFrom('Z', '+14:00', '-12:00'),
        (date, zone) => {
          assert.isTrue(isTimeSet(date.toISOString().replace('Z', zone)));
        },
      ),
    );
    for (const text of ['2026-11-20', '2026-11-20T12:00:00', 'Fri, 20 Nov 2026', 'soon', '17']) {
      assert.isTrue(isTimeSet(text), text);
    }
    const value = filled(shapes['DeploymentListing']!, '2026-11-20T12:00:00Z') as object;
    assert.deepEqual<unknown>(readLenient('DeploymentListing', value).value, value);
  });

  it('never counts an unset time as the end of something', () => {
    for (const text of unset) {
      const times = { startedAt: '2026-11-20T12:00:00Z', finishedAt: text, deletedAt: text };
      const operation = { state: 'running', ...times };
      assert.isFalse(hasEnded(readLenient('Operation', operation).value));
      const { deployments = [] } = readLenient('DeploymentListing', {
        deployments: [operation],
      }).value;
      assert.isFalse(hasEnded(deployments[0]!));
    }
  });

  it('never throws for any text', () => {
    fc.assert(
      fc.property(anyText(12), (text) => {
        assert.isBoolean(isTimeSet(text));
      }),
    );
  });
});
