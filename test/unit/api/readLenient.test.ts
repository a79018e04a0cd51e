import { assert } from 'chai';
import * as fc from 'fast-check';
import { shapes, type Lenient } from '../../../src/api/generated/shapes';
import { readLenient } from '../../../src/api/readLenient';
import { covers } from '../covers';
import { shortOrLong } from '../long';

describe('readLenient', () => {
  it('leaves out null, and reports values of another type', () => {
    const { value, leftOut } = readLenient('AlertListing', {
      canManage: 'yes',
      rules: [
        {
          id: 'r1',
          name: null,
          enabled: 1,
          observedValue: '7',
          condition: { metric: 7, threshold: 2 },
        },
        null,
        'rule',
        { id: 'r2', httpCheck: [] },
      ],
      destinations: [{ categories: ['health', null, 7], enabled: true }],
      providers: { smtp: true, webhook: null, 'chat-a': 'on', pager: 'kept' },
      workloads: {},
    });
    assert.deepEqual<unknown>(value, {
      rules: [{ id: 'r1', condition: { threshold: 2 } }, { id: 'r2' }],
      destinations: [{ categories: ['health'], enabled: true }],
      providers: { smtp: true, pager: 'kept' },
    });
    assert.sameMembers(
      [...leftOut],
      [
        'canManage',
        'rules[0].enabled',
        'rules[0].observedValue',
        'rules[0].condition.metric',
        'rules[2]',
        'rules[3].httpCheck',
        'destinations[0].categories[2]',
        'providers.chat-a',
        'workloads',
      ],
    );
  });

  it('leaves out blank texts, also of lists, without a report', () => {
    const deployment = { id: 'd1', errorCode: '', errorMessage: ' \t\n', hostname: '\ufeff' };
    const { value, leftOut } = readLenient('DeploymentListing', { deployments: [deployment] });
    assert.deepEqual<unknown>(value, { deployments: [{ id: 'd1' }] });
    assert.deepEqual<unknown>(
      readLenient('SecretListing', { environments: ['', 'production', ' '], extra: '' }).value,
      { environments: ['production'], extra: '' },
    );
    assert.lengthOf(leftOut, 0);
  });

  it('keeps unknown members, and all members of an open object', () => {
    const json = {
      sync: { anything: [1, null, { deep: true }], nothing: null },
      queuePosition: 7,
      extra: null,
    };
    const { value, leftOut } = readLenient('SyncResponse', json);
    assert.deepEqual<unknown>(value, json);
    assert.lengthOf(leftOut, 0);
  });

  it('returns an empty object for an empty one', () => {
    for (const name of Object.keys(shapes) as (keyof Lenient)[]) {
      assert.deepEqual(readLenient(name, {}), { value: {}, leftOut: [] });
    }
  });

  it('reports at most twenty paths', () => {
    const integrations = Array<number>(1000).fill(7);
    assert.lengthOf(readLenient('IntegrationListing', { integrations }).leftOut, 20);
  });

  it(`handles __proto__, huge numbers and depth ${covers('F59', 'unit')}`, () => {
    const deep = '['.repeat(20_000) + ']'.repeat(20_000);
    const text = `{
      "__proto__": { "polluted": true },
      "constructor": { "prototype": { "polluted": true } },
      "sync": { "__proto__": { "polluted": true }, "deep": ${deep}, "big": 90071992547409931 },
      "localization": { "__proto__": { "timeZone": "UTC" }, "timeZone": ${deep}, "toString": 7 }
    }`;
    const { value, leftOut } = readLenient('SyncResponse', JSON.parse(text) as object);
    assert.isUndefined(({} as Record<string, unknown>)['polluted']);
    assert.strictEqual(Object.getPrototypeOf(value), Object.prototype);
    assert.strictEqual(Object.getPrototypeOf(value.localization), Object.prototype);
    assert.isUndefined(value.localization?.timeZone);
    // What is too deep is text, so that everything can be written as JSON.
    assert.isBelow(JSON.stringify(value, null, 2).length, 10_000);
    assert.deepEqual(leftOut, ['localization.timeZone']);
    const huge = readLenient(
      'PreviewReportingResponse',
      JSON.parse('{"attempted": 1e999, "failed": 9007199254740993, "succeeded": -0.0}') as object,
    );
    assert.isUndefined(huge.value.attempted);
    assert.strictEqual(huge.value.failed, 9007199254740992);
  });

  it(`never throws, and reads its own result without loss ${covers('F59', 'unit')}`, () => {
    const names = fc.constantFrom(...(Object.keys(shapes) as (keyof Lenient)[]));
    const members = [...new Set(JSON.stringify(shapes).match(/\w+(?=":)/g) ?? []), '__proto__'];
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 6 },
        fc.jsonValue({ maxDepth: 1 }),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...members), tie('tree'), { maxKeys: 8 }),
      ),
    }));
    const objects = fc.dictionary(fc.constantFrom(...members), tree, { maxKeys: 8 });
    fc.assert(
      fc.property(names, objects, (name, json) => {
        const { value } = readLenient(name, JSON.parse(JSON.stringify(json)) as object);
        const again = readLenient(name, value);
        assert.deepEqual<unknown>(again.value, value);
        assert.lengthOf(again.leftOut, 0);
      }),
      { numRuns: shortOrLong(300, 2000) },
    );
  });
});
