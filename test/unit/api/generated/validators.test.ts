import { Ajv2020, type ErrorObject } from 'ajv/dist/2020';
import { assert } from 'chai';
import * as fc from 'fast-check';
import * as generated from '../../../../src/api/generated/validators';
import { validatorOf } from '../../../../src/api/jsonSchema';
import contract from '../../../../src/api/openapi.json';
import { readLogAnswer, readLogPage } from '../../../../src/api/readLogPage';
import { covers } from '../../covers';
import { sampleRecord } from '../../logs/sampleRecord';
import { shortOrLong } from '../../long';
import { page as emptyPage, queryAnswer, queryFilters, tailFilters, uuid } from '../cannedAnswers';

type Schema = Record<string, unknown>;

const schemas: Record<string, Schema> = contract.components.schemas;

/** ajv with the complete contract. */
const ajv = new Ajv2020({ strict: false, messages: false, validateFormats: false });
for (const [name, schema] of Object.entries(schemas)) {
  const text = JSON.stringify(schema).replaceAll('#/components/schemas/', '');
  ajv.addSchema({ ...(JSON.parse(text) as Schema), $id: name });
}

const record = sampleRecord({ previewId: uuid, attributes: { user: '1', 'a/b~c': '2' } });
const page = { ...emptyPage, records: [record, record] };
const timestamp = {
  date: 'd',
  time: null,
  dateTime: 'd',
  timeZone: 'UTC',
  zoneLabel: 'UTC',
  epochMilliseconds: 1,
  inputDateTime: null,
};
const localization = { ...queryAnswer.localization, timestamps: { created: timestamp } };

/** A valid value of each schema that is validated strictly. */
const valid = {
  LogQueryRequest: {
    filters: queryFilters,
    limit: 500,
    cursor: 'c',
    direction: 'newer',
  },
  LogTailRequest: { filters: tailFilters, cursor: 'c' },
  CleanupRequest: { items: [{ name: 'a' }] },
  ErrorResponse: { error: { code: 'c', message: 'm', requestId: 'r' } },
} as const;

/** Replacements of a member or an item. */
const junk = fc.oneof(
  fc.constantFrom(null, true, 0, -1, 1.5, 501, 'x', '', 'x'.repeat(513), 'x'.repeat(8193)),
  fc.constantFrom([], {}, [null], { a: 1 }, Array(9).fill({}), Array(51).fill(uuid), [uuid, 'no']),
  fc.constantFrom('production', 'trace', 'older', 'and', '2023-02-29T00:00:00Z', uuid, [record, 1]),
);

/** The paths in a value, as lists of keys. */
function places(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).flatMap(([key, child]) => places(child, [...path, key]));
  return [path, [...path, 'unknown'], ...inner];
}

function changed(value: unknown, path: string[], to: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return to;
  const copy: Record<string, unknown> = Array.isArray(value)
    ? (Object.assign([], value) as unknown as Record<string, unknown>)
    : { ...(value as object) };
  if (rest.length === 0 && to === undefined) Reflect.deleteProperty(copy, key);
  else copy[key] = changed(copy[key], rest, to);
  return copy;
}

/** The same value with one or two faults. */
function broken(value: object): fc.Arbitrary<unknown> {
  const fault = fc.tuple(fc.constantFrom(...places(value)), fc.option(junk, { nil: undefined }));
  return fc
    .array(fault, { minLength: 1, maxLength: 2 })
    .map((faults) =>
      faults.reduce<unknown>(
        (now, [path, to]) =>
          typeof now === 'object' && now !== null ? changed(now, path, to) : now,
        value,
      ),
    );
}

/** The value after a round trip through JSON. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));

/** The members and indexes that lead to an error of ajv. */
function pathOf({ instancePath, params }: ErrorObject): string[] {
  const { missingProperty, additionalProperty } = params as Record<string, string | undefined>;
  return [
    ...instancePath
      .split('/')
      .slice(1)
      .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~')),
    ...[missingProperty ?? additionalProperty ?? []].flat(),
  ];
}

const often = { numRuns: shortOrLong(200, 1000) };

describe('the generated validators', () => {
  for (const [name, value] of Object.entries(valid)) {
    const ours = generated[name as keyof typeof valid] as generated.Validator<unknown>;

    it(`${name} reports the same as ajv for a value with one or two faults, and none without ${covers('F11', 'unit')}`, () => {
      assert.isTrue(ours(value), JSON.stringify(ours.problemOf(value)));
      fc.assert(
        fc.property(broken(value), (one) => {
          const theirs = ajv.getSchema(name)!;
          assert.strictEqual(ours(one), theirs(one));
          const [expected] = theirs(one) ? [] : theirs.errors!;
          const { path, keyword, ...allowed } = ours.problemOf(one) ?? {};
          assert.strictEqual(keyword, expected?.keyword);
          assert.deepEqual(path, expected && pathOf(expected));
          if (expected?.keyword === 'enum') {
            assert.deepEqual(allowed, { values: expected.params['allowedValues'] as unknown });
          } else if ('limit' in allowed || 'type' in allowed) {
            assert.include(expected?.params, allowed);
          }
        }),
        often,
      );
    });
  }

  it('refer only to schemas that exist', () => {
    assert.throws(() => validatorOf({}, 'Nothing')(1), 'There is no schema Nothing.');
  });
});

/** Whether no text of a page is so long that it is cut or refused: the contract has no bounds for these. */
function hasShortTexts(page: unknown): boolean {
  const json = JSON.stringify(page);
  return !/"(?:timestamp|ingestedAt)":"[^"]{65}/.test(json) && !/"[^",:]{513}/.test(json);
}

describe('readLogPage and readLogAnswer', () => {
  it(`return a page unchanged exactly if ajv accepts it ${covers('F11', 'unit')}`, () => {
    const isTaken = (one: unknown): boolean => {
      try {
        return readLogPage(one) === one;
      } catch {
        return false;
      }
    };
    assert.isTrue(isTaken(page));
    fc.assert(
      fc.property(broken(page).map(asJson).filter(hasShortTexts), (one) => {
        assert.strictEqual(isTaken(one), ajv.validate('LogPage', one));
      }),
      often,
    );
  });

  it(`return the response to a search unchanged if ajv accepts it ${covers('F11', 'unit')}`, () => {
    const answer = { ...page, localization };
    assert.deepEqual<unknown>(readLogAnswer(answer), answer);
    fc.assert(
      fc.property(broken(answer).map(asJson).filter(hasShortTexts), (one) => {
        if (ajv.validate('LogQueryResponse', one)) assert.deepEqual(readLogAnswer(one), one);
      }),
      often,
    );
  });
});
