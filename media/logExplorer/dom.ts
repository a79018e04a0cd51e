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
