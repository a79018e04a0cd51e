import { html, type TemplateResult } from 'lit';
import type { RowSeverity } from '../../src/logs/explorer/protocol/view';
import { severityIcons } from './dom';

/** A codicon. Its meaning must be said in words elsewhere. */
export function iconTemplate(name: string): TemplateResult {
  return html`<span class="codicon codicon-${name}" aria-hidden="true"></span>`;
}

export function severityIconTemplate(severity: RowSeverity): TemplateResult {
  return iconTemplate(severityIcons[severity]);
}

interface Tool {
  readonly icon: string;
  readonly label: string;
  /** The tooltip; by default the label. */
  readonly hint?: string;
  readonly run: () => void;
}

/** A button of a toolbar, whose label is hidden if there is no room. */
export function toolTemplate({ icon, label, hint = label, run }: Tool): TemplateResult {
  return html`<button
    class="toggle tool"
    type="button"
    title=${hint}
    aria-label=${label}
    @click=${run}
  >
    ${iconTemplate(icon)}<span class="name">${label}</span>
  </button>`;
}
