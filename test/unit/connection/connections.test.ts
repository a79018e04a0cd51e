import { assert } from 'chai';
import {
  hostName,
  makeConnection,
  offerName,
  readConnections,
  secretKeyOf,
} from '../../../src/connection/connections';

describe('connections', () => {
  it('reads the setting and leaves out what is no connection', () => {
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
  });

  for (const setting of [undefined, null, 'text', {}, 7]) {
    it(`reads ${JSON.stringify(setting)} as no connection`, () => {
      assert.deepEqual(readConnections(setting), []);
    });
  }

  it('calls a connection by the host of its URL', () => {
    assert.equal(hostName('https://cp.example:8443/path/v1/api'), 'cp.example:8443');
    assert.equal(hostName('not a url'), '');
    assert.lengthOf(hostName(`https://${'long.'.repeat(20)}example`), 64);
  });

  describe('offers a name', () => {
    const one = makeConnection('one', 'https://one.example')!;
    const host = makeConnection('two.example', 'https://elsewhere.example')!;
    const second = makeConnection('two.example 2', 'https://third.example')!;

    it('by the host, where it is no other one', () => {
      const offer = { name: 'two.example', isKnown: false, isToBeAsked: false };
      assert.deepEqual(offerName('https://two.example', [one]), offer);
    });

    it('that is free, to be asked for, where the host is the name of another one', () => {
      const offer = { name: 'two.example 3', isKnown: false, isToBeAsked: true };
      assert.deepEqual(offerName('https://two.example', [one, host, second]), offer);
    });

    it('of the connection with this URL, to be asked for unless it is to have another key', () => {
      const url = 'https://one.example/v1/api/';
      const offer = { name: 'one', isKnown: true, isToBeAsked: true };
      assert.deepEqual(offerName(url, [host, one]), offer);
      assert.deepEqual(offerName(url, [host, one], host), offer);
      assert.deepEqual(offerName(url, [host, one], one), { ...offer, isToBeAsked: false });
    });

    it('that fits, where the host is long', () => {
      const url = `https://${'long.'.repeat(20)}example`;
      const taken = makeConnection(hostName(url), 'https://one.example')!;
      const { name } = offerName(url, [taken]);
      assert.isAtMost(name.length, 64);
      assert.isDefined(makeConnection(name, url));
    });
  });

  it('keeps a key for a connection and its origin, so that neither can stand for another', () => {
    const keys = [
      makeConnection('a', 'https://one.example'),
      makeConnection('a', 'https://two.example'),
      makeConnection('b', 'https://one.example'),
      makeConnection('a', 'https://one.example:8443'),
      makeConnection('a', 'http://localhost'),
      makeConnection('a', 'https://localhost'),
    ].map((connection) => secretKeyOf(connection!));
    assert.lengthOf(new Set(keys), keys.length);
  });

  it('gives the same key for paths of one origin', () => {
    const [one, two] = ['https://cp.example/a', 'https://cp.example/b'].map((url) =>
      secretKeyOf(makeConnection('x', url)!),
    );
    assert.equal(one, two);
  });
});
