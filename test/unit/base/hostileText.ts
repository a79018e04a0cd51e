import * as fc from 'fast-check';
import { marked } from 'marked';

/** Texts that become more than text in some place. */
export const hostile = [
  '[x](command:workbench.action.quit)',
  '[x](https://evil.example "title")',
  '![x](https://evil.example/x.png)',
  '<img src=x> <https://evil.example>',
  'www.evil.example, https://evil.example and mail@evil.example',
  '&lt;b&gt; &zwnj; &#8203; &amp;',
  '$(error) $(sync~spin) \\$(error) $(not an icon) $(',
  '# head',
  '1. one',
  '- one',
  '> quote',
  '**bold** _it_ __b__ ~~no~~ `code` ```js',
  '| a | b |',
  '---',
  '===',
  String.raw`C:\temp\[new] \* \\`,
  '[x]: https://evil.example',
];

/** Signs of markup in any order. */
export const markup = fc
  .array(
    fc.constantFrom(
      ' ',
      ...'[ ] ( ) < > & $ ! \\ ` * _ ~ | # - " : + ='.split(' '),
      ...'a 1. @ www. https:// command: lt; error) x.y'.split(' '),
    ),
    { maxLength: 12 },
  )
  .map((signs) => signs.join(''));

/** The HTML of a Markdown text; marked is the parser of VS Code. */
export function rendered(markdown: string): string {
  return marked.parse(markdown, { async: false });
}

/** The text that HTML without tags shows. */
export function unescaped(html: string): string {
  return html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
