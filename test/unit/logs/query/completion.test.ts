import { assert } from 'chai';
import fc from 'fast-check';
import { completionsAt, type QueryKnowledge } from '../../../../src/logs/query/completion';
import { parseQuery } from '../../../../src/logs/query/parser';
import { SeenValues } from '../../../../src/logs/query/remembered';
import { shortOrLong } from '../../long';
import { anyText } from '../anyText';
import { sampleRecord } from '../sampleRecord';
import { id1, id2 } from './queries';

const seen = new SeenValues();
seen.remember([
  sampleRecord({ service: 'worker', attributes: { user: '42', 'odd key': 'a b' } }),
  sampleRecord({ service: 'web', workloadId: id2, attributes: { user: '43', path: '/api' } }),
]);
const { values, attributes, attributeValues } = seen;
const knowledge: QueryKnowledge = {
  values,
  attributes,
  attributeValues,
  names: (kind) =>
    kind === 'workload'
      ? [
          { id: id1, name: 'web-api' },
          { id: id2, name: 'my web' },
        ]
      : [],
};

/** The labels that are offered at the bar, and the query after the first one is accepted. */
function offered(marked: string): string[] {
  const offset = marked.indexOf('|');
  const text = marked.replace('|', '');
  return completionsAt(text, offset, knowledge).items.map(({ label }) => label);
}

function completed(marked: string): string {
  const offset = marked.indexOf('|');
  const text = marked.replace('|', '');
  const { start, end, items } = completionsAt(text, offset, knowledge);
  return text.slice(0, start) + (items[0]?.text ?? '?') + text.slice(end);
}

describe('the completion of a query', () => {
  it('offers fields and attributes at the beginning of a term', () => {
    for (const query of ['|', 'severity:info |', '(|', '( |', '(spanId:* |', 'x |']) {
      const labels = offered(query);
      assert.includeMembers(labels, ['severity', 'workload', 'attr', 'field', 'last', 'attr.path']);
    }
    assert.deepEqual(offered('se|'), ['severity', 'server', 'service', 'attr.user']);
    assert.deepEqual(offered('-SEV|'), ['severity']);
    assert.deepEqual(offered('attr.|'), ['attr.path', 'attr.user', 'attr.odd key']);
  });

  it('inserts a field with its operator, in place of the typed text', () => {
    assert.strictEqual(completed('x sev|'), 'x severity:');
    assert.strictEqual(completed('-sev| x'), '-severity: x');
    assert.strictEqual(completed('se|v:info'), 'severity:info');
    assert.strictEqual(completed('att|'), 'attr.');
    assert.strictEqual(completed('attr.od|'), 'attr."odd key"=');
    assert.strictEqual(completed('(serv|)'), '(server:)');
  });

  it('offers the operators if the name of a field is complete', () => {
    assert.deepEqual(offered('service|').slice(0, 4), [
      'service',
      'service:*',
      'service=',
      'service!=',
    ]);
    assert.deepEqual(offered('-spanId|'), ['spanId', 'spanId:*']);
    assert.deepEqual(offered('severity|'), ['severity']);
  });

  it('offers "or" after a field', () => {
    assert.strictEqual(completed('spanId:* or|'), 'spanId:* or');
    assert.notInclude(offered('x o|'), 'or');
  });

  it('offers the values of the contract, except those that are there', () => {
    assert.deepEqual(offered('env:|'), ['production', 'preview']);
    assert.deepEqual(offered('severity:error,war|'), ['warn']);
    assert.notInclude(offered('severity:error,|'), 'error');
    assert.deepEqual(offered('stream:|'), ['stdout', 'stderr', '*']);
    assert.strictEqual(completed('severity:er|ror,info'), 'severity:error,info');
    assert.strictEqual(completed('severity:|,info x'), 'severity:trace,info x');
  });

  it('offers names with their ids, and ids without a name', () => {
    assert.deepEqual(offered('workload:we|'), ['web-api', 'my web']);
    assert.strictEqual(completed('workload!=my|'), 'workload!="my web"');
    assert.strictEqual(completed('workload:"my w|eb" x'), 'workload:"my web" x');
    const { items } = completionsAt('workload:', 9, knowledge);
    assert.deepEqual(items[0], { kind: 'name', label: 'web-api', text: 'web-api', detail: id1 });
    assert.notInclude(offered('workload:|'), id2);
    assert.include(offered('workloadId:|'), id2);
    assert.notInclude(offered('workload~|'), 'web-api');
  });

  it('offers recently seen values, the latest first', () => {
    assert.deepEqual(offered('service:|'), ['web', 'worker', '*']);
    assert.deepEqual(offered('(service~wo|'), ['worker']);
    assert.deepEqual(offered('attr.user=|'), ['43', '42']);
    assert.strictEqual(completed('attr."odd key"=|'), 'attr."odd key"="a b"');
    assert.deepEqual(offered('attr.user:|'), ['*']);
    assert.deepEqual(offered('-field:|').slice(0, 2), ['workload', 'server']);
    assert.strictEqual(completed('-field:od|'), '-field:"attr.odd key"');
  });

  it('offers ranges', () => {
    assert.include(offered('last:|'), '15m');
    assert.strictEqual(completed('from:yes|'), 'from:yesterday');
  });

  it('offers fifty at most', () => {
    const attributes = (): string[] => Array.from({ length: 100 }, (_, index) => `key${index}`);
    assert.lengthOf(completionsAt('attr.', 5, { ...knowledge, attributes }).items, 50);
  });

  it('offers nothing in quotes, and no values for an unknown field', () => {
    for (const query of ['"sev|', '"a" "sev|', 'nope:|', '__proto__:|', 'attr=|']) {
      assert.deepEqual(offered(query), [], query);
    }
  });

  it('never throws, and marks text around the position', () => {
    const piece = fc.oneof(
      fc.constantFrom('severity:', 'attr.', 'service=', '-', '(', ')', '"', ',', ' ', 'or', '\\'),
      fc.constantFrom('workload:', 'last:', 'field:', 'attr."odd key"=', 'we', 'x'),
      anyText(3),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.nat(), (pieces, at) => {
        const text = pieces.join('');
        const offset = at % (text.length + 1);
        const { start, end } = completionsAt(text, offset, knowledge);
        assert.isTrue(0 <= start && start <= offset && offset <= end && end <= text.length, text);
      }),
      { numRuns: shortOrLong(300, 2000) },
    );
  });

  it('offers values that compile', () => {
    const fields = ['severity:', 'workload:', '-service:', 'attr."odd key"=', 'field:', '-env:'];
    for (const field of [...fields, 'stream!=', 'spanId:', '(service:web or service:', 'last:']) {
      const { items } = completionsAt(field, field.length, knowledge);
      assert.isNotEmpty(items, field);
      for (const { text } of items) {
        const query = `${field}${text}${field.startsWith('(') ? ')' : ''}`;
        assert.isTrue(parseQuery(query, () => [id1]).ok, query);
      }
    }
  });
});
