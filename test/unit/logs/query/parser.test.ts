import { assert } from 'chai';
import fc from 'fast-check';
import { type NameKind, asLogFilter } from '../../../../src/logs/query/fields';
import { meantBy, type QueryError } from '../../../../src/logs/query/filterBuilder';
import { parseQuery } from '../../../../src/logs/query/parser';
import { printQuery } from '../../../../src/logs/query/searchQuery';
import { matches } from '../../../../src/logs/query/matches';
import { canonicalFilter } from '../../../../src/logs/query/narrow';
import { covers } from '../../covers';
import { isLinear } from '../../linear';
import { shortOrLong } from '../../long';
import { anyText } from '../anyText';
import { sampleRecord } from '../sampleRecord';
import { errorsOf, filterOf, id1, id2, resolve } from './queries';
import { anyFilter } from './anyFilter';

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const container = 'ab'.repeat(32);

/** The problem of a query with one error, and the text that it marks. */
function problemOf(query: string): [string, QueryError['problem'], readonly string[]] {
  const [error, ...more] = errorsOf(query);
  assert.lengthOf(more, 0);
  if (error === undefined) assert.fail('no error');
  return [query.slice(error.start, error.end), error.problem, error.allowed];
}

describe('a query', () => {
  it('compiles every field', () => {
    assert.deepEqual(
      filterOf(
        `severity:error,FATAL,warning workload:web-api,${id2} server:"my \\"first\\" one" ` +
          `deployment:${id1} preview:${id2} container:${container.toUpperCase()} env:production ` +
          `service:web,"two words" stream:stderr trace:${trace.toUpperCase()} ` +
          'attr.user=42 attr.path~/api,x attr."odd key"="" "free text"',
      ),
      {
        severities: ['error', 'fatal', 'warn'],
        workloadIds: [id1, id2],
        serverIds: [id2],
        deploymentIds: [id1],
        previewIds: [id2],
        containerIds: [container],
        environments: ['production'],
        services: ['web', 'two words'],
        stream: 'stderr',
        traceId: trace,
        attributes: [
          { key: 'user', value: '42' },
          { key: 'path', value: '/api,x', operator: 'contains' },
          { key: 'odd key', value: '' },
        ],
        search: 'free text',
      },
    );
  });

  it('matches everything if it is empty', () => {
    assert.deepEqual(filterOf(''), {});
    assert.deepEqual(filterOf(' \t '), {});
    assert.deepEqual(filterOf('""'), {});
  });

  it('joins words, and values of the same field', () => {
    assert.deepEqual(filterOf('  connection severity:error   refused severity:fatal,error '), {
      search: 'connection refused',
      severities: ['error', 'fatal'],
    });
    assert.deepEqual(filterOf('12:30:00 /a:b com.example.Foo -x -'), {
      search: '12:30:00 /a:b com.example.Foo -x -',
    });
  });

  it('keeps backslashes that escape nothing', () => {
    assert.strictEqual(filterOf('"C:\\new \\"x\\" \\\\"').search, 'C:\\new "x" \\');
    assert.strictEqual(filterOf('a\\b"c').search, 'a\\b"c');
  });

  it('resolves a shared name to all of its ids', () => {
    assert.deepEqual(filterOf('workload:twice').workloadIds, [id1, id2]);
  });

  it('reports unknown names with their position', () => {
    const query = 'workload:gone,web-api deployment:"old one"';
    const result = parseQuery(query, resolve);
    assert.deepEqual(result, {
      ok: true,
      filter: { workloadIds: [id1] },
      times: [],
      unresolved: [
        { kind: 'workload', name: 'gone', start: 9, end: 13 },
        { kind: 'deployment', name: 'old one', start: 33, end: 42 },
      ],
    });
    const alone = parseQuery('workload:web-api');
    assert.lengthOf(alone.ok ? alone.unresolved : [], 1);
  });

  it('marks an unknown field and lists the known ones', () => {
    const [text, problem, allowed] = problemOf('error sevrity:warn');
    assert.deepEqual([text, problem], ['sevrity:', { kind: 'unknownField', field: 'sevrity' }]);
    assert.includeMembers([...allowed], ['severity', 'workload', 'trace', 'attr']);
    assert.deepEqual(problemOf('workload.x:y')[1], { kind: 'unknownField', field: 'workload' });
    assert.deepEqual(problemOf('att.user=1')[1], { kind: 'unknownField', field: 'att' });
    // Within parentheses that are conditions there is no text.
    assert.equal(problemOf('(spanId=a or status=500)')[1].kind, 'unknownField');
  });

  it('searches for what looks like a field that nobody could mean, as text', () => {
    const pasted: [query: string, search: string, fields: string[], quoted: string][] = [
      ['std::bad_alloc', 'std::bad_alloc', ['std'], '"std::bad_alloc"'],
      [
        'TypeError: x is no function',
        'TypeError: x is no function',
        ['TypeError'],
        '"TypeError: x is no function"',
      ],
      [
        'at http://a/b?c=d severity:error',
        'at http://a/b?c=d',
        ['http'],
        '"at http://a/b?c=d" severity:error',
      ],
      [
        'Error: no severity:error  disk',
        'Error: no disk',
        ['Error'],
        '"Error: no disk" severity:error',
      ],
      [
        '(node:12) Warning: x',
        '(node:12) Warning: x',
        ['node', 'Warning'],
        '"(node:12) Warning: x"',
      ],
      ['a="b"c d="', 'a="b"c d="', ['a', 'd'], '"a=\\"b\\"c d=\\""'],
      ['-Xmx:1g or -Xms:1g', '-Xmx:1g or -Xms:1g', ['Xmx', 'Xms'], '"-Xmx:1g or -Xms:1g"'],
      ['app.port=80', 'app.port=80', ['app'], '"app.port=80"'],
    ];
    for (const [query, search, fields, quoted] of pasted) {
      const result = parseQuery(query);
      if (!result.ok) assert.fail(`${query} ${JSON.stringify(result.errors)}`);
      assert.equal(result.filter.search, search);
      assert.deepEqual(result.pasted, { fields, quoted });
      assert.notProperty(parseQuery(quoted), 'pasted');
      assert.deepEqual(filterOf(quoted), result.filter);
    }
  });

  it('knows which field or value was probably meant', () => {
    const meant = (query: string): string | undefined => {
      const parsed = parseQuery(query);
      return parsed.ok ? assert.fail(query) : meantBy(parsed.errors[0] ?? assert.fail())?.meant;
    };
    assert.deepEqual(
      ['wrkload:web', 'severity:eror', 'field:spnId', 'env:prod', 'sevrity:x', 'workload.x:y'].map(
        meant,
      ),
      ['workload', 'error', 'spanId', undefined, 'severity', undefined],
    );
    assert.deepEqual(['severities:error', 'services:web'].map(meant), ['severity', 'service']);
  });

  it(`has no field with the name of an inherited member ${covers('F59', 'unit')}`, () => {
    for (const field of ['__proto__', 'constructor', 'toString', 'workloadIds']) {
      assert.equal(filterOf(`${field}:x`).search, `${field}:x`);
    }
    assert.deepEqual(filterOf('attr.__proto__=x').attributes, [{ key: '__proto__', value: 'x' }]);
  });

  it('marks an unknown value and lists the known ones', () => {
    assert.deepEqual(problemOf('severity:error,loud'), [
      'loud',
      { kind: 'unknownValue', field: 'severity', value: 'loud' },
      ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'unknown'],
    ]);
    assert.deepEqual(problemOf('env:staging')[2], ['production', 'preview']);
    assert.deepEqual(problemOf('stream:both')[2], ['stdout', 'stderr']);
  });

  it('lists the operators of a field', () => {
    assert.deepEqual(problemOf('severity=error'), [
      'severity=',
      { kind: 'operator', field: 'severity', operator: '=' },
      [':'],
    ]);
    const signs = ['=', '!=', '~', '!~', '^=', '$='];
    assert.deepEqual(problemOf('attr.user:42'), [
      'attr.user:',
      { kind: 'operator', field: 'attr.user', operator: ':' },
      [':*', ...signs],
    ]);
    assert.deepEqual(problemOf('env!~prod')[2], [':']);
    assert.deepEqual(problemOf('last=1h')[2], [':']);
    assert.deepEqual(problemOf('field~spanId')[2], [':']);
  });

  it('reports missing values and names', () => {
    const missing = { kind: 'missingValue', field: 'severity' } as const;
    for (const query of ['severity:', 'severity:error,', 'severity:,error', 'severity:""']) {
      assert.deepEqual(problemOf(query)[1], missing, query);
    }
    assert.deepEqual(problemOf('severity: error')[1], missing);
    assert.deepEqual(problemOf('attr.user=')[1], { kind: 'missingValue', field: 'attr.user' });
    for (const query of ['attr=x', 'attr:x', 'attr.=x', 'attr.""=x']) {
      assert.deepEqual(problemOf(query)[1], { kind: 'missingAttribute' }, query);
    }
  });

  it(`rejects values that do not have the form of the contract ${covers('F41', 'unit')}`, () => {
    assert.deepEqual(problemOf('preview:1a2b'), [
      '1a2b',
      { kind: 'form', field: 'preview', value: '1a2b' },
      [],
    ]);
    assert.deepEqual(problemOf('trace:xyz')[1], { kind: 'form', field: 'trace', value: 'xyz' });
    assert.strictEqual(problemOf('container:abc')[1].kind, 'form');
    const version0 = '6c2b3f91-1d2e-0f30-9b4c-5d6e7f809102';
    assert.deepEqual(problemOf(`workload:${version0}`), [
      version0,
      { kind: 'form', field: 'workload', value: version0 },
      [],
    ]);
  });

  it('accepts one value for fields with a single value', () => {
    assert.deepEqual(problemOf('stream:stdout,stderr').slice(0, 2), [
      'stderr',
      { kind: 'onlyOne', field: 'stream' },
    ]);
    assert.strictEqual(problemOf(`trace:${trace} trace:${trace}`)[1].kind, 'onlyOne');
    for (const query of ['"a" "b"', '"a" b', 'a "b"', 'a b "c"']) {
      assert.deepEqual(problemOf(query)[1], { kind: 'onlyOne', field: 'search' }, query);
    }
  });

  it('reports missing closing quotes, and text directly after quotes', () => {
    const open = problemOf('severity:error "half');
    assert.deepEqual(open, ['"half', { kind: 'unclosedQuote' }, []]);
    assert.strictEqual(problemOf('service:"half')[1].kind, 'unclosedQuote');
    assert.strictEqual(problemOf('"ends in \\')[1].kind, 'unclosedQuote');
    assert.deepEqual(problemOf('service:"web"api'), ['api', { kind: 'unexpectedText' }, []]);
    assert.deepEqual(problemOf('"a"b'), ['b', { kind: 'unexpectedText' }, []]);
    assert.strictEqual(filterOf('attr."half').search, 'attr."half');
  });

  it(`names the limit that is exceeded ${covers('F41', 'unit')}`, () => {
    const ids = Array.from({ length: 51 }, (_, index) => id1.replace('102', String(100 + index)));
    const [text, problem] = problemOf(`workload:${ids.join(',')}`);
    assert.deepEqual([text, problem], [ids[50], { kind: 'tooMany', field: 'workload', limit: 50 }]);
    assert.lengthOf(filterOf(`workload:${ids.slice(0, 50).join(',')}`).workloadIds ?? [], 50);

    assert.deepEqual(problemOf(`service:${'s'.repeat(129)}`)[1], {
      kind: 'tooLong',
      field: 'service',
      limit: 128,
    });
    assert.deepEqual(problemOf('x'.repeat(513))[1], {
      kind: 'tooLong',
      field: 'search',
      limit: 512,
    });
    assert.deepEqual(problemOf(`attr.${'k'.repeat(129)}=v`)[1], {
      kind: 'tooLong',
      field: `attr.${'k'.repeat(129)}`,
      limit: 128,
    });
    assert.deepEqual(problemOf(`attr.k=${'v'.repeat(513)}`)[1], {
      kind: 'tooLong',
      field: 'attr.k',
      limit: 512,
    });
    const attributes = Array.from({ length: 9 }, (_, index) => `attr.k${index}=v`);
    assert.deepEqual(problemOf(attributes.join(' ')).slice(0, 2), [
      'attr.k8=v',
      { kind: 'tooMany', field: 'attr.k8', limit: 8 },
    ]);
  });

  it(`takes linear time, however many values a field has ${covers('F76', 'unit')}`, () => {
    const isTooMany = (text: string): void => assert.equal(problemOf(text)[1].kind, 'tooMany');
    const numbers = (size: number): number[] => [...Array(size).keys()];
    isLinear(1000, (size) => `service:${numbers(size).join(',')}`, isTooMany);
    isLinear(560, (size) => `service:${numbers(size).join(' service:')}`, isTooMany);
  });

  it('reports all errors, in the order of the text', () => {
    const errors = errorsOf('trace:x severity:loud,error stream:a evn:1 service:"w');
    assert.deepEqual(
      errors.map(({ problem }) => problem.kind),
      ['form', 'unknownValue', 'unknownValue', 'unknownField', 'unclosedQuote'],
    );
  });

  it('prints names for ids that have one', () => {
    const nameOf = (_: NameKind, id: string): string | undefined =>
      id === id1 ? 'web api' : undefined;
    assert.strictEqual(
      printQuery({ workloadIds: [id1, id2], previewIds: [id1] }, nameOf),
      `workload:"web api",${id2} preview:${id1}`,
    );
    assert.strictEqual(
      printQuery({ workloadIds: [id1] }, () => id2),
      `workload:${id1}`,
    );
    assert.strictEqual(
      printQuery({ workloadIds: [id1] }, () => ''),
      `workload:${id1}`,
    );
  });

  it('prints empty members as nothing', () => {
    assert.strictEqual(printQuery({}), '');
    assert.strictEqual(printQuery({ severities: [], search: '' }), '');
  });
});

