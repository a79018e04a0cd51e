import { assert } from 'chai';
import { siteHost } from '../../../src/data/sites';
import { covers } from '../covers';

describe('The host of a site', () => {
  it('is shown whole, with its port, and apart from what follows it', () => {
    assert.deepEqual(siteHost('https://shop.example/'), {
      ...{ host: 'shop.example', label: 'shop.example', isWhole: true, path: '' },
    });
    assert.include(siteHost('https://shop.example:8443/a?b=1#c'), {
      ...{ label: 'shop.example:8443', path: '/a?b=1#c' },
    });
  });

  it(`keeps its end, which says whose it is, if it is too long for a line ${covers('F57', 'unit')}`, () => {
    const host = `bank.example.${'a'.repeat(60)}.${'b'.repeat(60)}.evil.example`;
    const site = siteHost(`https://${host}/bank.example`);
    assert.equal(site.host, host);
    assert.isFalse(site.isWhole);
    assert.lengthOf(site.label, 40);
    assert.match(site.label, /^…b+\.evil\.example$/);
    assert.isTrue(siteHost(`https://${'a'.repeat(32)}.example`).isWhole);
    assert.isFalse(siteHost(`https://${'a'.repeat(33)}.example`).isWhole);
  });
});
