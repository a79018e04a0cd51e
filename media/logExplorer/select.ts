import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';

/** An option of a select. */
export interface Option {
  readonly value: string;
  readonly label: string;
}

/** A select element of the browser. Unlike those of component libraries, it supports type-ahead, Home and End. */
export function selectTemplate(
  label: string,
  options: readonly Option[],
  chosen: string,
  onChange: (value: string) => void,
): TemplateResult {
  const changed = ({ currentTarget }: Event): void => {
    if (currentTarget instanceof HTMLSelectElement) onChange(currentTarget.value);
  };
  return html`<select class="select" aria-label=${label} @change=${changed}>
    ${options.map(
      ({ value, label: text }) =>
        html`<option
          value=${value}
          .textContent=${text}
          .selected=${live(value === chosen)}
        ></option>`,
    )}
  </select>`;
}
