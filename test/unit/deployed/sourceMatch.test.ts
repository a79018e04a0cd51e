import { assert } from 'chai';
import type { Resource } from '../../../src/api/types';
import {
  isNameOf,
  matchSource,
  remoteName,
  type SourceMatch,
} from '../../../src/deployed/sourceMatch';
import type { Target } from '../../../src/data/targets';
import { read, uuid } from '../trees/treeText';

const web: Target = { id: uuid(1), label: 'shop-web' };
const services: Target = { id: uuid(2), label: 'Services' };
const nameless: Target = { id: uuid(3) };
const remotes = ['git@codehost.example:example-shop/shop-web.git'];
const a = 'a'.repeat(40);
const b = 'b'.repeat(40);

function resources(...given: object[]): readonly Resource[] {
  return read('ResourceListing', { resources: given }).resources ?? [];
}

/** The labels (otherwise ids) of the matching sources, and the reason. */
function match(
  sources: readonly Target[],
  {
    listings = {},
    held = [],
    unknown = [],
    urls = remotes,
  }: {
    listings?: Record<string, readonly Resource[]>;
    held?: string[];
    unknown?: string[];
    urls?: string[];
  } = {},
): string {
  const result = matchSource({
    remotes: urls,
    sources,
    resourcesOf: ({ id }) => listings[id],
    holds: (sha) => (unknown.includes(sha) ? undefined : held.includes(sha)),
  });
  return words(result);
}

function words(result: SourceMatch): string {
  switch (result.kind) {
    case 'none':
      return 'none';
    case 'one':
      return `${result.source.label ?? result.source.id} by ${result.by}`;
    case 'several':
      return result.sources.map(({ id, label }) => label ?? id).join(', ');
  }
}

describe('Matching a repository to a source', () => {
  it('finds the source with the name of a remote, without a request', () => {
    assert.equal(match([services, web]), 'shop-web by name');
  });

  it('prefers a name with its owner', () => {
    const exact = { id: uuid(4), label: 'example-shop/shop-web' };
    assert.equal(match([web, exact]), 'example-shop/shop-web by name');
    assert.equal(match([{ id: uuid(5), label: 'elsewhere/shop-web' }, web]), 'shop-web by name');
  });

  it('finds the source whose commit is in the repository, whatever the names', () => {
    const listings = {
      [services.id]: resources({ sourceRevision: a }, { sourceRevision: a }),
      [nameless.id]: resources({ sourceRevision: b }),
    };
    assert.equal(match([services, nameless], { listings, held: [a] }), 'Services by commit');
    assert.equal(
      match([services, nameless], { listings, held: [b], urls: [] }),
      `${uuid(3)} by commit`,
    );
  });

  it('asks the user if several sources have commits of the repository', () => {
    const listings = {
      [services.id]: resources({ sourceRevision: a }),
      [nameless.id]: resources({ sourceRevision: b }),
    };
    assert.equal(match([services, nameless], { listings, held: [a, b] }), `Services, ${uuid(3)}`);
  });

  it('decides between equal names by the commit, otherwise asks the user', () => {
    const other = { id: uuid(6), label: 'Shop-Web' };
    const listings = {
      [web.id]: resources({ sourceRevision: a }),
      [other.id]: resources({ sourceRevision: b }),
    };
    assert.equal(match([web, other], { listings, held: [b] }), 'Shop-Web by commit');
    assert.equal(match([web, other], { listings }), 'shop-web, Shop-Web');
  });

  it('finds the only source with an app named after a remote', () => {
    const listings = {
      [services.id]: resources({ name: 'payments' }, { config: { name: 'shop-web' } }),
      [nameless.id]: resources({ name: 'search' }),
    };
    assert.equal(match([services, nameless], { listings }), 'Services by resource');
    const both = { ...listings, [nameless.id]: resources({ name: 'shop-web' }) };
    assert.equal(match([services, nameless], { listings: both }), 'none');
  });

  it('waits for unknown data, so that a result is never withdrawn', () => {
    const some = { [services.id]: resources({ sourceRevision: a }) };
    assert.equal(match([services, nameless], { listings: some, held: [a] }), 'none');
    const all = { ...some, [nameless.id]: resources({ sourceRevision: b }) };
    assert.equal(match([services, nameless], { listings: all, held: [a], unknown: [b] }), 'none');
  });

  it('does not accept the beginning of a hash, or an option of Git, as a commit', () => {
    const asked: string[] = [];
    const given = resources(
      { sourceRevision: 'abcdef1' },
      { sourceRevision: '--output=/tmp/x' },
      { sourceRevision: `${a}\n` },
    );
    const result = matchSource({
      remotes: [],
      sources: [nameless],
      resourcesOf: () => given,
      holds(sha) {
        asked.push(sha);
        return true;
      },
    });
    assert.equal(words(result), 'none');
    assert.deepEqual(asked, []);
  });

  it('reads at most fifty sources', () => {
    const many = Array.from({ length: 80 }, (_, index) => ({ id: uuid(100 + index) }));
    const asked = new Set<string>();
    matchSource({
      remotes,
      sources: many,
      resourcesOf({ id }) {
        asked.add(id);
        return [];
      },
      holds: () => false,
    });
    assert.equal(asked.size, 50);
  });
});

describe('Names of remotes', () => {
  const forms: readonly (readonly [url: string, path: string])[] = [
    ['https://codehost.example/example-shop/shop-web.git', 'example-shop/shop-web'],
    ['https://user:token@codehost.example:8443/Example-Shop/Shop-Web/', 'example-shop/shop-web'],
    ['ssh://git@codehost.example:22/example-shop/shop-web', 'example-shop/shop-web'],
    ['git@codehost.example:example-shop/shop-web.git', 'example-shop/shop-web'],
    ['codehost.example:shop-web', 'shop-web'],
    ['https://codehost.example/group/sub%20group/shop-web', 'group/sub group/shop-web'],
    [
      'https://codehost.example/organisation/project/_git/shop-web',
      'organisation/project/shop-web',
    ],
    ['git://codehost.example/shop-web.git?ref=main#x', 'shop-web'],
    ['/srv/git/shop-web.git', 'srv/git/shop-web'],
    ['C:\\git\\shop-web', 'c:/git/shop-web'],
    ['file:///srv/git/shop-web', 'srv/git/shop-web'],
    ['https://codehost.example/100%/shop-web', '100%/shop-web'],
  ];
  for (const [url, path] of forms) {
    it(`are read from ${url}`, () => {
      assert.deepEqual(remoteName(url), { name: path.split('/').at(-1)!, path });
    });
  }

  it('are empty if there is no name', () => {
    for (const url of ['', 'https://codehost.example', 'https://codehost.example/', '.git', '/']) {
      assert.isUndefined(remoteName(url), url);
    }
  });

  it('match with or without owner or address, and nothing else', () => {
    const remote = remoteName('git@codehost.example:example-shop/shop-web.git')!;
    const names = ['shop-web', ' Shop-Web ', 'example-shop/shop-web'];
    for (const text of [...names, 'https://codehost.example/example-shop/shop-web']) {
      assert.isTrue(isNameOf(text, remote), text);
    }
    for (const text of ['web', 'shop', 'example-shop', 'other/shop-web', '', 'shop-web-2']) {
      assert.isFalse(isNameOf(text, remote), text);
    }
  });
});
