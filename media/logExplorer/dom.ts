import type { VscodeToolbarButton } from '@vscode-elements/elements/dist/vscode-toolbar-button/vscode-toolbar-button.js';

export type { VscodeButton as Button } from '@vscode-elements/elements/dist/vscode-button/vscode-button.js';

interface Properties {
  readonly class?: string;
  readonly text?: string;
  /** Attributes; those that are undefined are left out. */
  readonly attributes?: Readonly<Record<string, string | undefined>>;
  readonly onClick?: () => unknown;
}

/** Makes an element. Text is text: nothing here can make markup of it. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  { class: className, text, attributes = {}, onClick }: Properties = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  if (className !== undefined) made.className = className;
  if (text !== undefined) made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) made.setAttribute(name, value);
  }
  if (onClick !== undefined) made.addEventListener('click', () => void onClick());
  made.append(...children);
  return made;
}

/** A codicon; whoever uses it says in words what it means. */
export function icon(name: string): HTMLElement {
  return element('span', {
    class: `codicon codicon-${name}`,
    attributes: { 'aria-hidden': 'true' },
  });
}

/** Puts another text into an element; the same one stays, so that nobody hears it again. */
export function setText(target: Element, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}

/** Sets an attribute, or takes it away where there is no value. */
export function setAttribute(target: Element, name: string, value: string | undefined): void {
  if (value === undefined) target.removeAttribute(name);
  else if (target.getAttribute(name) !== value) target.setAttribute(name, value);
}

/** One of the things to choose from. */
export interface Option {
  readonly value: string;
  readonly label: string;
}

/**
 * A box to choose from. It is the browser's own: unlike those of component libraries it finds what
 * is typed, and knows Home and End.
 */
export interface Select {
  readonly element: HTMLSelectElement;
  value: string;
  /** Offers other things; what was chosen stays so where it is among them. */
  offer(options: readonly Option[]): void;
}

export function createSelect(
  label: string,
  options: readonly Option[],
  onChange: (value: string) => void,
): Select {
  const select = element('select', { class: 'select', attributes: { 'aria-label': label } });
  let offered = '';
  const offer = (next: readonly Option[]): void => {
    const key = JSON.stringify(next);
    if (key === offered) return;
    offered = key;
    const { value } = select;
    select.replaceChildren(
      ...next.map((one) =>
        element('option', { text: one.label, attributes: { value: one.value } }),
      ),
    );
    select.value = value;
  };
  offer(options);
  select.addEventListener('change', () => onChange(select.value));
  return {
    element: select,
    get value() {
      return select.value;
    },
    set value(value) {
      select.value = value;
    },
    offer,
  };
}

/** A button with a codicon; its label is read out and shown when the mouse rests on it. */
export function toolbarButton(
  icon: string,
  label: string,
  onClick: () => unknown,
): VscodeToolbarButton {
  const button = document.createElement('vscode-toolbar-button');
  button.icon = icon;
  button.label = label;
  button.title = label;
  button.addEventListener('click', () => void onClick());
  return button;
}
