import { html, nothing, type TemplateResult } from 'lit';
import type { View } from '../../src/logs/explorer/protocol/view';
import { PagePart } from './pagePart';
import type { Panel, Strings } from './panel';
import { iconTemplate } from './templates';

export interface NextStep {
  readonly label: string;
  readonly run: () => unknown;
}

/** A notice that the user can dismiss: then the focus goes back to where it was. */
interface Dismissible {
  readonly icon: string;
  readonly text: string;
  readonly focused: Element | null;
}

/** The notices: failures, notes about the records, and hints if there are none. */
export class Notices extends PagePart {
  static override readonly properties = {
    view: { state: true },
    longer: { state: true },
    refusal: { state: true },
    explanation: { state: true },
  };

  declare private view: View | undefined;
  declare private longer: NextStep | undefined;
  /** Why an action failed. */
  declare private refusal: Dismissible | undefined;
  /** Why the logs cannot be followed. */
  declare private explanation: Dismissible | undefined;

  constructor(
    private readonly ask: Panel['ask'],
    private readonly strings: Strings,
  ) {
    super();
    this.className = 'notice-parts';
  }

  /** @param longer searches a longer range, if there is one. */
  show(view: View, longer?: NextStep): void {
    this.view = view;
    this.longer = longer;
    if (view.cannotFollow !== this.explanation?.text) this.explanation = undefined;
  }

  /** Shows an error until it is dismissed. */
  fail(error: unknown): void {
    this.refusal = { icon: 'error', text: messageOf(error), focused: document.activeElement };
  }

  /** Shows why the logs cannot be followed, as long as that is true. */
  explain(why: string): void {
    this.explanation = { icon: 'info', text: why, focused: document.activeElement };
  }

  /** Removes errors and explanations of earlier actions. */
  forget(): void {
    this.refusal = this.explanation = undefined;
  }

  // Screen readers announce changes only in elements that exist already.
  protected override render(): TemplateResult {
    const { view, longer, strings } = this;
    return html`<div class="failure" role="alert">${this.failure(view?.failure)}</div>
      <div class="failure" role="alert">${this.dismissible('refusal')}</div>
      <div class="hint" role="status">${this.dismissible('explanation')}</div>
      <div role="status">
        <ul class="notice-list" role="list" aria-label=${strings('notices.label')}>
          ${view?.notices.map((notice) => this.notice(notice))}
        </ul>
      </div>
      <div class="hint" role="status">${view && this.hint(view, longer)}</div>`;
  }

  private failure(failure: View['failure']): TemplateResult | typeof nothing {
    if (failure === undefined) return nothing;
    return html`${iconTemplate('error')}${text(failure.message)}${this.help(failure.help)}`;
  }

  private notice({ level, text: words }: View['notices'][number]): TemplateResult {
    const warning = `${this.strings('notices.warning')}: `;
    return html`<li class=${level}>
      ${iconTemplate(level)}
      ${level === 'warning' ? html`<span class="unseen">${warning}</span>` : nothing}${text(words)}
    </li>`;
  }

  private hint(view: View, longer: NextStep | undefined): TemplateResult | typeof nothing {
    const { state, failure } = view;
    const { strings } = this;
    if (state === 'notConnected' || state === 'signedOut') {
      // The failure already has this button.
      const connect = failure?.help === 'connect' ? nothing : this.help('connect');
      return html`${iconTemplate('plug')}${text(strings(`empty.${state}`))}${connect}`;
    }
    if (!isNothing(view)) return nothing;
    const button =
      longer &&
      html`<vscode-button secondary @click=${() => void longer.run()}
        >${longer.label}</vscode-button
      >`;
    return html`${iconTemplate('lightbulb')}${text(strings('empty.nothing'))}${button}`;
  }

  private help(action: NonNullable<View['failure']>['help']): TemplateResult {
    const click = (): void => {
      this.ask('help', { action }).catch((error: unknown) => this.fail(error));
    };
    return html`<vscode-button @click=${click}
      >${this.strings(`notices.${action}`)}</vscode-button
    >`;
  }

  private dismissible(which: 'refusal' | 'explanation'): TemplateResult | typeof nothing {
    const notice = this[which];
    if (notice === undefined) return nothing;
    const dismiss = (): void => {
      this[which] = undefined;
      if (notice.focused instanceof HTMLElement) notice.focused.focus();
    };
    return html`${iconTemplate(notice.icon)}${text(notice.text)}<button
        class="icon-button codicon codicon-close"
        type="button"
        aria-label=${this.strings('notices.dismiss')}
        @click=${dismiss}
      ></button>`;
  }
}

function text(words: string): TemplateResult {
  return html`<span class="text">${words}</span>`;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether a search ended without records and no more are expected. */
function isNothing({ state, histogram, progress, following, title }: View): boolean {
  return (
    state === 'ready' &&
    histogram === undefined &&
    progress === undefined &&
    following === undefined &&
    title === undefined
  );
}

/**
 * What screen readers announce: the start, waits and result of a search, and changes of following. Counts that grow
 * meanwhile are not announced.
 */
export class LiveRegion extends PagePart {
  static override readonly properties = { text: { state: true } };

  declare private text: string;
  private last: Before = { epoch: -1 };

  constructor() {
    super();
    this.className = 'unseen';
    this.role = 'status';
  }

  show(view: View): void {
    this.text = newsOf(this.last, view) ?? this.text;
    this.last = view;
  }

  protected override render(): string {
    return this.text;
  }
}

type Before = Pick<View, 'epoch' | 'progress' | 'isWaiting' | 'following'>;

/** The text to announce; undefined if there is none. */
export function newsOf(
  before: Before,
  { epoch, progress, isWaiting, summary, failure, following }: View,
): string | undefined {
  if (before.following?.state !== following?.state && following !== undefined) {
    return following.text;
  }
  if (progress !== undefined) {
    const begins = before.progress === undefined || (isWaiting === true && !before.isWaiting);
    return begins ? progress : undefined;
  }
  // A quick search ends before its progress is shown.
  if (before.progress === undefined && before.epoch === epoch) return undefined;
  // A failure is announced as an alert.
  return failure === undefined ? summary : '';
}
