/**
 * The elements of a page without a browser: what they contain, their attributes, clicks and the focus. There
 * is no layout and no style; selectors are lists of tags, classes and attributes.
 */
export class PageElement {
  parentElement: PageElement | null = null;
  readonly childNodes: (PageElement | string)[] = [];
  readonly dataset: Record<string, string> = {};
  readonly style: Record<string, string> = {};
  className = '';
  hidden = false;
  title = '';
  ariaLabel: string | null = null;
  ariaExpanded: string | null = null;
  private readonly attributes = new Map<string, string>();
  private readonly listeners = new Map<string, ((event: object) => void)[]>();

  constructor(readonly tag: string) {}

  readonly classList = {
    add: (name: string): void => void (this.className = `${this.className} ${name}`.trim()),
  };

  get children(): PageElement[] {
    return this.childNodes.filter((one) => one instanceof PageElement);
  }

  get textContent(): string {
    return this.childNodes
      .map((one) => (one instanceof PageElement ? one.textContent : one))
      .join('');
  }

  set textContent(text: string) {
    this.replaceChildren(...(text === '' ? [] : [text]));
  }

  setAttribute(name: string, value: string): void {
    this.attributes.set(name, value);
  }

  getAttribute(name: string): string | null {
    const member = name.replace(/^data-/, '');
    return this.attributes.get(name) ?? (member === name ? null : (this.dataset[member] ?? null));
  }

  append(...added: (PageElement | string)[]): void {
    for (const one of added) {
      if (one instanceof PageElement) {
        one.remove();
        one.parentElement = this;
      }
      this.childNodes.push(one);
    }
  }

  replaceChildren(...next: (PageElement | string)[]): void {
    for (const child of this.children) child.remove();
    this.childNodes.length = 0;
    this.append(...next);
  }

  remove(): void {
    const siblings = this.parentElement?.childNodes;
    siblings?.splice(siblings.indexOf(this), 1);
    this.parentElement = null;
  }

  contains(other: PageElement): boolean {
    return other === this || this.children.some((child) => child.contains(other));
  }

  closest(selector: string): PageElement | null {
    return this.matches(selector) ? this : (this.parentElement?.closest(selector) ?? null);
  }

  querySelectorAll(selector: string): PageElement[] {
    return this.children.flatMap((child) => [
      ...(child.matches(selector) ? [child] : []),
      ...child.querySelectorAll(selector),
    ]);
  }

  querySelector(selector: string): PageElement | null {
    return this.querySelectorAll(selector)[0] ?? null;
  }

  addEventListener(type: string, listener: (event: object) => void): void {
    this.listeners.set(type, [...(this.listeners.get(type) ?? []), listener]);
  }

  click(): void {
    for (const listener of this.listeners.get('click') ?? []) listener({ target: this });
  }

  focus(): void {
    page.activeElement = this;
  }

  /** Whether this and what it is in is shown. */
  get isShown(): boolean {
    return !this.hidden && (this.parentElement?.isShown ?? true);
  }

  private matches(selector: string): boolean {
    return selector.split(',').some((one) =>
      [...one.trim().matchAll(/\[([\w-]+)(?:="?([^"\]]*)"?)?\]|\.([\w-]+)|([\w-]+)/g)].every(
        ([, attribute, value, className, tag]) => {
          if (tag !== undefined) return this.tag === tag;
          if (className !== undefined) return this.className.split(' ').includes(className);
          const is = this.getAttribute(attribute ?? '');
          return attribute === 'hidden'
            ? this.hidden
            : value === undefined
              ? is !== null
              : is === value;
        },
      ),
    );
  }
}

const page = {
  activeElement: null as PageElement | null,
  createElement: (tag: string): PageElement => new PageElement(tag),
  createElementNS: (_space: string, tag: string): PageElement => new PageElement(tag),
};

/** Each test of a suite has a document of its own, which is what the code of a page uses. */
export function usePageDocument(): void {
  const globals: Record<string, unknown> = {
    document: page,
    HTMLElement: PageElement,
    CSS: { escape: (text: string) => text },
  };
  const before = new Map<string, PropertyDescriptor | undefined>();
  beforeEach(() => {
    page.activeElement = null;
    for (const [name, value] of Object.entries(globals)) {
      before.set(name, Object.getOwnPropertyDescriptor(globalThis, name));
      Object.defineProperty(globalThis, name, { value, configurable: true });
    }
  });
  afterEach(() => {
    for (const [name, descriptor] of before) {
      if (descriptor === undefined) Reflect.deleteProperty(globalThis, name);
      else Object.defineProperty(globalThis, name, descriptor);
    }
  });
}

/** The element that code of a page has made with the document. */
export function pageElement(made: object | null): PageElement {
  if (made instanceof PageElement) return made;
  throw new Error('This is not an element of the page.');
}

/** The element with the focus. */
export function focusedElement(): PageElement | null {
  return page.activeElement;
}

/** The shown element with this selector. @throws if there is none, or several. */
export function shownPart(root: PageElement, selector: string): PageElement {
  const [found, ...others] = root.querySelectorAll(selector).filter(({ isShown }) => isShown);
  if (found === undefined || others.length > 0) {
    throw new Error(`There are ${found === undefined ? 0 : others.length + 1} of ${selector}.`);
  }
  return found;
}
