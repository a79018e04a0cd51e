import { assert } from 'chai';
import fc from 'fast-check';
import { linkToRecord, recordOfLink } from '../../../../src/logs/explorer/recordLinks';
import { sampleRecord } from '../sampleRecord';

const containerId = 'c'.repeat(64);
const origin = 'https://control.example.com:8443';

/** What VS Code passes on of a link that was clicked. */
function clicked(link: string | undefined): [path: string, query: string] {
  assert(link !== undefined);
  const [path = '', query = ''] = link.split('?');
  return [path, decodeURIComponent(query)];
}

describe('A link to a record', () => {
  it('says where it is, for any id, and nothing of what it says', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[^\n\ud800-\udfff]{1,40}$/u), (eventId) => {
        fc.pre(eventId.trim() !== '');
        const record = sampleRecord({ eventId, containerId, body: 'secret body' });
        const link = linkToRecord(record, origin);
        const { timestamp } = record;
        const place = { eventId, containerId, timestamp, ingestedAt: timestamp };
        assert.deepEqual(recordOfLink(...clicked(link)), { place, origin });
        assert.notInclude(link ?? '', 'secret');
      }),
    );
  });

  it('is none for a record that cannot be found again', () => {
    for (const change of [{ containerId: 'web-1' }, { eventId: ' ' }, { eventId: 'a\nb' }]) {
      assert.isUndefined(linkToRecord(sampleRecord({ containerId, ...change }), origin));
    }
    const noTime = { timestamp: 'yesterday', ingestedAt: '2026-11-20T12:00:00Z' };
    assert.isUndefined(linkToRecord(sampleRecord({ containerId, ...noTime }), origin));
  });

  it('is read only if all of it is valid', () => {
    const [path, query] = clicked(linkToRecord(sampleRecord({ containerId }), origin));
    assert.isUndefined(recordOfLink('/logs', query));
    for (const [part, other] of [
      [origin, `${origin}/path`],
      [origin, 'https://user:key@control.example.com'],
      [origin, 'javascript:alert(1)'],
      [containerId, containerId.toUpperCase()],
      ['q=', 'query='],
    ] as const) {
      assert.isUndefined(recordOfLink(path, query.replace(part, other)), other);
    }
    assert.isUndefined(recordOfLink(path, `${query}\nmore`));
    assert.isUndefined(recordOfLink(path, query.replace(/=.*/, `=${'e'.repeat(600)}`)));
  });
});
