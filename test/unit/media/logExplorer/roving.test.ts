import { assert } from 'chai';
import { nextButton, rove } from '../../../../media/logExplorer/roving';

const grid = [
  ['a1', 'a2', 'a3'],
  ['b1', 'b2'],
  ['c1', 'c2', 'c3'],
];
const toolbar = [['one', 'two', 'three']];

describe('keys between the buttons', () => {
  for (const [what, buttons, from, expected] of [
    [
      'of a grid',
      grid,
      [0, 2],
      { ArrowUp: undefined, ArrowDown: 'b2', ArrowLeft: 'a2', Home: 'a3', End: 'c3', x: undefined },
    ],
    ['of the last row', grid, [2, 0], { ArrowUp: 'b1', ArrowDown: undefined, ArrowRight: 'c2' }],
    [
      'of a toolbar',
      toolbar,
      [0, 1],
      { ArrowLeft: 'one', ArrowRight: 'three', Home: 'one', End: 'three', ArrowDown: undefined },
    ],
    ['at the end of a toolbar', toolbar, [0, 2], { ArrowRight: undefined, ArrowLeft: 'two' }],
  ] as const) {
    it(what, () => {
      for (const [key, to] of Object.entries(expected)) {
        assert.equal(nextButton<string>(buttons, from[0], from[1], key), to, key);
      }
    });
  }

  it('are listened to once, however often the buttons change', () => {
    let listeners = 0;
    const table = { children: [], addEventListener: () => listeners++ } as unknown as HTMLElement;
    const roving = rove(table);
    for (let times = 0; times < 100; times++) roving.update();
    assert.equal(listeners, 2);
  });
});
