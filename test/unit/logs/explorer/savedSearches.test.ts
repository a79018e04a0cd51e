import { assert } from 'chai';
import fc from 'fast-check';
import {
  canRun,
  hasIds,
  hasRoomFor,
  readSavedSearches,
  withoutSearch,
  withRenamedSearch,
  withSavedSearch,
  linkTo,
  queryOfLink,
} from '../../../../src/logs/explorer/savedSearches';
import { anyText } from '../anyText';

const id = '6c2b3f91-1d2e-4f30-9b4c-5d6e7f809102';
const here = 'https://one.example';

describe('saved searches', () => {
  it('are read from any value', () => {
    const good = { name: 'errors', query: 'severity:error' };
    assert.deepEqual(
      readSavedSearches([
        good,
        { name: ' errors ', query: 'again' },
        { name: 'mine', query: 'x', origin: here, more: 1 },
        { name: '', query: 'x' },
        { name: 'long', query: 'x'.repeat(70_000) },
        { name: 1, query: 'x' },
        null,
        'x',
      ]),
      [good, { name: 'mine', query: 'x', origin: here }],
    );
    for (const value of [undefined, null, {}, 'x']) assert.deepEqual(readSavedSearches(value), []);
    const many = Array.from({ length: 300 }, (_, index) => ({ name: `${index}`, query: '' }));
    assert.lengthOf(readSavedSearches(many), 200);
  });

  it('replace the search with the same name', () => {
    const [first, second] = [
      { name: 'a', query: 'x' },
      { name: 'b', query: 'y' },
    ];
    const all = withSavedSearch([first, second], { name: 'a', query: 'z' }, here);
    assert.deepEqual(all, [{ name: 'a', query: 'z' }, second]);
    assert.deepEqual(withSavedSearch([first], second, here), [first, second]);
  });

  it('have room for those that can be read again', () => {
    const named = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ name: `search ${index}`, query: 'x' }));
    assert.isTrue(hasRoomFor(named(199), 'a new one'));
    assert.isFalse(hasRoomFor(named(200), 'a new one'));
    assert.isTrue(hasRoomFor(named(200), 'search 7'));
  });

  it('are deleted and renamed in place', () => {
    const all = ['a', 'b', 'c'].map((name) => ({ name, query: `${name} query` }));
    const names = (searches: readonly { name: string }[]): string[] =>
      searches.map(({ name }) => name);
    assert.deepEqual(names(withoutSearch(all, 'b')), ['a', 'c']);
    const renamed = withRenamedSearch(all, 'b', 'x');
    assert.deepEqual(names(renamed), ['a', 'x', 'c']);
    assert.equal(renamed[1]?.query, 'b query');
    assert.deepEqual(names(withRenamedSearch(all, 'b', 'c')), ['a', 'c']);
    assert.deepEqual(withRenamedSearch(all, 'b', 'b'), all);
  });

  it('do not run with ids of another control plane', () => {
    const [saved] = withSavedSearch([], { name: 'a', query: `server:${id}` }, here);
    if (saved === undefined) assert.fail();
    assert.equal(saved.origin, here);
    assert.isTrue(canRun(saved, here));
    assert.isFalse(canRun(saved, 'https://two.example'));
    const [plain] = withSavedSearch([], { name: 'a', query: 'severity:error' }, here);
    if (plain === undefined) assert.fail();
    assert.isTrue(canRun(plain, 'https://two.example'));
  });

  it('detect ids', () => {
    for (const query of [
      `workload:${id}`,
      `preview!=${id}`,
      `trace:${'a'.repeat(32)}`,
      'spanId:1',
    ]) {
      assert.isTrue(hasIds(query), query);
    }
    for (const query of [
      'workload:web',
      'service:x attr.userId=42 attr.spanId!=1',
      'spanId:*',
      '(',
    ]) {
      assert.isFalse(hasIds(query), query);
    }
  });
});

describe('links to searches', () => {
  it('return any query after VS Code decodes them', () => {
    const tricky = fc.constantFrom('a&b', 'a=b&q=c', '100%', '%41', 'a+b', '#x', '?', '');
    fc.assert(
      fc.property(fc.oneof(anyText(30), tricky), (query) => {
        const [path = '', encoded = '', ...more] = linkTo(query).split('?');
        assert.isEmpty(more);
        assert.match(encoded, /^q=[^&+# ]*$/);
        const decoded = decodeURIComponent(encoded);
        assert.equal(queryOfLink(path, decoded), query.replace(/\p{Surrogate}/gu, '\ufffd'));
      }),
    );
  });

  it('contain only a query, even with further parameters', () => {
    const query = 'a&baseUrl=https://evil.example&key=x';
    assert.equal(queryOfLink('/logs', `q=${query}`), query);
    for (const [path, other] of [
      ['/logs', ''],
      ['/logs', 'query=a'],
      ['/logs', 'key=x&q=a'],
      ['/logs/', 'q=a'],
      ['/other', 'q=a'],
      ['/logs', `q=${'x'.repeat(70_000)}`],
    ] as const) {
      assert.isUndefined(queryOfLink(path, other), path + other.slice(0, 20));
    }
  });
});
