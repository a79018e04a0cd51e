import { html, type TemplateResult } from 'lit';

/** An option of a select. */
export interface Option {
  readonly value: string;
  readonly label: string;
}

/**
 * A select element of the browser. Unlike those of component libraries, it supports type-ahead, Home and End.
 *
 * @param chosen stays, whatever the user chooses, until another one is passed.
 */
export function selectTemplate(
  label: string,
  options: readonly Option[],
  chosen: string,
  onChoose: (value: string) => void,
): TemplateResult {
  const choose = ({ currentTarget }: Event): void => {
    if (!(currentTarget instanceof HTMLSelectElement)) return;
    const { value } = currentTarget;
    currentTarget.value = chosen;
    onChoose(value);
  };
  const option = ({ value, label: text }: Option): TemplateResult =>
    html`<option value=${value} .selected=${value === chosen} .textContent=${text}></option>`;
  return html`<select class="select" aria-label=${label} @change=${choose}>
    ${options.map(option)}
  </select>`;
}
