import { assert } from 'chai';
import { makeConnection, readConnections, secretKeyOf } from '../../../src/workspace/connections';

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
