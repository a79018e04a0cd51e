import { assert } from 'chai';
import { BarChoice } from '../../../../media/logExplorer/barChoice';

/** The places from the first to the last chosen bar. */
function chosen({ buckets }: BarChoice): readonly number[] | undefined {
  return buckets && [buckets.first, buckets.last];
}

describe('choice of bars', () => {
  it('is one bar, or those from the first to the current one in either direction', () => {
    const choice = new BarChoice();
    assert.isUndefined(chosen(choice));
    choice.choose(5);
    assert.deepEqual(chosen(choice), [5, 5]);
    choice.choose(8, true);
    choice.choose(2, true);
    assert.deepEqual([choice.current, chosen(choice)], [2, [2, 5]]);
    choice.choose(7);
    assert.deepEqual(chosen(choice), [7, 7]);
    choice.choose(undefined);
    assert.isUndefined(chosen(choice));
    choice.choose(4, true);
    assert.deepEqual(chosen(choice), [4, 4]);
  });

  it('begins at a bar that was suggested, which changes no choice', () => {
    const choice = new BarChoice();
    choice.suggest(9);
    choice.suggest(3);
    assert.deepEqual(chosen(choice), [9, 9]);
    choice.choose(6, true);
    assert.deepEqual(chosen(choice), [6, 9]);
  });

  it('moves with its bars, as far as these are still there', () => {
    const choice = new BarChoice();
    choice.choose(3);
    choice.choose(6, true);
    choice.move((place) => place - 2);
    assert.deepEqual(chosen(choice), [1, 4]);
    choice.move((place) => (place < 3 ? undefined : place));
    assert.deepEqual(chosen(choice), [4, 4]);
    choice.move(() => undefined);
    assert.isUndefined(chosen(choice));
  });

  it('moves by keys within the bars, from the last one if there is no choice', () => {
    const goals = (at: number | undefined): (number | undefined)[] => {
      const choice = new BarChoice();
      choice.choose(at);
      return ['ArrowLeft', 'ArrowRight', 'PageUp', 'PageDown', 'Home', 'End'].map((key) =>
        choice.goal(key, 30),
      );
    };
    assert.deepEqual(goals(undefined), [28, 29, 19, 29, 0, 29]);
    assert.deepEqual(goals(0), [0, 1, 0, 10, 0, 29]);
    assert.deepEqual(goals(15), [14, 16, 5, 25, 0, 29]);
    assert.isUndefined(new BarChoice().goal('a', 30));
  });
});
