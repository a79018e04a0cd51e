import { assert } from 'chai';
import fc from 'fast-check';
import {
  describeTemplate,
  fitMessage,
  loggedMessage,
  statementTemplate,
  statementQuery,
} from '../../../../src/logs/calls/statementTemplate';
import type { MessagePart } from '../../../../src/logs/calls/expressions';
import { asLogFilter, type LogFilter } from '../../../../src/logs/query/fields';
import { parseSearch, printSearch } from '../../../../src/logs/query/searchQuery';
import { shortOrLong } from '../../long';
import { anyText } from '../anyText';
import { sampleRecord } from '../sampleRecord';
import { message } from './message';

/** The values that a statement held, by expression; undefined if the body does not fit. */
function held(parts: readonly MessagePart[], body: string): Record<string, string> | undefined {
  const fit = fitOf(parts, body);
  return fit && Object.fromEntries(fit.values.map(({ expression, value }) => [expression, value]));
}

function fitOf(parts: readonly MessagePart[], body: string): ReturnType<typeof fitMessage> {
  const template = statementTemplate(parts);
  return template && fitMessage(template, loggedMessage(sampleRecord({ body })));
}

const order = message`order ${'order.id'} charged ${'amount'} EUR`;

describe('The template of a statement', () => {
  it('fits the records of its statement, with what the expressions held', () => {
    assert.deepEqual(held(order, 'order 7 charged 12.50 EUR'), {
      'order.id': '7',
      amount: '12.50',
    });
    assert.isUndefined(held(order, 'order 7 refunded 12.50 EUR'));
    assert.isUndefined(held(order, '12.50 EUR charged order 7'));
  });

  it('fits what loggers make of the message', () => {
    const values = { 'order.id': '7', amount: '2' };
    for (const body of [
      '2026-11-20 12:00:00,123 WARN [main] c.e.Payments - order 7 charged 2 EUR',
      '\u001b[33mwarn\u001b[39m: order \u001b[1m7\u001b[22m charged 2 EUR {"region":"eu"}',
      '{"level":40,"time":1795176000123,"msg":"order 7 charged 2 EUR","pid":1}',
      'level=warn msg="order 7 charged 2 EUR" region=eu',
      'order 7 charged 2 EUR\n    at charge (payments.ts:3:5)',
    ]) {
      assert.deepEqual(held(order, body), values, body);
    }
  });

  it('holds an expression at its start without what the logger wrote before it', () => {
    const parts = message`${'user'} logged in from ${'address'}`;
    assert.deepEqual(held(parts, '2026-11-20T12:00:00Z WARN ann logged in from 10.0.0.7\nmore'), {
      user: 'ann',
      address: '10.0.0.7',
    });
  });

  it('joins expressions without text between them', () => {
    const parts = message`Retrying ${'job'} ${'attempt'}: ${'why'}`;
    assert.deepEqual(held(parts, 'Retrying mail 3: timed out'), {
      'job, attempt': 'mail 3',
      why: 'timed out',
    });
  });

  it('ignores colors, and white space around its texts', () => {
    const parts = message`\u001b[31mfailed:\u001b[0m  ${'error'}`;
    assert.deepEqual(held(parts, '{"msg":"failed:","err":{"code":1}}'), { error: '' });
  });

  it('is described on one line', () => {
    const parts = message`${'user'} could not pay (${'amount'}): ${'error'}\nmore`;
    const template = statementTemplate(parts) ?? assert.fail();
    assert.equal(describeTemplate(template), '{user} could not pay ({amount}): {error}');
  });

  it('uses the first line with enough letters', () => {
    const parts = message`\n---\nworker ${'id'} stopped\nafter ${'count'} jobs`;
    assert.deepEqual(held(parts, 'worker 3 stopped'), { id: '3' });
  });

  it('needs four letters', () => {
    for (const parts of [
      [],
      message`${'error'}`,
      message`${'a'}: 1234 -> ${'b'}`,
      message`GET ${'x'}`,
    ]) {
      assert.isUndefined(statementTemplate(parts), JSON.stringify(parts));
    }
    assert.isDefined(statementTemplate(message`G${'a'}E${'b'}T${'c'}S`));
  });

  it('scores more constant text higher, then a whole message', () => {
    const body = 'order placed for ann';
    const score = (parts: readonly MessagePart[], text = body): number =>
      fitOf(parts, text)?.score ?? 0;
    const byScore = [
      message`placed for`,
      message`order placed`,
      message`order placed ${'x'}`,
      message`order placed for ${'user'}`,
    ].map((parts) => score(parts));
    assert.deepEqual(
      byScore,
      [...byScore].sort((a, b) => a - b),
    );
    const whole = score(order, 'order 1 charged 2 EUR');
    for (const text of ['an order 1 charged 2 EUR', 'order 1 charged 2 EUR twice']) {
      assert.isAbove(whole, score(order, text), text);
    }
  });

  it('fits whatever its expressions held, and finds them again', () => {
    const value = fc.stringMatching(/^[a-z0-9._-]{1,20}$/);
    fc.assert(
      fc.property(value, value, (id, amount) => {
        const values = held(order, `order <${id}> charged ${amount} EUR`);
        assert.deepEqual(values, { 'order.id': `<${id}>`, amount });
      }),
      { numRuns: shortOrLong(100, 20_000) },
    );
  });

  it('accepts any message and any text, and holds values of a limited length', () => {
    const part = fc.oneof(
      fc.record({ text: anyText(200) }),
      fc.record({ expression: anyText(50) }),
    );
    const parts = fc.array(part, { maxLength: 50, size: 'max' });
    const value = fc.oneof(anyText(200), fc.stringMatching(/^[a-z]{250,300}$/));
    let fitting = 0;
    let held = 0;
    fc.assert(
      fc.property(parts, anyText(3000), value, (message, text, inserted) => {
        const template = statementTemplate(message);
        if (template === undefined) return;
        assert.lengthOf(template.gaps, template.constants.length + 1);
        const logged = message.map((one) => ('text' in one ? one.text : inserted)).join('');
        for (const body of [text, logged]) {
          const fit = fitOf(message, body);
          if (fit === undefined) continue;
          fitting++;
          held += fit.values.length;
          for (const one of fit.values) assert.isAtMost(one.value.length, 200);
        }
      }),
      { numRuns: shortOrLong(100, 20_000) },
    );
    assert.isAbove(Math.min(fitting, held), 10);
  });
});

