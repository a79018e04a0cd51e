import { assert } from 'chai';
import { searchForKind } from '../../../../src/logs/errors/errorScope';
import { errorAt } from './errorRecords';
import { kindWith, spotAt, web } from './spottedKinds';

describe('the search for the records of a kind', () => {
  it('asks for errors of its workloads with its text, since the first', () => {
    const last = errorAt(9, 'Error: order 17 of "Ann" is not paid');
    const kind = kindWith('Error: order <n> of <text> is not paid', [spotAt(1)], { last });
    assert.equal(
      searchForKind(kind),
      `severity:error,fatal workload:${web} "Error: order" from:2026-11-20T12:00:00Z`,
    );
  });

  it('does not name too many workloads, nor a text that no body has', () => {
    const workloads = Array.from({ length: 60 }, () => ({ id: web, name: '', count: 1 }));
    const kind = kindWith('<n>', [spotAt(1)], { workloads });
    assert.equal(searchForKind(kind), 'severity:error,fatal from:2026-11-20T12:00:00Z');
  });
});
