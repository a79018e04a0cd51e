import { assert } from 'chai';
import { PushDetector, type PushReader, type TrackedBranch } from '../../../src/commits/pushes';

/** `a` to `e` are a line; `b2` is an amended `b`; `x` is what a colleague made on `c`. */
const parents: Readonly<Record<string, string | undefined>> = {
  ...{ b: 'a', c: 'b', d: 'c', e: 'd', b2: 'a', x: 'c' },
};

function lineOf(commit: string): string[] {
  const parent = parents[commit];
  return parent === undefined ? [commit] : [commit, ...lineOf(parent)];
}

const reader: PushReader = {
  count(from, to) {
    if (from === 'gone') return Promise.reject(new Error('bad revision'));
    const has = new Set(lineOf(from));
    return Promise.resolve(lineOf(to).filter((one) => !has.has(one)).length);
  },
  upstreamMoves: () => Promise.resolve([]),
};

const at = (commit: string, pushed?: string, more: Partial<TrackedBranch> = {}): TrackedBranch => ({
  ...{ repository: 'file:///shop', branch: 'main', upstream: pushed && 'origin/main' },
  ...{ pushed, commit, ...more },
});

/** What each change was taken for: the pushed commit, or nothing. */
async function pushesOf(...changes: (TrackedBranch | undefined)[]): Promise<string> {
  const detector = new PushDetector({ now: () => 0 });
  const seen: string[] = [];
  for (const change of changes) {
    const push = await detector.see('file:///shop', change, reader);
    seen.push(push === undefined ? '-' : `${push.before ?? 'new'}>${push.sha}`);
  }
  return seen.join(' ');
}

describe('A push of the checked-out branch, of which Git keeps no log', () => {
  const other = { branch: 'topic', upstream: 'origin/topic' };
  const cases: readonly (readonly [what: string, (TrackedBranch | undefined)[], seen: string])[] = [
    ['is not what a window finds when it opens', [at('b', 'b')], '-'],
    ['moves the upstream to HEAD', [at('b', 'a'), at('b', 'b')], '- a>b'],
    ['is seen once', [at('b', 'a'), at('b', 'b'), at('b', 'b'), at('c', 'b')], '- a>b - -'],
    ['of a part of the commits', [at('d', 'a'), at('d', 'c')], '- a>c'],
    ['is not guessed with the commit in one step', [at('a', 'a'), at('b', 'b')], '- -'],
    ['of a new branch', [at('b'), at('b', 'b')], '- new>b'],
    ['of an amended commit, by force', [at('b2', 'b'), at('b2', 'b2')], '- b>b2'],
    ['back to an older commit, by force', [at('b', 'd'), at('b', 'b')], '- d>b'],
    ['twice in a row', [at('b', 'a'), at('b', 'b'), at('c', 'b'), at('c', 'c')], '- a>b - b>c'],
    ['from elsewhere, shown by a fetch', [at('c', 'a'), at('c', 'b')], '- a>b'],
    ['is no pull', [at('c', 'c'), at('x', 'x')], '- -'],
    ['is no fetch of what others made', [at('c', 'c'), at('c', 'x'), at('x', 'x')], '- - -'],
    ['is no force push of others', [at('d', 'd'), at('d', 'b')], '- -'],
    ['is no checkout', [at('b', 'a'), at('c', 'c', other), at('b', 'a')], '- - -'],
    ['is no other upstream', [at('c', 'a'), at('c', 'b', { upstream: 'fork/main' })], '- -'],
    ['is no return to a branch', [at('b', 'a'), undefined, at('b', 'b')], '- - -'],
    ['is not guessed if a commit is missing', [at('gone', 'a'), at('gone', 'b')], '- -'],
  ];
  for (const [what, changes, seen] of cases) {
    it(what, async () => assert.equal(await pushesOf(...changes), seen));
  }
});