const app = '6c2b3f91-1d2e-4f30-9b4c-5d6e7f809102';

const filterOf = (...asked: Parameters<typeof statementQuery>): LogFilter | undefined =>
  statementQuery(...asked)?.filter;

function searchOf(parts: readonly MessagePart[]): string | undefined {
  return filterOf({ message: parts, severity: undefined }, [])?.search;
}

describe('The query of a statement', () => {
  it('has its longest constant text, its severity and the workloads of the folder', () => {
    const parts = message`order ${'id'} could not be charged: ${'error'}`;
    assert.deepEqual(filterOf({ message: parts, severity: 'error' }, [app]), {
      severities: ['error', 'unknown'],
      workloadIds: [app],
      search: 'could not be charged:',
    });
    assert.deepEqual(filterOf({ message: parts, severity: undefined }, []), {
      search: 'could not be charged:',
    });
  });

  it('leaves out workloads if there are more than a filter can list', () => {
    const apps = Array.from({ length: 51 }, () => app);
    const parts = message`started`;
    assert.deepEqual(filterOf({ message: parts, severity: undefined }, apps), {
      search: 'started',
    });
  });

  it('has only text that is the same in JSON', () => {
    assert.equal(searchOf(message`user "${'name'}" of "the team" left\tagain`), 'the team');
    assert.equal(searchOf(message`C:\\temp is full`), 'temp is full');
    assert.equal(searchOf(message`cache <miss> for the key`), 'for the key');
  });

  it('does not exist without a text of three letters', () => {
    assert.isUndefined(searchOf(message`${'error'}`));
    assert.isUndefined(searchOf(message`a ${'x'} b ${'y'} c ${'z'} d`));
    assert.equal(searchOf(message`a ${'x'} was ${'y'}`), 'was');
  });

  it('can be printed, parsed and sent for any message', () => {
    const part = fc.oneof(fc.record({ text: anyText(700) }), fc.constant({ expression: 'x' }));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const filter = filterOf({ message: parts, severity: 'warn' }, [app]);
        if (filter === undefined) return;
        assert.deepEqual(asLogFilter(filter), filter);
        const result = parseSearch(printSearch({ filter, range: {} }), { now: 0, timeZone: 'utc' });
        assert.deepEqual(result.ok && result.query.filter, filter);
      }),
      { numRuns: shortOrLong(100, 20_000) },
    );
  });
});
