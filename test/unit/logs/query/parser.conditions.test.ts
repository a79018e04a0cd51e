import { assert } from 'chai';
import type { Condition } from '../../../../src/api/types';
import { parseQuery } from '../../../../src/logs/query/parser';
import { printQuery } from '../../../../src/logs/query/searchQuery';
import { covers } from '../../covers';
import { filterOf, id1, id2, problemsOf, resolve } from './queries';

/** The conditions of a query in short form: how they are joined, then each condition. */
function groupOf(query: string): string {
  const { conditionGroup } = filterOf(query);
  assert.isDefined(conditionGroup, query);
  const { match, conditions } = conditionGroup;
  const words = conditions.map((one) => `${one.field} ${one.operator} ${one.value}`.trim());
  return `${match}: ${words.join(', ')}`;
}

describe('conditions of a query', () => {
  it('support every operator of the contract', () => {
    const conditions: [string, Condition['operator']][] = [
      ['service=web', 'equals'],
      ['service!=web', 'not_equals'],
      ['service~web', 'contains'],
      ['service!~web', 'not_contains'],
      ['service^=web', 'starts_with'],
      ['service$=web', 'ends_with'],
    ];
    for (const [query, operator] of conditions) {
      assert.equal(groupOf(query), `and: service ${operator} web`);
    }
    assert.equal(groupOf('service:*'), 'and: service exists');
    assert.equal(groupOf('-service:*'), 'and: service not_exists');
  });

  it('support every field of the contract, also by its name there', () => {
    const fields = [
      'serverId',
      'workloadId',
      'deploymentId',
      'previewId',
      'containerId',
      'traceId',
    ];
    for (const field of [...fields, 'service', 'stream', 'spanId']) {
      const expected = `and: ${field} starts_with 6c`;
      assert.equal(groupOf(`${field}^=6c`), expected);
      assert.equal(groupOf(`${field.replace(/(?<!span)Id$/, '')}^=6c`), expected);
    }
    assert.equal(
      groupOf('attr.user!=42 attr."odd key"$=""'),
      'and: attribute:user not_equals 42, attribute:odd key ends_with',
    );
    assert.equal(groupOf('spanId:1f'), 'and: spanId equals 1f');
  });

  it('test in three ways whether a field exists', () => {
    for (const query of ['spanId:*', 'SPANID:*', 'field:spanId']) {
      assert.equal(groupOf(query), 'and: spanId exists');
    }
    for (const query of ['-spanId:*', '-spanId:', '-field:spanId', '-field:"spanId"']) {
      assert.equal(groupOf(query), 'and: spanId not_exists');
    }
    assert.equal(
      groupOf('attr.user:* -attr.path:*'),
      'and: attribute:user exists, attribute:path not_exists',
    );
    assert.equal(
      groupOf('-field:trace,attr.user,"attr.a b"'),
      'and: traceId not_exists, attribute:user not_exists, attribute:a b not_exists',
    );
    assert.equal(groupOf('field:trace,spanId'), 'or: traceId exists, spanId exists');
    assert.deepEqual(problemsOf('field:env'), [
      ['env', { kind: 'unknownValue', field: 'field', value: 'env' }],
    ]);
  });

  it('take a quoted star literally', () => {
    assert.deepEqual(filterOf('service:"*"'), { services: ['*'] });
    assert.equal(groupOf('service=*'), 'and: service equals *');
    assert.deepEqual(filterOf('service:*,web'), { services: ['*', 'web'] });
    assert.lengthOf(problemsOf('severity:*'), 1);
  });

  it('exclude values', () => {
    assert.equal(
      groupOf('-service:web,api'),
      'and: service not_equals web, service not_equals api',
    );
    assert.equal(groupOf('-stream:STDERR'), 'and: stream not_equals stderr');
    assert.equal(groupOf('-workload:web'), `and: workloadId not_equals ${id1}`);
    assert.equal(
      groupOf('-attr.user=42 -attr.path~/api'),
      'and: attribute:user not_equals 42, attribute:path not_contains /api',
    );
    for (const query of ['-service!=web', '-attr.user^=4']) {
      assert.strictEqual(problemsOf(query)[0]?.[1].kind, 'negation', query);
    }
  });

  it('exclude severities and environments by requesting all others', () => {
    assert.deepEqual(filterOf('-severity:debug,TRACE'), {
      severities: ['info', 'warn', 'error', 'fatal', 'unknown'],
    });
    assert.deepEqual(filterOf('severity:info,error -severity:info'), { severities: ['error'] });
    assert.deepEqual(filterOf('-env:preview'), { environments: ['production'] });
    assert.deepEqual(problemsOf('severity:info -severity:info'), [
      ['info', { kind: 'nothingLeft', field: 'severity' }],
    ]);
    assert.deepEqual(problemsOf('-severity:loud'), [
      ['loud', { kind: 'unknownValue', field: 'severity', value: 'loud' }],
    ]);
  });

  it('have values in the form of the contract, whatever the operator', () => {
    for (const operator of ['=', '!=', '~', '!~', '^=', '$=']) {
      const written = groupOf(`(stream${operator}STDERR container${operator}ABC)`);
      assert.equal(written, groupOf(`(stream${operator}stderr container${operator}abc)`));
    }
    const capitals = id1.toUpperCase();
    for (const field of ['workload', 'workloadId', 'server', 'deployment', 'preview']) {
      assert.include(groupOf(`${field}!=${capitals}`), `not_equals ${id1}`);
      assert.include(groupOf(`-${field}:${capitals}`), `not_equals ${id1}`);
    }
    assert.deepEqual(filterOf(`workload:${capitals}`), { workloadIds: [id1] });
    // Attributes and services have any form.
    assert.equal(
      groupOf('(service=Web attr.user!=Ada)'),
      'and: service equals Web, attribute:user not_equals Ada',
    );
  });

  it('resolve names if the whole value is compared', () => {
    assert.equal(groupOf('workload!=web'), `and: workloadId not_equals ${id1}`);
    assert.equal(groupOf('workload~web'), 'and: workloadId contains web');
    assert.equal(groupOf('workloadId=web'), 'and: workloadId equals web');
    assert.equal(
      groupOf('workload!=twice'),
      `and: workloadId not_equals ${id1}, workloadId not_equals ${id2}`,
    );
    assert.equal(
      groupOf('workload=twice'),
      `or: workloadId equals ${id1}, workloadId equals ${id2}`,
    );
    const result = parseQuery('-workload:gone', resolve);
    assert.deepEqual(result, {
      ok: true,
      filter: {},
      times: [],
      unresolved: [{ kind: 'workload', name: 'gone', start: 10, end: 14 }],
    });
  });
});

