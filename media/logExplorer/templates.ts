import { html, nothing, type TemplateResult } from 'lit';
import type { RowSeverity } from '../../src/logs/explorer/protocol/view';
import { severityIcons } from './dom';

/** A codicon. Its meaning must be said in words elsewhere. */
export function iconTemplate(name: string): TemplateResult {
  return html`<span class="codicon codicon-${name}" aria-hidden="true"></span>`;
}

export function severityIconTemplate(severity: RowSeverity): TemplateResult {
  return iconTemplate(severityIcons[severity]);
}

export interface ToolbarTool {
  readonly icon: string;
  readonly label: string;
  /** The tooltip; by default the label. */
  readonly hint?: string;
  /** Further classes. */
  readonly name?: string;
  /** Makes it a toggle. */
  readonly isPressed?: boolean;
  /** It opens and closes what has this id. */
  readonly opens?: { readonly id: string; readonly isOpen: boolean };
  /** It can still be pressed, and says why it does nothing. */
  readonly isDisabled?: boolean;
  readonly run: () => unknown;
}

/** A button of a toolbar, whose label is hidden if there is no room. */
export function toolTemplate({
  icon,
  label,
  hint = label,
  name = '',
  isPressed,
  opens,
  isDisabled,
  run,
}: ToolbarTool): TemplateResult {
  return html`<button
    class="toggle tool ${name}"
    type="button"
    title=${hint}
    aria-label=${label}
    aria-pressed=${isPressed ?? nothing}
    aria-expanded=${opens?.isOpen ?? nothing}
    aria-controls=${opens?.id ?? nothing}
    aria-disabled=${isDisabled ?? nothing}
    @click=${() => void run()}
  >
    ${iconTemplate(icon)}<span class="name">${label}</span>
  </button>`;
}

/** A button of a toolbar that is only an icon, whose label is its tooltip. */
export function toolbarButtonTemplate(
  icon: string,
  label: string,
  run: () => unknown,
): TemplateResult {
  return html`<vscode-toolbar-button
    icon=${icon}
    label=${label}
    title=${label}
    @click=${() => void run()}
  ></vscode-toolbar-button>`;
}
