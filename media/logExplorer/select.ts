import { element } from './dom';

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