describe('any filter', () => {
  it('compiles to itself with names for its ids', () => {
    const idOf = (name: string): string => name.slice(1, -1);
    const resolve = (_: NameKind, name: string): string[] => [idOf(name)];
    const nameOf = (_: NameKind, id: string): string => `<${id}>`;
    fc.assert(
      fc.property(anyFilter, (filter) => {
        const query = printQuery(filter, nameOf);
        const result = parseQuery(query, resolve);
        assert.deepEqual(result.ok && result.filter, canonicalFilter(filter), query);
      }),
    );
  });

  it('has a canonical form that the contract allows and that means the same', () => {
    const record = sampleRecord({
      traceId: 'a'.repeat(32),
      attributes: { or: 'and', '*': ')' },
      body: 'or and * (',
    });
    fc.assert(
      fc.property(anyFilter, (filter) => {
        const canonical = canonicalFilter(filter);
        assert.deepEqual(asLogFilter(canonical), canonical);
        assert.deepEqual(canonicalFilter(canonical), canonical);
        assert.equal(matches(record, canonical), matches(record, filter));
      }),
    );
  });
});

describe('any text', () => {
  it('never throws as a query, gets errors within the text, and prints to the same filter', () => {
    const piece = fc.oneof(
      fc.constantFrom('severity:', 'attr.', 'attr.x=', '-env:', '"', '\\', ',', '=', '!~', ' '),
      fc.constantFrom(' or ', ' and ', '(', ')', '*', ':*', '-', 'x', id1, 'trace:', 'spanId:'),
      fc.constantFrom('workload!=', 'service^=', '-field:', 'last:', 'from:today', '10:00'),
      anyText(5),
    );
    let compiled = 0;
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const query = pieces.join('');
        const result = parseQuery(query, () => [id1]);
        const spans = [...result.times, ...(result.ok ? result.unresolved : result.errors)];
        for (const { start, end } of spans) {
          assert.isTrue(0 <= start && start <= end && end <= query.length, query);
        }
        if (!result.ok) return;
        compiled++;
        const again = parseQuery(printQuery(result.filter));
        assert.deepEqual(again.ok && again.filter, result.filter, query);
      }),
      { numRuns: shortOrLong(800, 4000) },
    );
    // Otherwise the last comparison would prove little.
    assert.isAbove(compiled, shortOrLong(40, 200));
  });

  it('is rejected beyond the limit of queries, and never throws below it', () => {
    const pieces = ['(', '(a:', '"', 'x ', 'attr.x=1 or ', '-severity:info ', 'service:ä,', ','];
    for (const piece of pieces) {
      const query = piece.repeat(70_000 / piece.length);
      const [error] = errorsOf(query);
      assert.deepEqual(error?.problem, { kind: 'tooLong', field: 'query', limit: 65_536 });
      parseQuery(query.slice(0, 65_536));
    }
  });

  it('compiles if it is the largest filter that the contract allows', () => {
    const ids = Array.from({ length: 50 }, (_, index) => id1.replace('102', String(100 + index)));
    const long = (length: number): string => '"'.repeat(length);
    const filter = asLogFilter({
      severities: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'unknown'],
      workloadIds: ids,
      serverIds: ids,
      deploymentIds: ids,
      previewIds: ids,
      containerIds: ids.map((id) => id.slice(-3).padStart(64, '0')),
      environments: ['production', 'preview'],
      services: ids.map((id) => long(125) + id.slice(-3)),
      stream: 'stdout',
      traceId: 'a'.repeat(32),
      search: long(512),
      attributes: Array.from({ length: 8 }, () => ({ key: long(128), value: long(512) })),
      conditionGroup: {
        match: 'or',
        conditions: Array.from({ length: 8 }, () => ({
          field: `attribute:${long(128)}`,
          operator: 'not_contains',
          value: long(512),
        })),
      },
    });
    const result = parseQuery(printQuery(filter));
    assert.deepEqual(result.ok && result.filter, filter);
  });
});
