import { assert } from 'chai';
import { StatementIndex } from '../../../../src/logs/calls/statementIndex';
import { sampleRecord } from '../sampleRecord';
import { message, statement } from './message';

const charged = statement(message`order ${'id'} charged`, { line: 3 });
const refunded = statement(message`order ${'id'} refunded`, { line: 8 });

describe('The index of statements', () => {
  const placesOf = (index: StatementIndex, body: string): string[] =>
    index
      .find(sampleRecord({ body, severity: 'error' }))
      .map(({ file, line }) => `${file}:${line}`);

  it('finds the statements that fit a record, the best first', () => {
    const index = new StatementIndex();
    index.set('a', [charged, refunded]);
    index.set('b', [statement(message`order ${'id'} charged ${'amount'} EUR`, { line: 1 })]);
    assert.deepEqual(placesOf(index, 'order 7 charged 12 EUR'), ['b:1', 'a:3']);
    assert.deepEqual(placesOf(index, 'order 7 refunded'), ['a:8']);
    assert.isEmpty(placesOf(index, 'another message'));
  });

  it('finds a statement of the same severity first, of those that fit as well', () => {
    const index = new StatementIndex();
    index.set('a', [{ ...charged, severity: 'info' }]);
    index.set('b', [{ ...charged, severity: 'error' }]);
    assert.deepEqual(placesOf(index, 'order 7 charged'), ['b:3', 'a:3']);
  });

  it('leaves out statements that fit much worse than the best', () => {
    const index = new StatementIndex();
    index.set('a', [
      charged,
      statement(message`order ${'id'} charged with a discount to the card of ${'user'}`),
    ]);
    assert.deepEqual(placesOf(index, 'order 7 charged with a discount to the card of ann'), [
      'a:0',
    ]);
    assert.deepEqual(placesOf(index, 'order 7 charged'), ['a:3']);
  });

  it('finds at most 50 places', () => {
    const index = new StatementIndex();
    for (let file = 0; file < 60; file++) index.set(`file ${file}`, [charged]);
    assert.lengthOf(placesOf(index, 'order 7 charged'), 50);
  });

  it('replaces and removes the statements of a file', () => {
    const index = new StatementIndex();
    index.set('a', [charged]);
    index.set('a', [refunded]);
    assert.isEmpty(placesOf(index, 'order 7 charged'));
    assert.deepEqual(placesOf(index, 'order 7 refunded'), ['a:8']);
    assert.equal(index.size, 1);
    index.delete('a');
    index.delete('a');
    assert.isEmpty(placesOf(index, 'order 7 refunded'));
    assert.deepInclude(index, { size: 0, bytes: 0 });
  });

  it('keeps no file that it has no room for, and no statement without text', () => {
    const index = new StatementIndex(3000);
    assert.isTrue(index.set('a', [charged, statement(message`${'error'}`)]));
    assert.equal(index.size, 1);
    const many = Array.from({ length: 20 }, () => charged);
    assert.isFalse(index.set('b', many));
    assert.deepEqual([...index.files], ['a']);
    assert.isBelow(index.bytes, 3000);
  });
});
