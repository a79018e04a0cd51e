import { assert } from 'chai';
import * as fc from 'fast-check';
import { parseBaseUrl, withScheme, type BaseUrlProblem } from '../../../src/api/baseUrl';
import { covers } from '../covers';
import { isLinear } from '../linear';
import { anyText } from '../logs/anyText';
import { shortOrLong } from '../long';

describe(`parseBaseUrl ${covers('F52', 'unit')}`, () => {
  const accepted: [string, string, string?][] = [
    ['https://control-plane.example', 'https://control-plane.example'],
    ['  https://control-plane.example/ \n', 'https://control-plane.example'],
    ['HTTPS://Control-Plane.EXAMPLE:443', 'https://control-plane.example'],
    ['https://h.example:8443/team/', 'https://h.example:8443/team', 'https://h.example:8443'],
    ['https://h.example/v1/api', 'https://h.example'],
    ['https://h.example/team/v1/api/', 'https://h.example/team', 'https://h.example'],
    ['https://h.example/v1/api//v1/api/', 'https://h.example'],
    ['https://h.example/a/../b', 'https://h.example/b', 'https://h.example'],
    ['https://10.0.0.1', 'https://10.0.0.1'],
    ['https://[2001:DB8::1]:8443', 'https://[2001:db8::1]:8443'],
    ['https://münchen.example', 'https://xn--mnchen-3ya.example'],
    ['http://localhost:8080', 'http://localhost:8080'],
    ['http://LOCALHOST', 'http://localhost'],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['https://127.0.0.2', 'https://127.0.0.2'],
    ['http://127.1', 'http://127.0.0.1'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
    ['http://[0:0:0:0:0:0:0:1]', 'http://[::1]'],
  ];
  for (const [text, baseUrl, origin = baseUrl] of accepted) {
    it(`accepts ${JSON.stringify(text)}`, () => {
      assert.deepEqual(parseBaseUrl(text), { ok: true, baseUrl, origin });
    });
  }

  const typed: [string, string][] = [
    ['control.example.com', 'https://control.example.com'],
    [' h.example:8443/team ', 'https://h.example:8443/team'],
    ['localhost:8080', 'http://localhost:8080'],
    ['127.0.0.1', 'http://127.0.0.1'],
    ['http://control.example.com', 'http://control.example.com'],
    ['javascript:alert(1)', 'javascript:alert(1)'],
    ['//h.example', '//h.example'],
    ['user@h.example', 'user@h.example'],
    ['not a url', 'not a url'],
    ['', ''],
  ];
  for (const [text, url] of typed) {
    it(`reads ${JSON.stringify(text)} as it was meant`, () => assert.equal(withScheme(text), url));
  }

  const refused: [string, BaseUrlProblem][] = [
    ['', 'empty'],
    ['   ', 'empty'],
    ['control-plane.example', 'notUrl'],
    ['//control-plane.example', 'notUrl'],
    ['https://', 'notUrl'],
    ['https:///control-plane.example', 'notUrl'],
    ['https:control-plane.example', 'notUrl'],
    ['https:\\\\control-plane.example', 'notUrl'],
    ['https://good.example\\@evil.example', 'notUrl'],
    ['https://good.example\t.evil.example', 'notUrl'],
    ['https://good.exa\nmple', 'notUrl'],
    ['https://a b.example', 'notUrl'],
    ['https://h.example:99999', 'notUrl'],
    ['https://[::1', 'notUrl'],
    ['https://%00.example', 'notUrl'],
    ['localhost:8080', 'notUrl'],
    ['javascript:alert(1)', 'notUrl'],
    ['ftp://h.example', 'scheme'],
    ['ws://localhost', 'scheme'],
    ['file://h.example/etc', 'scheme'],
    ['http://control-plane.example', 'httpNotLoopback'],
    ['http://localhost.evil.example', 'httpNotLoopback'],
    ['http://127.0.0.1.evil.example', 'httpNotLoopback'],
    ['http://evil-localhost', 'httpNotLoopback'],
    ['http://app.localhost', 'httpNotLoopback'],
    ['http://127.0.0.2', 'httpNotLoopback'],
    ['http://127.255.255.254', 'httpNotLoopback'],
    ['http://128.0.0.1', 'httpNotLoopback'],
    ['http://0.0.0.0', 'httpNotLoopback'],
    ['http://10.127.0.1', 'httpNotLoopback'],
    ['http://[::2]', 'httpNotLoopback'],
    ['http://[::ffff:127.0.0.1]', 'httpNotLoopback'],
    ['http://[2001:db8::1]', 'httpNotLoopback'],
    ['https://user@h.example', 'userInfo'],
    ['https://user:pass@h.example', 'userInfo'],
    ['https://@h.example', 'userInfo'],
    ['https://localhost:80@evil.example', 'userInfo'],
    ['http://localhost@evil.example', 'userInfo'],
    ['https://h.example.', 'trailingDot'],
    ['http://localhost.', 'trailingDot'],
    ['https://h.example./team', 'trailingDot'],
    ['http://localhost:6000', 'blockedPort'],
    ['https://h.example:22/team', 'blockedPort'],
    ['https://h.example?', 'query'],
    ['https://h.example/?a=b', 'query'],
    ['https://h.example#', 'fragment'],
    ['https://h.example/#?a', 'fragment'],
  ];
  for (const [text, reason] of refused) {
    it(`refuses ${JSON.stringify(text)} as ${reason}`, () => {
      assert.deepEqual(parseBaseUrl(text), { ok: false, reason });
    });
  }

  it('refuses exactly the ports that fetch blocks', async () => {
    const ports = Array.from({ length: 65_536 }, (_, port) => String(port));
    const refused = ports.filter((port) => !parseBaseUrl(`https://127.0.0.1:${port}`).ok);
    assert.lengthOf(refused, 83);
    // Before anything is sent; what has no port of its own (0) cannot be reached anyway.
    for (const port of refused.slice(1)) {
      const error: unknown = await fetch(`https://127.0.0.1:${port}`).catch((one: unknown) => one);
      assert.equal(((error as Error).cause as Error).message, 'bad port', port);
    }
  });

  it('never throws, and returns safe URLs that it parses to themselves', () => {
    const parts = [
      ...'http https :// : / // @ . ? # \\ [::1] 127.0.0.1 localhost evil.example'.split(' '),
      ...['/v1/api', '%2e', 'ü', '8080', ' ', '\t', '..', '{id}'],
    ];
    const texts = fc.oneof(
      anyText(12),
      fc.webUrl({
        validSchemes: ['http', 'https'],
        withQueryParameters: true,
        withFragments: true,
      }),
      fc.array(fc.constantFrom(...parts), { maxLength: 8 }).map((some) => some.join('')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const parsed = parseBaseUrl(text);
        if (!parsed.ok) return;
        const url = new URL(`${parsed.baseUrl}/v1/api/logs/query`);
        assert.strictEqual(url.origin, parsed.origin);
        assert.strictEqual(url.href, `${parsed.baseUrl}/v1/api/logs/query`);
        assert.isTrue(
          url.protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname),
        );
        assert.strictEqual(url.username + url.password + url.search + url.hash, '');
        assert.deepEqual(parseBaseUrl(parsed.baseUrl), parsed);
      }),
      { numRuns: shortOrLong(2000, 20_000) },
    );
  });

  it(`refuses what is longer than any URL, and takes linear time for the rest ${covers('F90', 'unit')}`, () => {
    const longest = `https://h.example/${'a'.repeat(2000 - 'https://h.example/'.length)}`;
    assert.deepInclude(parseBaseUrl(longest), { ok: true, baseUrl: longest });
    assert.deepEqual(parseBaseUrl(`${longest}a`), { ok: false, reason: 'notUrl' });
    for (const end of ['/', '/v1/api']) {
      const url = `https://h.example${end.repeat(1900 / end.length)}`;
      assert.deepInclude(parseBaseUrl(url), { ok: true, baseUrl: 'https://h.example' });
      const other = parseBaseUrl(`${url}/x`);
      assert.isTrue(other.ok && other.baseUrl.endsWith('/x'));
    }
    isLinear(
      2000,
      (length) => `https://a${'/'.repeat(length)}x`,
      (text) => parseBaseUrl(text),
    );
  });
});
