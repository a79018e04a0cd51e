import { element, icon } from './dom';

export interface MenuItem {
  readonly icon: string;
  readonly label: string;
  readonly run: () => unknown;
  /** Makes it a checkbox. */
  readonly isChecked?: () => boolean;
}

/**
 * Creates a button that opens a menu. As in every menu, the arrow keys move between its items, and Escape
 * closes it.
 *
 * @param items called whenever the menu opens.
 */
export function createMenu(label: string, items: () => readonly MenuItem[]): HTMLElement {
  const menu = element('div', { class: 'menu', attributes: { role: 'menu', 'aria-label': label } });
  menu.hidden = true;
  const button = element('button', {
    class: 'icon-button codicon codicon-ellipsis',
    attributes: {
      type: 'button',
      title: label,
      'aria-label': label,
      'aria-haspopup': 'menu',
      'aria-expanded': 'false',
    },
    onClick: () => setOpen(menu.hidden),
  });
  const root = element('div', { class: 'menu-place' }, button, menu);

  const setOpen = (isOpen: boolean): void => {
    menu.hidden = !isOpen;
    button.setAttribute('aria-expanded', String(isOpen));
    if (!isOpen) return;
    menu.replaceChildren(...items().map(itemElement));
    focusItem(0);
  };
  const close = (): void => {
    setOpen(false);
    button.focus();
  };
  const itemElement = (item: MenuItem): HTMLElement => {
    const isChecked = item.isChecked?.();
    return element(
      'button',
      {
        class: 'menu-item',
        attributes: {
          type: 'button',
          tabindex: '-1',
          role: isChecked === undefined ? 'menuitem' : 'menuitemcheckbox',
          'aria-checked': isChecked === undefined ? undefined : String(isChecked),
        },
        onClick() {
          close();
          return item.run();
        },
      },
      icon(isChecked === true ? 'check' : item.icon),
      item.label,
    );
  };
  const focusItem = (index: number): void => {
    const all = [...menu.querySelectorAll<HTMLElement>('.menu-item')];
    all.at(index % all.length)?.focus();
  };

  root.addEventListener('keydown', (event) => {
    const all = [...menu.querySelectorAll<HTMLElement>('.menu-item')];
    const at = all.findIndex((one) => one === document.activeElement);
    const goals: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at < 0 ? -1 : at - 1,
      Home: 0,
      End: -1,
    };
    const goal = goals[event.key];
    if (menu.hidden) {
      if (event.key !== 'ArrowDown') return;
      setOpen(true);
    } else if (event.key === 'Escape') close();
    else if (goal !== undefined) focusItem(goal);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  root.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node) || !root.contains(relatedTarget)) setOpen(false);
  });
  return root;
}
