import { assert } from 'chai';
import fc from 'fast-check';
import type { MessagePart } from '../../../../src/logs/calls/expressions';
import { statementQuery } from '../../../../src/logs/calls/statementTemplate';
import { asLogFilter, type LogFilter } from '../../../../src/logs/query/fields';
import { parseSearch, printSearch } from '../../../../src/logs/query/searchQuery';
import { shortOrLong } from '../../long';
import { anyText } from '../anyText';
import { message } from './message';

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