describe('words between conditions', () => {
  it('join only the conditions next to them', () => {
    assert.deepEqual(filterOf('severity:error service!=web or attr.user=42 OR spanId:* "x"'), {
      severities: ['error'],
      search: 'x',
      conditionGroup: {
        match: 'or',
        conditions: [
          { field: 'service', operator: 'not_equals', value: 'web' },
          { field: 'attribute:user', operator: 'equals', value: '42' },
          { field: 'spanId', operator: 'exists', value: '' },
        ],
      },
    });
    assert.equal(groupOf('service:web or trace:ABC'), 'or: service equals web, traceId equals abc');
    assert.equal(
      groupOf('service:web,api or workload:twice'),
      `or: service equals web, service equals api, workloadId equals ${id1}, workloadId equals ${id2}`,
    );
  });

  it('are text next to text', () => {
    assert.deepEqual(filterOf('this or that and more'), { search: 'this or that and more' });
    assert.deepEqual(filterOf('or'), { search: 'or' });
    assert.deepEqual(filterOf('service:web "or"'), { services: ['web'], search: 'or' });
    assert.deepEqual(filterOf('timeout and service:web'), { services: ['web'], search: 'timeout' });
  });

  it('are an error without conditions to join', () => {
    for (const query of ['service=a or b', 'b or service=a', 'service=a or', 'or service=a']) {
      assert.deepEqual(problemsOf(query), [['or', { kind: 'operand', word: 'or' }]], query);
    }
    assert.deepEqual(problemsOf('service=a and'), [['and', { kind: 'operand', word: 'and' }]]);
    assert.lengthOf(problemsOf('service=a or or service=b'), 2);
  });

  it('are an error next to something that is not a condition', () => {
    assert.deepEqual(problemsOf('severity:error or service:web'), [
      ['severity:', { kind: 'noCondition', field: 'severity' }],
    ]);
    assert.strictEqual(problemsOf('service:web or last:1h')[0]?.[1].kind, 'noCondition');
  });
});

