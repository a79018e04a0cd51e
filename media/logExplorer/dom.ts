import type { LogRow, RowSeverity } from '../../src/logs/explorer/protocol/view';
import type { Strings } from './panel';

export type { VscodeButton as Button } from '@vscode-elements/elements/dist/vscode-button/vscode-button.js';

interface Properties {
  readonly class?: string;
  readonly text?: string;
  /** Attributes without undefined values. */
  readonly attributes?: Readonly<Record<string, string | undefined>>;
  readonly onClick?: () => unknown;
}

/** Creates an element. Text is never markup. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  { class: className, text, attributes = {}, onClick }: Properties = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const created = document.createElement(tag);
  if (className !== undefined) created.className = className;
  if (text !== undefined) created.textContent = text;
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) created.setAttribute(name, value);
  }
  if (onClick !== undefined) created.addEventListener('click', () => void onClick());
  created.append(...children);
  return created;
}

/** Creates a codicon. Its meaning must be said in words elsewhere. */
export function icon(name: string): HTMLElement {
  return element('span', {
    class: `codicon codicon-${name}`,
    attributes: { 'aria-hidden': 'true' },
  });
}

export const severityIcons = {
  trace: 'circle-small',
  debug: 'debug-alt-small',
  info: 'info',
  warn: 'warning',
  error: 'error',
  fatal: 'flame',
  unknown: 'question',
} as const satisfies Record<RowSeverity, string>;

export function severityIcon(severity: RowSeverity): HTMLElement {
  return icon(severityIcons[severity]);
}

/** The name of a severity: that of the server if it is unknown, and such as `info (stderr)` if it is that of the body. */
export function severityName(
  { severity, severityText, stream }: Pick<LogRow, 'severity' | 'severityText' | 'stream'>,
  strings: Strings,
): string {
  const name = severityText ?? strings(`severity.${severity}`);
  return stream === undefined ? name : strings('severity.ofStream', name, stream);
}

/** Shows the icon and the name of a severity in an element. */
export function showSeverity(
  place: Element,
  row: Pick<LogRow, 'severity' | 'severityText' | 'stream'>,
  strings: Strings,
): void {
  const { severity } = row;
  const name = severityName(row, strings);
  const [sign, text] = place.childNodes;
  if (sign instanceof Element && text instanceof Text) {
    // New elements would cost style and layout with each row that is scrolled into view.
    sign.className = `codicon codicon-${severityIcons[severity]}`;
    text.data = name;
  } else place.replaceChildren(severityIcon(severity), name);
}

/** Sets the text of an element if it changed; screen readers announce every change. */
export function setText(target: Element, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}

export function setAttribute(target: Element, name: string, value: string | undefined): void {
  if (value === undefined) target.removeAttribute(name);
  else if (target.getAttribute(name) !== value) target.setAttribute(name, value);
}
