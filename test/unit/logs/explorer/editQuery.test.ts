import { assert } from 'chai';
import fc from 'fast-check';
import {
  builderOperators,
  applyEdit,
  modelOf,
  shownRange,
} from '../../../../src/logs/explorer/editQuery';
import type { BuilderCondition, Edit } from '../../../../src/logs/explorer/protocol/messages';
import { severities } from '../../../../src/logs/explorer/protocol/view';
import type { NameKind } from '../../../../src/logs/query/fields';
import { canonicalFilter } from '../../../../src/logs/query/narrow';
import { printQuery, parseSearch } from '../../../../src/logs/query/searchQuery';
import { anyText } from '../anyText';
import { anyFilter } from '../query/anyFilter';

const when = { now: Date.parse('2026-11-20T12:00:00Z'), timeZone: 'UTC' };
const web = '6c2b3f91-1d2e-4f30-9b4c-5d6e7f809102';
const twins = ['11111111-1d2e-4f30-9b4c-5d6e7f809102', '22222222-1d2e-4f30-9b4c-5d6e7f809102'];
const known: Record<string, readonly string[]> = {
  'workload web-api': [web],
  'workload twin': twins,
};
const names = {
  when,
  resolve: (kind: NameKind, name: string) => known[`${kind} ${name}`] ?? [],
  nameOf: (kind: NameKind, id: string) =>
    kind === 'workload' && id === web ? 'web-api' : undefined,
};

const model = (text: string) => modelOf(text, names);
function edited(text: string, edit: Edit): string {
  const result = applyEdit(text, edit, names);
  return result.ok ? result.text : `refused: ${result.reason.kind}`;
}
const conditions = (...all: BuilderCondition[]): Edit => ({
  kind: 'conditions',
  match: 'and',
  conditions: all,
});

describe('modelOf', () => {
  it('returns all parts of a query', () => {
    const text =
      'severity:error,fatal workload:web-api attr.user=42 (service^=web -spanId:* workload!=web-api) "x y" last:15m';
    const { query, ...parts } = model(text);
    const meant = parseSearch(text, when, names.resolve);
    assert.deepEqual(query, meant.ok ? meant.query : assert.fail());
    assert.deepEqual(parts, {
      text,
      hasNames: true,
      problems: [],
      pasted: undefined,
      unresolved: [],
      chips: [
        { text: 'severity:error,fatal', joinedBy: 'and' },
        { text: 'workload:web-api', joinedBy: 'and' },
        { text: 'attr.user=42', joinedBy: 'and' },
        { text: 'service^=web', joinedBy: 'and' },
        { text: '-spanId:*', joinedBy: 'and' },
        { text: 'workload!=web-api', joinedBy: 'and' },
        { text: '"x y"', joinedBy: 'and' },
      ],
      severities: ['error', 'fatal'],
      range: { last: '15m' },
      match: 'and',
      conditions: [
        { field: 'service', operator: '^=', value: 'web' },
        { field: 'spanId', operator: '-:*', value: '' },
        { field: 'workload', operator: '!=', value: 'web-api' },
      ],
    });
  });

  it('reports errors and unknown names', () => {
    const { problems, chips } = model('severity:loud');
    assert.deepEqual([problems[0]?.problem.kind, chips], ['unknownValue', []]);
    const { unresolved, chips: named, query } = model('workload:missing');
    assert.equal(unresolved[0]?.name, 'missing');
    assert.isUndefined(query, 'it must not be run');
    assert.deepEqual(named, [{ text: 'workload:missing', joinedBy: 'and' }]);
  });

  it('joins conditions with or', () => {
    const { match, chips } = model('service=a or attr."b c":*');
    assert.equal(match, 'or');
    assert.deepEqual(chips[1], { text: 'attr."b c":*', joinedBy: 'or' });
  });

  it('parses again only what has names', () => {
    for (const [text, hasNames] of [
      ['severity:error "x" last:1h', false],
      [`workload:${web}`, false],
      ['workload:web-api', true],
      ['workload!=missing', true],
    ] as const) {
      let parsed = 0;
      const counting = {
        ...names,
        when: {
          timeZone: 'UTC',
          get now() {
            parsed++;
            return when.now;
          },
        },
      };
      modelOf(`${text} from:1h`, counting);
      const once = parsed / (hasNames ? 2 : 1);
      parsed = 0;
      parseSearch(`${text} from:1h`, counting.when);
      assert.equal(once, parsed, text);
      assert.equal(model(text).hasNames, hasNames, text);
    }
  });

  it('never throws', () => {
    fc.assert(fc.property(anyText(60), (text) => void modelOf(text, names)));
  });
});

