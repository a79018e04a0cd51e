import type { LiteralForm } from './languages';
import type { Literal, Span, Token } from './tokens';

/** A part of a string: its text without escapes, or an expression in it. */
export type LiteralPart = { readonly text: string } | { readonly code: Span };

const control: Readonly<Record<string, string>> = {
  ...{ n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v' },
  ...{ a: '\u0007', e: '\u001b', '0': '\0', '\n': '' },
};

const escape = /\\(?:u\{([\da-fA-F_]{1,8})\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|\r?\n[ \t]*|([^]))/g;

/** The character of a number in an escape; the replacement character for a number that has none. */
function character(hexadecimal: string): string {
  const code = Number.parseInt(hexadecimal.replaceAll('_', ''), 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
}

function unescape(source: string, form: LiteralForm): string {
  let text = source;
  if (form.escapes === 'backslash') {
    text = text.replace(escape, (_, braced?: string, four?: string, two?: string, one?: string) => {
      const code = braced ?? four ?? two;
      if (code !== undefined) return character(code);
      return one === undefined ? '' : (control[one] ?? one);
    });
  } else if (form.escapes === 'doubled' && typeof form.close === 'string') {
    text = text.replaceAll(form.close + form.close, form.close);
  }
  return form.doubled === true ? text.replaceAll('{{', '{').replaceAll('}}', '}') : text;
}

/** The parts of a string in source text. Reads at most `most` UTF-16 units of its source. */
export function literalParts(text: string, token: Token, most: number): LiteralPart[] {
  const { literal } = token;
  if (literal === undefined) return [];
  const { form, body, holes } = literal;
  const parts: LiteralPart[] = [];
  const end = Math.min(body.end, body.start + most);
  let from = body.start;
  const add = (to: number) => {
    if (to > from) parts.push({ text: unescape(text.slice(from, to), form) });
  };
  for (const hole of holes) {
    if (hole.start >= end) break;
    add(hole.start);
    parts.push({ code: hole.code });
    from = hole.end;
  }
  add(end);
  return form.indented === true ? withoutIndent(parts, literal) : parts;
}

/** Removes the line breaks at both ends and the indent that all lines share. */
function withoutIndent(parts: readonly LiteralPart[], _literal: Literal): LiteralPart[] {
  const all = parts.map((part) => ('text' in part ? part.text : '\0')).join('');
  const indents = all
    .split('\n')
    .slice(1)
    .filter((line) => line.trim() !== '')
    .map((line) => /^[ \t]*/.exec(line)?.[0].length ?? 0);
  const indent = Math.min(...indents, 200);
  const tooMuch = new RegExp(`\\n[ \\t]{0,${String(indent)}}`, 'g');
  const last = parts.length - 1;
  return parts.map((part, index) => {
    if (!('text' in part)) return part;
    let { text } = part;
    if (index === 0) text = text.replace(/^[ \t]*\r?\n[ \t]*/, '');
    if (index === last) text = text.replace(/\r?\n[ \t]*$/, '');
    return { text: text.replace(tooMuch, '\n') };
  });
}
