import { assert } from 'chai';
import { pageHtml } from '../../../../../src/logs/explorer/protocol/html';
import { covers } from '../../../covers';

const parts = {
  script: 'https://files.example/page.js',
  style: 'https://files.example/page.css',
  icons: 'https://files.example/codicon.css',
  cspSource: 'https://files.example',
  nonce: 'n0nce',
  language: 'en',
  title: 'Log Explorer',
};

describe('document of the Log Explorer', () => {
  it(`allows only its own script and files ${covers('F58', 'unit')}`, () => {
    const html = pageHtml(parts);
    const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(html)?.[1] ?? '';
    const directives = policy.replaceAll('&#39;', "'").split('; ');
    assert.sameMembers(directives, [
      "default-src 'none'",
      "script-src 'nonce-n0nce'",
      'style-src https://files.example',
      'font-src https://files.example',
      "base-uri 'none'",
      "form-action 'none'",
    ]);
    assert.lengthOf(html.match(/<script/g) ?? [], 1);
    assert.notMatch(html, /style=|<style|\son\w+=/);
  });

  it('has the language and the direction of its texts', () => {
    assert.match(pageHtml(parts), /<html lang="en" dir="ltr">/);
    assert.match(pageHtml({ ...parts, language: 'ar-EG' }), /<html lang="ar-EG" dir="rtl">/);
  });

  it('escapes text', () => {
    const html = pageHtml({ ...parts, title: '</title><script>', language: '"><b a="' });
    assert.lengthOf(html.match(/<script/g) ?? [], 1);
    assert.notInclude(html, '<b ');
  });
});
