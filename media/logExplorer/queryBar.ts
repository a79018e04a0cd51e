import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { QueryModel } from '../../src/logs/explorer/protocol/messages';
import { PagePart } from './pagePart';
import type { PageContext } from './pageQuery';
import { piecesOf, type CellSpan } from './rowCells';
import {
  completed,
  type CompletionSpan,
  currentSpan,
  firstCompletion,
  groupsOf,
  type OpenSuggestions,
  openWith,
  stepped,
  type Suggestion,
  suggestionId,
  suggestionsId,
  suggestionsTemplate,
} from './suggestions';
import { makeUndoable, type UndoableInput } from './undoHistory';

/** The delay after typing before completions are requested, in milliseconds. */
const completeAfter = 60;

/** The delay after typing before errors at the cursor are shown, in milliseconds. */
const restsAfter = 1500;

const errorsId = 'query-errors';

/** The query bar with its completions and errors. */
export class QueryBar extends PagePart {
  static override readonly properties = { open: { state: true }, isTyping: { state: true } };

  declare private open: OpenSuggestions | undefined;
  declare private isTyping: boolean;
  /** Where the suggestions can stand. */
  private place: CompletionSpan = { text: '', start: 0, end: 0 };
  /** Counts requests for completions and the keys that end them: an answer to an earlier request is ignored. */
  private question = 0;
  private soon: ReturnType<typeof setTimeout> | undefined;
  private rest: ReturnType<typeof setTimeout> | undefined;
  // Both are there from the first update on.
  declare private input: HTMLInputElement;
  declare undoable: UndoableInput;

  /** @param onRun moves the focus on when the user runs a query without errors. */
  constructor(
    private readonly context: PageContext,
    private readonly onRun: () => void,
  ) {
    super();
    this.className = 'query-bar';
    this.isTyping = false;
    context.search.onChange(() => this.requestUpdate());
    // An error is shown where it can be fixed.
    context.search.onBlocked(() => {
      this.stopTyping();
      this.focus();
    });
  }

  override focus(): void {
    void this.updateComplete.then(() => this.input.focus());
  }

  /** Whether the query is longer than the query bar. */
  isCut(): boolean {
    return this.input.scrollWidth > this.input.clientWidth;
  }

  protected override firstUpdated(): void {
    const input = this.querySelector('input');
    if (input === null) return;
    const { search } = this.context;
    input.value = search.text;
    this.input = input;
    this.undoable = makeUndoable(input, () => {
      this.close();
      search.type(input.value);
      this.stopTyping();
    });
  }

  protected override updated(changed: PropertyValues): void {
    const { text } = this.context.search;
    if (this.input.value !== text) this.undoable.put(text);
    this.scrollMirror();
    if (!changed.has('open') || this.open === undefined) return;
    const active = this.querySelector('[role=option][aria-selected=true]');
    if (active === null) this.querySelector('.suggestions')?.scrollTo(0, 0);
    else active.scrollIntoView({ block: 'nearest' });
  }

  protected override render(): TemplateResult {
    const { search, strings } = this.context;
    const { open, isTyping } = this;
    const caret = isTyping ? (this.input.selectionEnd ?? undefined) : undefined;
    const errors = errorsToShow(search.errors, caret);
    const isNoted = !isTyping && search.errors.length === 0 && search.parsed.text === search.text;
    const note = isNoted ? search.parsed.note : undefined;
    const messages = errors.map(({ start, message }) =>
      strings('query.errorAt', start + 1, message),
    );
    if (note !== undefined) messages.push(note.message);
    const fixes = [...errors, note].map((one) => one?.fix && this.fix(one.fix));
    const said = [messages.join(' '), fixes];
    const pieces = piecesOf(search.text, [], errors.map(wrongSpan)).map(
      ({ text, style }) => html`<span class=${style}>${text}</span>`,
    );
    const press = (event: KeyboardEvent): void => {
      if (!event.isComposing && this.handle(event)) event.preventDefault();
    };
    // The maximum length is that which the panel accepts.
    return html`<div class="query-box">
        <div class="mirror" aria-hidden="true">${pieces}</div>
        <input
          class="query"
          type="text"
          role="combobox"
          aria-label=${strings('query.label')}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-expanded=${open !== undefined}
          aria-controls=${suggestionsId}
          aria-activedescendant=${open?.active === undefined ? nothing : suggestionId(open.active)}
          aria-invalid=${errors.length > 0 ? 'true' : nothing}
          aria-describedby=${messages.length > 0 ? errorsId : nothing}
          placeholder=${strings('query.placeholder')}
          spellcheck="false"
          autocomplete="off"
          autocapitalize="off"
          maxlength="65536"
          @input=${() => this.typed()}
          @scroll=${() => this.scrollMirror()}
          @click=${() => this.clicked()}
          @blur=${() => this.leave()}
          @keydown=${press}
        />
        ${suggestionsTemplate(open, strings, (suggestion) => this.choose(suggestion))}
      </div>
      <div class=${note ? 'query-errors note' : 'query-errors'} id=${errorsId}>${said}</div>`;
  }