describe('shownRange', () => {
  const shown = (from?: string, to?: string, timeZone = 'Europe/Berlin') =>
    shownRange(
      { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) },
      timeZone,
    );

  it('has absolute times in the time zone of the list, and the date once', () => {
    const noon = '2026-11-20T12:00:00.000Z';
    assert.deepEqual(shown(noon), { from: '2026-11-20 13:00' });
    assert.deepEqual(shown(noon, '2026-11-20T12:30:05Z'), {
      from: '2026-11-20 13:00',
      to: '13:30:05',
    });
    assert.deepEqual(shown(noon, '2026-11-20T23:30:00.250Z'), {
      from: '2026-11-20 13:00',
      to: '2026-11-21 00:30:00.250',
    });
    assert.deepEqual(shown(undefined, noon, 'utc'), { to: '2026-11-20 12:00' });
  });

  it('leaves all else as it is in the query', () => {
    assert.deepEqual(shown('yesterday 10:00', '2h'), { from: 'yesterday 10:00', to: '2h' });
    assert.deepEqual(shown('2026-11-20', 'now'), { from: '2026-11-20', to: 'now' });
    assert.deepEqual(shownRange({ last: '15m' }, 'utc'), { last: '15m' });
    assert.deepEqual(shownRange({}, 'utc'), {});
  });
});

