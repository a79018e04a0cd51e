import { assert } from 'chai';
import {
  hostName,
  httpsUrl,
  makeConnection,
  offerName,
  proposalOf,
  readConnections,
  secretKeyOf,
} from '../../../src/connection/connections';
import { covers } from '../covers';

describe('Connections', () => {
  it('reads the setting and skips invalid entries', () => {
    const found = readConnections([
      { name: 'production', baseUrl: 'https://cp.example/' },
      { name: 'production', baseUrl: 'https://other.example' },
      { name: 'plain', baseUrl: 'http://cp.example' },
      { name: ' ', baseUrl: 'https://cp.example' },
      { name: 7, baseUrl: 'https://cp.example' },
      null,
      'text',
      { name: ' local ', baseUrl: 'http://127.0.0.1:8080/v1/api' },
    ]);
    assert.deepEqual(found, [
      { name: 'production', baseUrl: 'https://cp.example', origin: 'https://cp.example' },
      { name: 'local', baseUrl: 'http://127.0.0.1:8080', origin: 'http://127.0.0.1:8080' },
    ]);
    for (const setting of [undefined, null, 'text', {}, 7]) {
      assert.isEmpty(readConnections(setting), JSON.stringify(setting));
    }
  });

  it('names a connection after the host of its URL', () => {
    assert.equal(hostName('https://cp.example:8443/path/v1/api'), 'cp.example:8443');
    assert.equal(hostName('not a url'), '');
    assert.lengthOf(hostName(`https://${'long.'.repeat(20)}example`), 64);
  });

  describe('the suggested name', () => {
    const one = makeConnection('one', 'https://one.example')!;
    const host = makeConnection('two.example', 'https://elsewhere.example')!;
    const second = makeConnection('two.example 2', 'https://third.example')!;

    it('is the host, if no other connection has that name', () => {
      const offer = { name: 'two.example', isToBeAsked: false };
      assert.deepEqual(offerName('https://two.example', [one]), offer);
    });

    it('is free and has to be confirmed, if another connection has the name of the host', () => {
      const offer = { name: 'two.example 3', isToBeAsked: true };
      assert.deepEqual(offerName('https://two.example', [one, host, second]), offer);
    });

    it('is that of the connection with this URL, and has to be confirmed unless only the key changes', () => {
      const url = 'https://one.example/v1/api/';
      const offer = { name: 'one', isToBeAsked: true };
      assert.deepEqual(offerName(url, [host, one]), offer);
      assert.deepEqual(offerName(url, [host, one], host), offer);
      assert.deepEqual(offerName(url, [host, one], one), { ...offer, isToBeAsked: false });
    });

    it('is short enough for a long host', () => {
      const url = `https://${'long.'.repeat(20)}example`;
      const taken = makeConnection(hostName(url), 'https://one.example')!;
      const { name } = offerName(url, [taken]);
      assert.isAtMost(name.length, 64);
      assert.isDefined(makeConnection(name, url));
    });
  });

  describe(`a proposed connection ${covers('F89', 'unit')}`, () => {
    const known = [
      makeConnection('one', 'https://one.example')!,
      makeConnection('two', 'https://two.example/a')!,
    ];
    const propose = (name: string | undefined, url: string) => {
      const { connection, isKnown, replaced, namesake } = proposalOf(name, url, known)!;
      const { baseUrl } = connection;
      return [connection.name, baseUrl, isKnown, replaced?.name, namesake?.name];
    };

    it('is known only with the same name and URL', () => {
      const one = ['one', 'https://one.example', true, undefined, undefined];
      assert.deepEqual(propose('one', 'https://one.example/'), one);
      assert.deepEqual(propose(undefined, 'https://one.example/v1/api'), one);
      const other = ['other', 'https://one.example', false, undefined, undefined];
      assert.deepEqual(propose('other', 'https://one.example'), other);
      const fresh = ['new.example', 'https://new.example', false, undefined, undefined];
      assert.deepEqual(propose(undefined, 'https://new.example'), fresh);
    });

    it('may change the path of a connection, but never its origin', () => {
      const path = ['two', 'https://two.example/b', false, 'two', undefined];
      assert.deepEqual(propose('two', 'https://two.example/b'), path);
      const origin = ['one 2', 'https://evil.example', false, undefined, 'one'];
      assert.deepEqual(propose('one', 'https://evil.example'), origin);
      const port = ['one 2', 'https://one.example:8443', false, undefined, 'one'];
      assert.deepEqual(propose('one', 'https://one.example:8443'), port);
    });

    it('is none without a valid name and URL', () => {
      assert.isUndefined(proposalOf('x'.repeat(65), 'https://one.example', known));
      assert.isUndefined(proposalOf('one', 'http://one.example', known));
    });
  });

  it('stores a key for a name and an origin, whatever the path, so that they cannot be mixed up', () => {
    const keyOf = (name: string, url: string) => secretKeyOf(makeConnection(name, url)!);
    const keys = [
      keyOf('a', 'https://one.example'),
      keyOf('a', 'https://two.example'),
      keyOf('b', 'https://one.example'),
      keyOf('a', 'https://one.example:8443'),
      keyOf('a', 'http://localhost'),
      keyOf('a', 'https://localhost'),
    ];
    assert.lengthOf(new Set(keys), keys.length);
    assert.equal(keyOf('a', 'https://one.example/path'), keys[0]);
  });

  describe('a URL to open', () => {
    it('is https, in canonical form', () => {
      assert.equal(httpsUrl('HTTPS://Preview.Example/a?b#c'), 'https://preview.example/a?b#c');
    });

    for (const text of [
      undefined,
      '',
      'preview.example',
      'http://preview.example',
      'command:workbench.action.quit',
      'vscode://file/etc/passwd',
      'https://user@preview.example',
      'https://:password@preview.example',
      'https://user:password@preview.example',
      'https://preview.example\\@evil.example',
      'https://preview.example/ a',
      `https://preview.example/${'a'.repeat(2000)}`,
    ]) {
      it(`is not ${JSON.stringify(text?.slice(0, 50))}`, () => {
        assert.isUndefined(httpsUrl(text));
      });
    }
  });
});
