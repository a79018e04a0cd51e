import { html, nothing, type TemplateResult } from 'lit';
import { PagePart } from './pagePart';
import { iconTemplate } from './templates';

export interface MenuItem {
  readonly icon: string;
  readonly label: string;
  readonly run: () => unknown;
  /** Makes it a checkbox, or one of several choices. */
  readonly isChecked?: () => boolean;
  readonly isChoice?: boolean;
}

/** A menu. As in every menu, the arrow keys move between its items, and Escape closes it. */
export class Menu extends PagePart {
  static override readonly properties = { items: { state: true } };

  /** Undefined while it is closed. */
  declare private items: readonly MenuItem[] | undefined;
  private opener: HTMLElement | undefined;

  constructor(label: string) {
    super();
    this.className = 'menu';
    this.role = 'menu';
    this.ariaLabel = label;
    this.hidden = true;
    this.addEventListener('keydown', (event) => this.press(event));
    this.addEventListener('focusout', ({ relatedTarget }) => {
      // A click on the button closes it.
      if (relatedTarget === this.opener) return;
      if (!(relatedTarget instanceof Node) || !this.contains(relatedTarget)) this.close();
    });
  }

  /** Opens below a button, which gets the focus back; closes if it is open. */
  toggle(button: HTMLElement, items: readonly MenuItem[]): void {
    const wasOpen = this.items !== undefined && this.opener === button;
    this.close();
    if (wasOpen) return;
    this.opener = button;
    this.items = items;
    button.setAttribute('aria-expanded', 'true');
    // At once: what opens it places it by its size.
    this.performUpdate();
    this.focusItem(0);
  }

  protected override updated(): void {
    this.hidden = this.items === undefined;
  }

  protected override render(): readonly TemplateResult[] | undefined {
    return this.items?.map((item) => this.item(item));
  }

  private item({ icon, label, run, isChecked, isChoice }: MenuItem): TemplateResult {
    const checked = isChecked?.();
    const role = isChoice === true ? 'menuitemradio' : 'menuitemcheckbox';
    const choose = (): void => {
      this.leave();
      void run();
    };
    return html`<button
      class="menu-item"
      type="button"
      tabindex="-1"
      role=${checked === undefined ? 'menuitem' : role}
      aria-checked=${checked ?? nothing}
      @click=${choose}
    >
      ${iconTemplate(checked === true ? 'check' : icon)}${label}
    </button>`;
  }

  private close(): void {
    this.items = undefined;
    this.opener?.setAttribute('aria-expanded', 'false');
  }

  private leave(): void {
    this.close();
    this.opener?.focus();
  }

  private get buttons(): readonly HTMLElement[] {
    return [...this.querySelectorAll('button')];
  }

  private focusItem(index: number): void {
    const { buttons } = this;
    buttons.at(index % buttons.length)?.focus();
  }

  private press(event: KeyboardEvent): void {
    const at = this.buttons.findIndex((button) => button === document.activeElement);
    const goals: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at < 0 ? -1 : at - 1,
      Home: 0,
      End: -1,
    };
    const goal = goals[event.key];
    if (event.key === 'Escape') this.leave();
    else if (goal !== undefined) this.focusItem(goal);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