describe('applyEdit', () => {
  it('removes a chip and keeps the rest', () => {
    const text = 'severity:error workload:twin,missing (service=a or service=b) x last:15m';
    assert.equal(
      edited(text, { kind: 'removeChip', index: 0 }),
      'workload:twin,missing (service=a or service=b) "x" last:15m',
    );
    assert.equal(
      edited(text, { kind: 'removeChip', index: 2 }),
      'severity:error workload:twin,missing service=b "x" last:15m',
    );
    assert.equal(edited(text, { kind: 'removeChip', index: 5 }), 'refused: gone');
  });

  it('removes exactly the chip of the model for any query', () => {
    fc.assert(
      fc.property(anyFilter, fc.nat(20), (filter, at) => {
        const text = printQuery(canonicalFilter(filter));
        const { chips } = model(text);
        const index = chips.length === 0 ? 0 : at % chips.length;
        const result = edited(text, { kind: 'removeChip', index });
        if (chips.length === 0) assert.equal(result, 'refused: gone');
        else {
          const left = model(result).chips.map((chip) => chip.text);
          assert.deepEqual(
            left,
            chips.filter((_, other) => other !== index).map((chip) => chip.text),
          );
        }
      }),
    );
  });

  it('sets severities; all of them are the same as none', () => {
    const choose = (...severities: ('info' | 'error' | 'fatal')[]): string =>
      edited('x severity:warn', { kind: 'severities', severities });
    assert.equal(choose('fatal', 'error'), 'severity:error,fatal "x"');
    assert.equal(choose(), '"x"');
    assert.equal(edited('', { kind: 'severities', severities: [...severities] }), '');
  });

  it('replaces the range', () => {
    const to = (range: { last?: string; from?: string; to?: string }): string =>
      edited('x last:15m', { kind: 'range', range });
    assert.equal(to({ last: '1H' }), '"x" last:1h');
    assert.equal(to({}), '"x"');
    assert.equal(to({ last: '', from: 'yesterday 10:00' }), '"x" from:yesterday 10:00');
    assert.equal(
      to({ from: '2026-11-20T10:00:00.500Z', to: '2026-11-20T11:00:00Z' }),
      '"x" from:2026-11-20T10:00:00.500Z to:2026-11-20T11:00:00Z',
    );
    assert.equal(to({ last: '1h severity:error' }), 'refused: edit');
    assert.equal(to({ last: '1h', to: 'now' }), 'refused: edit');
    assert.equal(to({ from: '2026-11-21', to: '2026-11-20' }), 'refused: edit');
  });

  it('sets conditions with every operator', () => {
    for (const operator of builderOperators) {
      const value = operator.endsWith(':*') ? '' : 'a "b" or c';
      for (const field of ['service', 'attr.x y', 'trace']) {
        const condition = { field, operator, value };
        const text = edited('x attr.y=1', conditions(condition, { ...condition, field: 'spanId' }));
        const read = model(text);
        assert.deepEqual(read.problems, [], text);
        assert.deepEqual(read.conditions, [condition, { ...condition, field: 'spanId' }], text);
      }
    }
    assert.equal(edited('service=a x', conditions()), '"x"');
  });

  it('keeps names in conditions, even unknown ones', () => {
    const text = edited('', conditions({ field: 'workload', operator: '=', value: 'web api' }));
    assert.equal(text, 'workload="web api"');
    assert.deepEqual(model(text).conditions, [
      { field: 'workload', operator: '=', value: 'web api' },
    ]);
    const byId = edited('', conditions({ field: 'workload', operator: '=', value: web }));
    assert.equal(byId, 'workload=web-api');
    const exact = edited('', conditions({ field: 'workloadId', operator: '!=', value: 'odd' }));
    assert.deepEqual(model(exact).conditions, [
      { field: 'workloadId', operator: '!=', value: 'odd' },
    ]);
  });

  it('reports invalid conditions', () => {
    const problemOf = (...all: BuilderCondition[]): unknown => {
      const result = applyEdit('', conditions(...all), names);
      return result.ok || !('errors' in result.reason)
        ? result
        : result.reason.errors[0]?.problem.kind;
    };
    const one = { field: 'service', operator: '=', value: 'a' };
    assert.equal(problemOf({ ...one, field: 'severity' }), 'unknownField');
    assert.equal(problemOf({ ...one, field: 'attr.' }), 'missingAttribute');
    assert.equal(problemOf({ ...one, operator: '<' }), 'operator');
    assert.equal(problemOf({ ...one, value: 'x'.repeat(513) }), 'tooLong');
    assert.equal(problemOf({ ...one, field: `attr.${'x'.repeat(129)}` }), 'tooLong');
    assert.equal(problemOf({ ...one, field: 'workload', value: '' }), 'missingValue');
    assert.equal(problemOf(...Array.from({ length: 9 }, () => one)), 'tooManyConditions');
    assert.propertyVal(
      applyEdit('', conditions(...Array.from({ length: 8 }, () => one)), names),
      'ok',
      true,
    );
  });

  it('requires or excludes a value', () => {
    const value = { field: 'service', value: 'web' };
    assert.equal(edited('x', { kind: 'only', ...value }), 'service:web "x"');
    assert.equal(edited('x', { kind: 'exclude', ...value }), 'service!=web "x"');
    const user = { field: 'attr.a b', value: '\u202e' };
    assert.equal(edited('', { kind: 'only', ...user }), 'attr."a b"=\u202e');
    const workload = { field: 'workload', value: web };
    assert.equal(edited('workload:twin', { kind: 'only', ...workload }), 'workload:web-api');
    assert.equal(edited('', { kind: 'exclude', ...workload }), 'workload!=web-api');
    assert.equal(
      edited('workload:twin', { kind: 'exclude', field: 'workload', value: twins[0] ?? '' }),
      `workload:${twins[1]}`,
    );
    assert.equal(edited('', { kind: 'only', field: 'eventId', value: '1' }), 'refused: cannotSay');
  });

  it('does not change a wrong query', () => {
    assert.equal(
      edited('severity:loud', { kind: 'range', range: { last: '1h' } }),
      'refused: query',
    );
  });

  it('changes only what it is meant to change', () => {
    fc.assert(
      fc.property(anyFilter, (filter) => {
        const text = printQuery(canonicalFilter(filter));
        const result = parseSearch(edited(text, { kind: 'range', range: { last: '1h' } }), when);
        const before = parseSearch(text, when);
        if (!result.ok || !before.ok) assert.fail(text);
        assert.deepEqual(result.query.filter, before.query.filter);
      }),
    );
  });
});
