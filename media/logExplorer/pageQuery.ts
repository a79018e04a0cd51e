import type { Edit, QueryModel } from '../../src/logs/explorer/protocol/messages';
import type { Layout } from './columns';
import type { Panel, Strings } from './panel';

/** What the parts of the page share. */
export interface PageContext {
  readonly ask: Panel['ask'];
  readonly strings: Strings;
  /** The language of numbers and times. */
  readonly locale: string;
  /** Shows an error. */
  readonly report: (error: unknown) => void;
  readonly search: PageQuery;
  readonly layout: Layout;
  /** Whether long lines wrap. */
  readonly wrap: { readonly isOn: () => boolean; readonly toggle: () => void };
}

/** A change, or a function that creates one from the query after earlier changes. */
type EditOf = Edit | ((parsed: QueryModel) => Edit);

export const emptyQuery: QueryModel = {
  text: '',
  errors: [],
  chips: [],
  severities: [],
  range: {},
  shownRange: {},
  match: 'and',
  conditions: [],
};

/** The delay after typing before the text is parsed, in milliseconds. */
const readAfter = 120;

/** The query of the page: its text, its parts, and everything that changes it. */
export class PageQuery {
  private readonly listeners: (() => void)[] = [];
  private readonly blockedListeners: (() => void)[] = [];
  private typed = '';
  private found: QueryModel['errors'] = [];
  private model = emptyQuery;
  /** Whether the text is parsed. */
  private isRead = true;
  private stopWaiting = (): void => undefined;
  /** Changes are made one after the other. */
  private lastEdit: Promise<unknown> = Promise.resolve();

  /**
   * @param report called with errors of the panel.
   * @param wait calls back after so many milliseconds; returns a function that cancels it.
   */
  constructor(
    private readonly ask: Panel['ask'],
    private readonly report: (error: unknown) => void,
    private readonly wait: (ms: number, then: () => void) => () => void,
  ) {}

  /** The text in the query bar. */
  get text(): string {
    return this.typed;
  }

  /** The errors of the text; empty until it is parsed. */
  get errors(): QueryModel['errors'] {
    return this.found;
  }

  /** The parts of the last text without errors, so that nothing flickers while typing. */
  get parsed(): QueryModel {
    return this.model;
  }

  /** Takes typed text, which is parsed a moment later. */
  type(typed: string): void {
    if (typed === this.typed) return;
    this.typed = typed;
    this.found = [];
    this.isRead = false;
    this.stopWaiting();
    this.stopWaiting = this.wait(readAfter, () => void this.parse());
    this.changed();
  }

  apply(model: QueryModel): void {
    this.stopWaiting();
    this.typed = model.text;
    this.found = model.errors;
    if (model.errors.length === 0) this.model = model;
    this.isRead = true;
    this.changed();
  }

  /** Takes a text and parses it at once. */
  async read(text: string): Promise<void> {
    this.typed = text;
    this.isRead = false;
    await this.parse();
  }

  /** Changes the query other than by typing. @returns whether it was changed. */
  edit(edit: EditOf): Promise<boolean> {
    const made = this.lastEdit.then(() => this.change(edit));
    this.lastEdit = made;
    return made;
  }

  /** Changes the query and runs it. */
  async narrow(edit: EditOf): Promise<void> {
    if (await this.edit(edit)) await this.run();
  }

  /** Runs the query if it has no errors. */
  async run(): Promise<void> {
    if (!this.isRead || this.found.length === 0) await this.parse(true);
    if (this.found.length > 0) this.blocked();
  }

  /** Uses the query for something else if it has no errors. */
  async use(use: (text: string) => Promise<unknown>): Promise<void> {
    if (!this.isRead) await this.parse();
    if (this.found.length > 0) this.blocked();
    if (!this.isRead || this.found.length > 0) return;
    try {
      await use(this.typed);
    } catch (error) {
      this.report(error);
    }
  }

  /** @param listener called after each change of the text, errors or parts. */
  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** @param listener called when an action failed because the query has errors. */
  onBlocked(listener: () => void): void {
    this.blockedListeners.push(listener);
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }

  private blocked(): void {
    for (const listener of this.blockedListeners) listener();
  }

  /** @param run whether to run it too. */
  private async parse(run = false): Promise<void> {
    this.stopWaiting();
    const asked = this.typed;
    try {
      const model = await this.ask('parse', { text: asked, run });
      // The user may have typed more in the meantime.
      if (this.typed === asked) this.apply({ ...model, text: asked });
    } catch (error) {
      this.report(error);
    }
  }

  private async change(edit: EditOf): Promise<boolean> {
    if (!this.isRead) await this.parse();
    if (this.found.length > 0) {
      this.blocked();
      return false;
    }
    const asked = this.typed;
    try {
      const made = typeof edit === 'function' ? edit(this.model) : edit;
      const model = await this.ask('edit', { text: asked, edit: made });
      if (this.typed !== asked) return false;
      this.apply(model);
      return model.errors.length === 0;
    } catch (error) {
      this.report(error);
      return false;
    }
  }
}
