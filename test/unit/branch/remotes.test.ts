import { assert } from 'chai';
import { isNameOf, remoteName } from '../../../src/branch/sourceMatch';

describe('names of remotes', () => {
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
    it(`reads ${url}`, () => {
      assert.deepEqual(remoteName(url), { name: path.split('/').at(-1)!, path });
    });
  }

  it('names nothing where there is no name', () => {
    for (const url of ['', 'https://codehost.example', 'https://codehost.example/', '.git', '/']) {
      assert.isUndefined(remoteName(url), url);
    }
  });

  it('is named by its name, with or without its owner or address, and by nothing else', () => {
    const remote = remoteName('git@codehost.example:example-shop/shop-web.git')!;
    for (const text of [
      'shop-web',
      ' Shop-Web ',
      'example-shop/shop-web',
      'https://codehost.example/example-shop/shop-web',
    ]) {
      assert.isTrue(isNameOf(text, remote), text);
    }
    for (const text of ['web', 'shop', 'example-shop', 'other/shop-web', '', 'shop-web-2']) {
      assert.isFalse(isNameOf(text, remote), text);
    }
  });
});
