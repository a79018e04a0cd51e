import { html, nothing, type TemplateResult } from 'lit';
import type { Range } from '../../src/logs/explorer/protocol/messages';
import { messageOf } from './notices';
import { PagePart } from './pagePart';
import type { PageContext } from './pageQuery';
import type { Panel, Strings } from './panel';
import { type Option, selectTemplate } from './select';

/** The option that opens the form. */
const other = 'other';

/** The option for a range of the query that is not a preset. */
const custom = 'custom';

const errorId = 'range-error';
const hintId = 'range-hint';

/** The box for the time range of the query. */
export class RangeBox extends PagePart {
  /** For a custom range; opens on request. */
  readonly form: RangeForm;

  constructor(private readonly context: PageContext) {
    super();
    this.form = new RangeForm(context, () => this.querySelector('select')?.focus());
    context.search.onChange(() => this.requestUpdate());
  }

  protected override render(): TemplateResult {
    const { search, strings } = this.context;
    const { range, shownRange } = search.parsed;
    const choice = choiceOf(range);
    return selectTemplate(
      strings('range.label'),
      optionsFor(range, shownRange, strings),
      choice.kind === 'preset' ? choice.last : custom,
      (value) => this.choose(value),
    );
  }

  private choose(value: string): void {
    const { search } = this.context;
    if (value === other) this.form.open(search.parsed.range);
    else if (value !== custom) {
      this.form.close();
      void search.narrow({ kind: 'range', range: { last: value } });
    }
  }
}

/** The form for a custom time range. */
export class RangeForm extends PagePart {
  static override readonly properties = { range: { state: true }, problem: { state: true } };

  /** The range that it opened with; undefined while it is closed. */
  declare private range: Range | undefined;
  declare private problem: string | undefined;

  /** @param onLeave moves the focus when the user is done. */
  constructor(
    private readonly context: PageContext,
    private readonly onLeave: () => void,
  ) {
    super();
  }

  open(range: Range): void {
    this.range = range;
    this.problem = undefined;
    void this.updateComplete.then(() => this.querySelector('input')?.focus());
  }

  close(): void {
    this.range = undefined;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { range, problem } = this;
    if (range === undefined) return nothing;
    const { strings } = this.context;
    return html`<form
      class="range-form"
      aria-label=${strings('range.customLabel')}
      @submit=${(event: Event) => event.preventDefault()}
      @keydown=${(event: KeyboardEvent) => this.press(event)}
    >
      ${this.input(strings('range.start'), range.from ?? range.last)}
      ${this.input(strings('range.end'), range.to)}
      <vscode-button @click=${() => this.apply()}>${strings('range.apply')}</vscode-button>
      <vscode-button secondary @click=${() => this.leave()}
        >${strings('range.close')}</vscode-button
      >
      <div class="hint" id=${hintId}>${strings('range.hint')}</div>
      <div class="wrong-range" id=${errorId} role="alert">${problem}</div>
    </form>`;
  }

  private input(label: string, text = ''): TemplateResult {
    return html`<span aria-hidden="true">${label}</span>
      <input
        class="text"
        type="text"
        aria-label=${label}
        aria-describedby="${hintId} ${errorId}"
        aria-invalid=${this.problem !== undefined}
        placeholder=${label}
        maxlength="100"
        spellcheck="false"
        .value=${text}
      />`;
  }

  private press(event: KeyboardEvent): void {
    if (event.key === 'Escape') this.leave();
    else if (event.key === 'Enter' && event.target instanceof HTMLInputElement) void this.apply();
    else return;
    event.preventDefault();
  }

  private leave(): void {
    this.close();
    this.onLeave();
  }

  private async apply(): Promise<void> {
    const { ask, search } = this.context;
    const typed = [...this.querySelectorAll('input')].map(({ value }) => value);
    const range = typedRange(typed[0] ?? '', typed[1] ?? '');
    this.problem = await problemOf(range, ask);
    if (this.problem === undefined) {
      this.leave();
      await search.narrow({ kind: 'range', range });
    } else this.querySelector('input')?.focus();
  }
}

/** The error of a range, without the rest of the query. */
async function problemOf(range: Range, ask: Panel['ask']): Promise<string | undefined> {
  try {
    const model = await ask('edit', { text: '', edit: { kind: 'range', range } });
    return model.errors[0]?.message;
  } catch (error) {
    return messageOf(error);
  }
}

function optionsFor(range: Range, { from, to }: Range, strings: Strings): readonly Option[] {
  const choice = choiceOf(range);
  const label =
    choice.kind === 'last'
      ? strings('range.last', choice.last)
      : choice.kind !== 'custom'
        ? undefined
        : to === undefined
          ? strings('range.from', from ?? '')
          : from === undefined
            ? strings('range.to', to)
            : strings('range.fromTo', from, to);
  return [
    ...presets.map((last) => ({ value: last, label: strings(`range.${last}`) })),
    ...(label === undefined ? [] : [{ value: custom, label }]),
    { value: other, label: strings('range.custom') },
  ];
}

/** The lengths to choose from, as in queries. */
const presets = ['5m', '15m', '1h', '6h', '24h', '7d', '30d'] as const;

/** The range of a query as the box shows it. */
type RangeChoice =
  | { readonly kind: 'preset'; readonly last: string }
  /** A length that is not a preset. */
  | { readonly kind: 'last'; readonly last: string }
  | { readonly kind: 'custom' };

export function choiceOf({ last, from, to }: Range): RangeChoice {
  if (last !== undefined) {
    const isPreset = presets.some((one) => one === last);
    return isPreset ? { kind: 'preset', last } : { kind: 'last', last };
  }
  // A query without a range covers an hour.
  if (from === undefined && to === undefined) return { kind: 'preset', last: '1h' };
  return { kind: 'custom' };
}

/** The next longer preset, as in a query; undefined if there is none. */
export function longerThan(range: Range): (typeof presets)[number] | undefined {
  const choice = choiceOf(range);
  const index = presets.findIndex((one) => choice.kind === 'preset' && one === choice.last);
  return index < 0 ? undefined : presets[index + 1];
}

/** The range of the two inputs of the form, which may be empty. */
export function typedRange(from: string, to: string): Range {
  const [start, end] = [from.trim(), to.trim()];
  return {
    ...(start === '' ? {} : { from: start }),
    ...(end === '' ? {} : { to: end }),
  };
}