  private fix({ label, text }: NonNullable<QueryError['fix']>): TemplateResult {
    const click = (): void => {
      this.undoable.put(text);
      this.context.search.type(text);
      this.focus();
    };
    return html` <button class="link" type="button" @click=${click}>${label}</button>`;
  }

  private scrollMirror(): void {
    const mirror = this.querySelector('.mirror');
    if (mirror !== null) mirror.scrollLeft = this.input.scrollLeft;
  }

  private get active(): Suggestion | undefined {
    return this.open?.all[this.open.active ?? -1];
  }

  private activate(active: number | undefined): void {
    this.open &&= { ...this.open, active };
  }

  private typed(): void {
    this.isTyping = true;
    this.activate(undefined);
    clearTimeout(this.rest);
    this.rest = setTimeout(() => {
      // The user is still choosing a completion.
      if (this.open === undefined) this.stopTyping();
    }, restsAfter);
    this.context.search.type(this.input.value);
    clearTimeout(this.soon);
    this.soon = setTimeout(() => void this.suggest(false), completeAfter);
  }

  private clicked(): void {
    if (this.input.value === '' && this.open === undefined) void this.suggest(false);
    else this.close();
  }

  private stopTyping(): void {
    clearTimeout(this.rest);
    this.isTyping = false;
  }

  private close(): void {
    clearTimeout(this.soon);
    this.question++;
    this.open = undefined;
  }

  private leave(): void {
    this.close();
    this.stopTyping();
  }

  private async suggest(onlyRecent: boolean): Promise<void> {
    const asked = ++this.question;
    const { value, selectionEnd } = this.input;
    // All recent queries are shown, whatever the text is.
    const text = onlyRecent ? '' : value;
    const offset = onlyRecent ? 0 : (selectionEnd ?? value.length);
    // After an error there are just no completions.
    const found = await this.context.ask('complete', { text, offset }).catch(() => undefined);
    if (asked !== this.question || !found || !this.input.matches(':focus')) return;
    this.place = { text: value, start: found.start, end: found.end };
    this.open = openWith(groupsOf(value, found, onlyRecent), this.active);
  }

  private choose(suggestion: Suggestion): void {
    const now =
      suggestion.kind === 'recent' ? this.place : currentSpan(this.place, this.input.value);
    // The completion is for another text; new ones arrive in a moment.
    if (now === undefined) return;
    const { text, caret, continues } = completed(now, suggestion);
    this.undoable.put(text, caret);
    this.close();
    this.context.search.type(text);
    if (continues) void this.suggest(false);
  }

  private async run(): Promise<void> {
    const { search } = this.context;
    this.leave();
    const { question } = this;
    const { text } = search;
    await search.run();
    // Who went on in the query bar meanwhile stays there.
    const isDone = question === this.question && text === search.text;
    if (isDone && search.errors.length === 0 && this.input.matches(':focus')) this.onRun();
  }

  /** @returns whether the key was handled. */
  private handle({ key, altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean {
    if (ctrlKey || metaKey || shiftKey) return false;
    const { open, active } = this;
    const move = (step: 1 | -1): void =>
      this.activate(open && stepped(open.active, step, open.all.length));
    switch (key) {
      case 'Enter':
        if (active === undefined) void this.run();
        else this.choose(active);
        return true;
      case 'Tab': {
        const span = currentSpan(this.place, this.input.value);
        const wanted = active ?? firstCompletion(open?.all ?? [], span);
        if (wanted !== undefined) this.choose(wanted);
        return wanted !== undefined;
      }
      case 'Escape':
        this.leave();
        return true;
      case 'ArrowDown':
        if (open === undefined) void this.suggest(false);
        else move(1);
        return true;
      case 'ArrowUp':
        if (open === undefined || altKey) void this.suggest(true);
        else move(-1);
        return true;
      case 'ArrowLeft':
      case 'ArrowRight':
      case 'Home':
      case 'End':
        this.leave();
        return false;
      default:
        return false;
    }
  }
}

type QueryError = QueryModel['errors'][number];

function wrongSpan({ start, end }: QueryError): CellSpan {
  return [start, end, 'wrong'];
}

/**
 * The errors to show while the user types: the term at the cursor is not complete yet.
 *
 * @param caret the position of the cursor; undefined if the user is not typing.
 */
export function errorsToShow(
  errors: readonly QueryError[],
  caret: number | undefined,
): readonly QueryError[] {
  return caret === undefined ? errors : errors.filter(({ end }) => end < caret);
}
