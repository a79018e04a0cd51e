import { assert } from 'chai';
import { PageQuery, emptyQuery } from '../../../../media/logExplorer/pageQuery';
import type { Panel } from '../../../../media/logExplorer/panel';
import type { Request } from '../../../../src/logs/explorer/protocol/messages';
import { settle } from '../../fakeClock';

/** A panel that answers when the test says so, and a clock that stands still. */
function scene() {
  const asked: (Request & {
    answer: (value: unknown) => Promise<void>;
    refuse: () => Promise<void>;
  })[] = [];
  const reported: unknown[] = [];
  const timers = new Set<() => void>();
  const ask = (kind: string, rest: object) =>
    new Promise((resolve, reject) => {
      asked.push({
        ...({ kind, ...rest } as Request),
        answer: (value) => (resolve(value), settle()),
        refuse: () => (reject(new Error('no')), settle()),
      });
    });
  const search = new PageQuery(
    ask as Panel['ask'],
    (error) => reported.push(error),
    (_ms, then) => {
      timers.add(then);
      return () => timers.delete(then);
    },
  );
  return {
    search,
    asked,
    reported,
    wait: async () => {
      const due = [...timers];
      timers.clear();
      for (const then of due) then();
      await settle();
    },
  };
}

const says = (text: string, more: Partial<typeof emptyQuery> = {}) => ({
  ...emptyQuery,
  text,
  ...more,
});
const wrong = [{ start: 0, end: 1, message: 'wrong' }];

describe('query of the page', () => {
  it('is parsed after typing; answers for earlier texts are ignored', async () => {
    const { search, asked, wait } = scene();
    search.type('a');
    search.type('ab');
    await wait();
    assert.deepEqual(
      asked.map((one) => one.kind),
      ['parse'],
    );
    search.type('abc');
    await asked[0]!.answer(says('ab', { severities: ['error'] }));
    assert.deepEqual(search.parsed.severities, []);
    assert.equal(search.text, 'abc');
    await wait();
    await asked[1]!.answer(says('abc', { severities: ['warn'] }));
    assert.deepEqual(search.parsed.severities, ['warn']);
  });

  it('keeps its parts while the typed text is wrong', async () => {
    const { search, asked, wait } = scene();
    search.apply(says('severity:error', { severities: ['error'] }));
    search.type('severity:');
    await wait();
    await asked[0]!.answer(says('severity:', { errors: wrong }));
    assert.deepEqual(search.parsed.severities, ['error']);
    assert.lengthOf(search.errors, 1);
  });

  it('is parsed when it runs, and does not run while it is wrong', async () => {
    const { search, asked } = scene();
    let blocked = 0;
    search.onBlocked(() => blocked++);
    search.type('x');
    const running = search.run();
    // The panel runs what it has read, unless something is wrong with it.
    assert.deepInclude(asked[0], { kind: 'parse', text: 'x', run: true });
    await asked[0]!.answer(says('x', { errors: wrong }));
    await running;
    assert.equal(blocked, 1);
    await search.run();
    assert.equal(blocked, 2);
    assert.lengthOf(asked, 1);
    search.type('y');
    const again = search.run();
    assert.deepInclude(asked[1], { kind: 'parse', text: 'y', run: true });
    await asked[1]!.answer(says('y'));
    await again;
    assert.lengthOf(asked, 2);
    const once = search.run();
    assert.deepInclude(asked[2], { kind: 'parse', text: 'y', run: true });
    await asked[2]!.answer(says('y'));
    await once;
    assert.equal(blocked, 2);
  });

  it('is saved or linked whether it ran or not, but not while it is wrong', async () => {
    const { search, asked, reported } = scene();
    const used: string[] = [];
    const use = (text: string): Promise<unknown> => Promise.resolve(used.push(text));
    let blocked = 0;
    search.onBlocked(() => blocked++);
    search.type('severity:');
    const wrongly = search.use(use);
    await asked[0]!.answer(says('severity:', { errors: wrong }));
    await wrongly;
    assert.deepEqual([used, blocked], [[], 1]);
    search.type('severity:error');
    const rightly = search.use(use);
    await asked[1]!.answer(says('severity:error'));
    await rightly;
    assert.deepEqual(used, ['severity:error']);
    assert.lengthOf(asked, 2);
    await search.use(() => Promise.reject(new Error('no')));
    assert.lengthOf(reported, 1);
  });

  it('is changed and run in one step, but not while it is wrong', async () => {
    const { search, asked } = scene();
    search.apply(says('a'));
    const narrowing = search.narrow({ kind: 'range', range: { last: '15m' } });
    await settle();
    assert.deepInclude(asked[0], { kind: 'edit', text: 'a' });
    await asked[0]!.answer(says('a last:15m', { range: { last: '15m' } }));
    assert.deepInclude(asked[1], { kind: 'parse', text: 'a last:15m', run: true });
    await asked[1]!.answer(says('a last:15m'));
    await narrowing;
    search.apply(says('a', { errors: wrong }));
    let blocked = 0;
    search.onBlocked(() => blocked++);
    assert.isFalse(await search.edit({ kind: 'removeChip', index: 0 }));
    await search.run();
    assert.lengthOf(asked, 2);
    assert.equal(blocked, 2);
  });

  it('makes one change after the other', async () => {
    const { search, asked } = scene();
    search.apply(says('a'));
    const both = Promise.all([
      search.edit({ kind: 'severities', severities: ['error'] }),
      search.edit(({ severities }) => ({
        kind: 'severities',
        severities: [...severities, 'fatal'],
      })),
    ]);
    await settle();
    assert.lengthOf(asked, 1);
    await asked[0]!.answer(says('severity:error', { severities: ['error'] }));
    assert.deepInclude(asked[1], {
      text: 'severity:error',
      edit: { kind: 'severities', severities: ['error', 'fatal'] },
    });
    await asked[1]!.answer(says('severity:error,fatal'));
    assert.deepEqual(await both, [true, true]);
  });

  it('is not changed if the user types in the meantime', async () => {
    const { search, asked } = scene();
    search.apply(says('a'));
    const editing = search.edit({ kind: 'removeChip', index: 0 });
    await settle();
    search.type('ab');
    await asked[0]!.answer(says(''));
    assert.isFalse(await editing);
    assert.equal(search.text, 'ab');
  });

  it('reports errors of the panel', async () => {
    const { search, asked, reported } = scene();
    const running = search.run();
    await asked[0]!.refuse();
    await running;
    assert.lengthOf(reported, 1);
  });
});
