/** A part of the message of a logging call: text as it is logged, or an expression of the code. */
export type MessagePart =
  | { readonly text: string }
  /** The source of the expression, shortened. */
  | { readonly expression: string };

/** How a format names its values: `%s`, or `{}`; `slf4j` is `{}` and `{0}` alone. */
export type PlaceholderStyle = 'printf' | 'braces' | 'slf4j';

/** The sources of values. */
interface FormatValues {
  readonly inOrder: readonly string[];
  readonly named: ReadonlyMap<string, string>;
  /** Whether a placeholder with a name means the next value in order. */
  readonly namesInOrder: boolean;
}

const printf =
  /%(?:%|(?:\(([\w.]{1,60})\)|(\d{1,2})\$|<([\w.]{1,60})>)?[-+#0,]{0,5}(?:\*|\[\d\]|\d{1,4})?(?:\.(?:\*|\d{1,4}))?[hljztLqI]{0,2}[a-zA-Z@])/g;
const braces =
  /\{\{|\}\}|\{[@$]?([\w.[\]*-]{0,60})(?:![rsa])?(?:,-?\d{1,4})?(?::[^{}\n]{0,60})?\}/g;
const slf4j = /\{(\d{0,2})(?:,[\w ,.#]{1,30})?\}/g;

const patterns: Readonly<Record<PlaceholderStyle, RegExp>> = { printf, braces, slf4j };

/** The most placeholders of a text: what follows is text. */
const mostPlaceholders = 100;

/** Whether a text has a placeholder. */
export function hasPlaceholder(text: string, style: PlaceholderStyle): boolean {
  for (const [found] of text.matchAll(patterns[style])) {
    if (!isEscape(found)) return true;
  }
  return false;
}

function isEscape(found: string): boolean {
  return found === '%%' || found === '{{' || found === '}}';
}

/**
 * Replaces the placeholders of a format by the sources of their values. A placeholder whose value is not
 * known is kept as an expression. `used` is how many values were used in order.
 */
export function fillPlaceholders(
  parts: readonly MessagePart[],
  style: PlaceholderStyle,
  values: FormatValues,
): { readonly parts: MessagePart[]; readonly used: number } {
  const filled: MessagePart[] = [];
  let used = 0;
  const valueOf = (placeholder: string, name: string | undefined): string => {
    if (name === undefined || name === '') return values.inOrder[used++] ?? placeholder;
    if (/^\d+$/.test(name)) {
      const index = Number(name) - (style === 'printf' ? 1 : 0);
      used = Math.max(used, index + 1);
      return values.inOrder[index] ?? placeholder;
    }
    const named = values.named.get(name.replace(/[.[].*/, ''));
    return named ?? (values.namesInOrder ? values.inOrder[used++] : undefined) ?? name;
  };
  for (const part of parts) {
    if (!('text' in part)) {
      filled.push(part);
      continue;
    }
    let from = 0;
    let count = 0;
    for (const { 0: found, index, ...groups } of part.text.matchAll(patterns[style])) {
      if (count++ >= mostPlaceholders) break;
      filled.push({ text: part.text.slice(from, index) });
      from = index + found.length;
      if (isEscape(found)) filled.push({ text: found.charAt(0) });
      else filled.push({ expression: valueOf(found, groups[1] ?? groups[2] ?? groups[3]) });
    }
    filled.push({ text: part.text.slice(from) });
  }
  return { parts: filled, used };
}
