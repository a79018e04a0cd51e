import { LitElement } from 'lit';

/**
 * A part of a page with a state of its own. It has no shadow: the style sheets of the page are valid in it, and labels
 * can name what is elsewhere in the page. What has no state is a function that returns a template.
 */
export abstract class PagePart extends LitElement {
  protected override createRenderRoot(): this {
    return this;
  }

  /** An element that each of its templates has, once it is rendered. */
  protected child(selector: string): HTMLElement {
    const found = this.querySelector<HTMLElement>(selector);
    if (found === null) throw new Error(`There is no ${selector}.`);
    return found;
  }
}
