import type { LiteralForm } from './literalForms';
import type { CodeSpan, Token } from './tokens';

/** A part of a string: its text without escapes, or an expression in it. */
type LiteralPart = { readonly text: string } | { readonly code: CodeSpan };

const control: Readonly<Record<string, string>> = {
  ...{ n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', a: '\u0007', e: '\u001b', '0': '\0' },
};

const escape = /\\(?:u\{([\da-fA-F_]{1,8})\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|\r?\n[ \t]*|([^]))/g;

/** The character with a hexadecimal number. */
function character(hexadecimal: string): string {
  const code = Number.parseInt(hexadecimal.replaceAll('_', ''), 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
}

function withoutEscapes(source: string, { escapes, close, doubled }: LiteralForm): string {
  let text = source;
  if (escapes === 'all') {
    text = text.replace(escape, (_, braced?: string, four?: string, two?: string, one?: string) => {
      const code = braced ?? four ?? two;
      if (code !== undefined) return character(code);
      return one === undefined ? '' : (control[one] ?? one);
    });
  } else if (typeof close === 'string') {
    if (escapes === 'doubled') text = text.replaceAll(close + close, close);
    if (escapes === 'quote') {
      text = text.replace(/\\([^])/g, (both, one: string) => (/[\\'"]/.test(one) ? one : both));
    }
  }
  return doubled === true ? text.replaceAll('{{', '{').replaceAll('}}', '}') : text;
}

/** Removes the line breaks at both ends and the indent that all lines share. */
function withoutIndent(parts: readonly LiteralPart[]): LiteralPart[] {
  // A line of its own before the first one, so that all are alike.
  const [first, ...others] = parts;
  const begins = first !== undefined && 'text' in first ? first.text : undefined;
  const all: readonly LiteralPart[] = /^[ \t]*\r?\n/.test(begins ?? '')
    ? parts
    : begins === undefined
      ? [{ text: '\n' }, ...parts]
      : [{ text: `\n${begins}` }, ...others];
  const lines = all.map((part) => ('text' in part ? part.text : '-')).join('');
  const indents = [...lines.matchAll(/\n([ \t]*)(?=[^\s])/g)].map(
    ([, indent = '']) => indent.length,
  );
  const shared = new RegExp(`\\n[ \\t]{0,${String(Math.min(...indents, 200))}}`, 'g');
  return all.map((part, index) => {
    if (!('text' in part)) return part;
    let text = part.text.replace(shared, '\n');
    if (index === 0) text = text.replace(/^[ \t]*\r?\n/, '');
    if (index === all.length - 1) text = text.replace(/\r?\n[ \t]*$/, '');
    return { text };
  });
}

/** The parts of a string. Reads at most `most` UTF-16 units of its source. */
export function literalParts(text: string, { literal }: Token, most: number): LiteralPart[] {
  if (literal === undefined) return [];
  const { form, body, holes } = literal;
  const end = Math.min(body.end, body.start + most);
  const parts: LiteralPart[] = [];
  let from = body.start;
  for (const hole of holes) {
    if (hole.start >= end) break;
    if (hole.start > from) parts.push({ text: text.slice(from, hole.start) });
    parts.push({ code: hole.code });
    from = hole.end;
  }
  if (from < end) parts.push({ text: text.slice(from, end) });
  return (form.indented === true ? withoutIndent(parts) : parts).map((part) =>
    'text' in part ? { text: withoutEscapes(part.text, form) } : part,
  );
}
