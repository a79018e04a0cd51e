import { assert } from 'chai';
import type { Resource } from '../../../src/api/types';
import { isNameOf, matchSource, remoteName } from '../../../src/deployed/sourceMatch';
import type { Target } from '../../../src/data/targets';
import { covers } from '../covers';
import { isLinear } from '../linear';
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

interface Given {
  readonly listings?: Record<string, readonly Resource[]>;
  readonly held?: string[];
  readonly unknown?: string[];
  readonly urls?: string[];
}

/** The labels (otherwise ids) of the matching sources, and the reason. */
function match(
  sources: readonly Target[],
  { listings = {}, held = [], unknown = [], urls = remotes }: Given = {},
): string {
  const result = matchSource({
    remotes: urls,
    sources,
    resourcesOf: ({ id }) => listings[id],
    holds: (sha) => (unknown.includes(sha) ? undefined : held.includes(sha)),
  });
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

  it('finds it by the name that the control plane has for it, whatever its label', () => {
    const listed = { id: uuid(7), isListed: true, listedName: 'example-shop/shop-web' } as const;
    assert.equal(match([listed, services]), `${uuid(7)} by name`);
    assert.equal(match([{ ...listed, label: 'Shop' }, services]), 'Shop by name');
  });

  it('prefers a name with its owner', () => {
    const exact = { id: uuid(4), label: 'example-shop/shop-web' };
    assert.equal(match([web, exact]), 'example-shop/shop-web by name');
    assert.equal(match([{ id: uuid(5), label: 'elsewhere/shop-web' }, web]), 'shop-web by name');
  });

  const both = [services, nameless];
  const revisions = {
    [services.id]: resources({ sourceRevision: a }),
    [nameless.id]: resources({ sourceRevision: b }),
  };

  it('finds the source whose commit is in the repository, whatever the names', () => {
    const matchOf = (given: Given): string => match(both, { listings: revisions, ...given });
    assert.equal(matchOf({ held: [a] }), 'Services by commit');
    assert.equal(matchOf({ held: [b], urls: [] }), `${uuid(3)} by commit`);
    assert.equal(matchOf({ held: [a, b] }), `Services, ${uuid(3)}`, 'the user must choose');
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
    assert.equal(match(both, { listings }), 'Services by resource');
    const others = { ...listings, [nameless.id]: resources({ name: 'shop-web' }) };
    assert.equal(match(both, { listings: others }), 'none');
  });

  it('waits for unknown data, so that a result is never withdrawn', () => {
    const { [nameless.id]: _unread, ...listings } = revisions;
    assert.equal(match(both, { listings, held: [a] }), 'none');
    assert.equal(match(both, { listings: revisions, held: [a], unknown: [b] }), 'none');
  });

  it('does not accept the beginning of a hash, or an option of Git, as a commit', () => {
    for (const sourceRevision of ['abcdef1', '--output=/tmp/x', `${a}\n`, `x${a}`]) {
      const listings = { [nameless.id]: resources({ sourceRevision }) };
      const given = { listings, held: [sourceRevision], urls: [] };
      assert.equal(match([nameless], given), 'none', sourceRevision);
    }
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

  it(`are read in linear time, whatever a name is ${covers('F90', 'unit')}`, () => {
    for (const sign of ['?', '#', '/', '?\n', '@', ':', '/_git']) {
      for (const start of ['', 'https://', 'git@a:']) {
        isLinear(
          2000,
          (length) => `${start}${sign.repeat(length / sign.length)}\nx`,
          (text) => remoteName(text),
          start + sign,
        );
      }
    }
  });
});