describe('parentheses', () => {
  it('turn their content into conditions', () => {
    assert.equal(
      groupOf('(attr.user=42 service:web)'),
      'and: attribute:user equals 42, service equals web',
    );
    assert.equal(
      groupOf('( attr.user=42 and service="a)b" ) spanId:*'),
      'and: attribute:user equals 42, service equals a)b, spanId exists',
    );
    assert.equal(
      groupOf('(attr.user=42 or service=web)'),
      'or: attribute:user equals 42, service equals web',
    );
    assert.equal(groupOf('(service:web,api)'), 'or: service equals web, service equals api');
    assert.equal(groupOf('(service=a) or (service=b)'), 'or: service equals a, service equals b');
  });

  it('are text if they do not start with a field, and in values outside of groups', () => {
    assert.deepEqual(filterOf('failed (code 5) f(x)'), { search: 'failed (code 5) f(x)' });
    assert.deepEqual(filterOf('attr.call=f(x)'), { attributes: [{ key: 'call', value: 'f(x)' }] });
  });

  it('reject free text, must be closed, and end the values in them', () => {
    assert.deepEqual(problemsOf('(service=a b)'), [['b', { kind: 'textInGroup' }]]);
    assert.deepEqual(problemsOf('x (service=a'), [['(', { kind: 'unclosedGroup' }]]);
    assert.deepEqual(problemsOf('(service=a)b'), [['b', { kind: 'unexpectedText' }]]);
    assert.deepEqual(problemsOf('(env:preview)'), [
      ['env:', { kind: 'noCondition', field: 'env' }],
    ]);
  });

  it('reject "and" together with "or", because the contract has one group', () => {
    for (const [query, part] of [
      ['service!=a (service=b or spanId:*)', '(service=b or spanId:*)'],
      ['(service=a spanId:* or trace:*)', 'spanId:* or trace:*'],
      ['(service=a spanId:*) or trace:*', '(service=a spanId:*)'],
      ['spanId:* workload=twice', 'workload=twice'],
      ['spanId:* or workload!=twice', 'workload!=twice'],
    ] as const) {
      const [[text, problem] = ['', undefined], ...more] = problemsOf(query);
      assert.deepEqual([problem, more], [{ kind: 'mixed' }, []], query);
      assert.strictEqual(text, part, query);
    }
  });
});

describe('limits of conditions', () => {
  it(`are those of the contract ${covers('F41', 'unit')}`, () => {
    const conditions = Array.from({ length: 9 }, (_, index) => `service!=s${index}`);
    assert.deepEqual(problemsOf(`${conditions.join(' ')} x`), [
      ['s8', { kind: 'tooManyConditions', limit: 8 }],
    ]);
    assert.lengthOf(groupOf(conditions.slice(1).join(' or ')).split(', '), 8);
    assert.deepEqual(problemsOf(`service!=${'s'.repeat(513)}`)[0]?.[1], {
      kind: 'tooLong',
      field: 'service',
      limit: 512,
    });
    assert.match(groupOf(`attr.${'k'.repeat(128)}!=${'s'.repeat(512)}`), /^and: /);
    assert.deepEqual(problemsOf(`attr.${'k'.repeat(129)}:*`)[0]?.[1], {
      kind: 'tooLong',
      field: `attr.${'k'.repeat(129)}`,
      limit: 128,
    });
  });
});

describe('printed conditions', () => {
  const print = (query: string): string => printQuery(filterOf(query));

  it('are in parentheses if they would mean something else without', () => {
    assert.strictEqual(print('service!=a -spanId: x'), 'service!=a -spanId:* "x"');
    assert.strictEqual(print('service:a or -field:spanId'), '(service=a or -spanId:*)');
    assert.strictEqual(print('(attr.user=42)'), '(attr.user=42)');
    assert.strictEqual(print('attr.user=42 attr.user!=43'), 'attr.user=42 attr.user!=43');
  });

  it('have names for ids, and the field name of the contract for other values', () => {
    const filter = filterOf(`workload!=${id1} workloadId!=web`);
    assert.strictEqual(
      printQuery(filter, () => 'my web'),
      'workload!="my web" workloadId!=web',
    );
  });
});
