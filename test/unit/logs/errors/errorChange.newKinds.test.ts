import { assert } from 'chai';
import { type ErrorChange, type ErrorKind, kindOf } from '../../../../src/logs/errors/errorKind';
import { hour, minute } from '../../../../src/base/clock';
import { NewKinds } from '../../../../src/logs/errors/errorChange';
import { errorAt } from './errorRecords';

function kind(key: string, change?: ErrorChange): ErrorKind {
  const error = { record: errorAt(1, key), at: 1, places: [], bytes: 1 };
  return { ...kindOf(key, key, [error]), change };
}

describe('new kinds of errors', () => {
  it('are those that became new since the last look, each once', () => {
    const news = new NewKinds();
    let time = 0;
    const keys = (...kinds: ErrorKind[]): string[] =>
      news.look(kinds, 1, (time += minute)).map(({ key }) => key);
    assert.isEmpty(keys(kind('old', 'new'), kind('other')));
    assert.deepEqual(keys(kind('old', 'new'), kind('a', 'new'), kind('b', 'more')), ['a']);
    assert.deepEqual(keys(kind('a', 'new'), kind('b', 'new')), ['b']);
    assert.isEmpty(keys(kind('a', 'new'), kind('b', 'new')));
  });

  it('are none whose pattern became more general', () => {
    const news = new NewKinds();
    news.look([kind('a of <n>\nfile')], 1, 0);
    assert.isEmpty(news.look([kind('<value> of <n>\nfile', 'new')], 1, hour));
    assert.lengthOf(news.look([kind('<value> of <n>\nother', 'new')], 1, 2 * hour), 1);
  });

  it('are none that were there when the first look began, even if their deployment is known later', () => {
    const news = new NewKinds();
    news.look([kind('old')], 1, 0);
    assert.isEmpty(news.look([kind('old', 'new')], 1, hour));
    // It was gone.
    news.look([], 1, 0);
    assert.lengthOf(news.look([kind('old', 'new')], 1, hour), 1);
  });

  it('are reported once, however many there are', () => {
    const news = new NewKinds();
    const many = Array.from({ length: 3000 }, (_, index) => kind(`${index}`, 'new'));
    news.look([], 1, 0);
    assert.lengthOf(news.look(many, 1, 0), 3000);
    assert.isEmpty(news.look(many, 1, hour));
  });

  it('are reported at most once a minute, those of the time between together', () => {
    const news = new NewKinds();
    const at = (time: number, ...keys: string[]): number =>
      news.look(
        keys.map((key) => kind(key, 'new')),
        1,
        time,
      ).length;
    assert.deepEqual(
      [at(0), at(1, 'a'), at(2, 'a', 'b'), at(3, 'a', 'b', 'c'), at(minute + 1, 'a', 'b', 'c')],
      [0, 1, 0, 0, 2],
    );
  });

  it('are none after another search', () => {
    const news = new NewKinds();
    news.look([], 1, 0);
    assert.isEmpty(news.look([kind('a', 'new')], 2, 0));
    assert.lengthOf(news.look([kind('a', 'new'), kind('b', 'new')], 2, 0), 1);
  });
});
