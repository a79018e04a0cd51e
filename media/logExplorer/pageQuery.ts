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

/** The query of the page: its text, its parts, and everything that changes it. */
export interface PageQuery {
  /** The text in the query bar. */
  readonly text: string;
  /** The errors of the text; empty until it is parsed. */
  readonly errors: QueryModel['errors'];
  /** The parts of the last text without errors, so that nothing flickers while typing. */
  readonly parsed: QueryModel;
  /** Takes typed text, which is parsed a moment later. */
  type(text: string): void;
  take(model: QueryModel): void;
  /** Takes a text and parses it at once. */
  read(text: string): Promise<void>;
  /** Changes the query other than by typing. @returns whether it was changed. */
  edit(edit: EditOf): Promise<boolean>;
  /** Changes the query and runs it. */
  narrow(edit: EditOf): Promise<void>;
  /** Runs the query if it has no errors. */
  run(): Promise<void>;
  /** Uses the query for something else if it has no errors. */
  use(use: (text: string) => Promise<unknown>): Promise<void>;
  /** @param listener called after each change of the text, errors or parts. */
  onChange(listener: () => void): void;
  /** @param listener called when an action failed because the query has errors. */
  onBlocked(listener: () => void): void;
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

/**
 * @param report called with errors of the panel.
 * @param wait calls back after so many milliseconds; returns a function that cancels it.
 */
export function createPageQuery(
  ask: Panel['ask'],
  report: (error: unknown) => void,
  wait: (ms: number, then: () => void) => () => void,
): PageQuery {
  const listeners: (() => void)[] = [];
  const blockedListeners: (() => void)[] = [];
  let text = '';
  let errors: QueryModel['errors'] = [];
  let parsed = emptyQuery;
  /** Whether `text` is parsed. */
  let isRead = true;
  let stopWaiting = (): void => undefined;
  /** Changes are made one after the other. */
  let lastEdit: Promise<unknown> = Promise.resolve();

  const changed = (): void => {
    for (const listener of listeners) listener();
  };
  const blocked = (): void => {
    for (const listener of blockedListeners) listener();
  };
  const take = (model: QueryModel): void => {
    stopWaiting();
    text = model.text;
    errors = model.errors;
    if (errors.length === 0) parsed = model;
    isRead = true;
    changed();
  };
  /** @param run whether to run it too. */
  const read = async (run = false): Promise<void> => {
    stopWaiting();
    const asked = text;
    try {
      const model = await ask('parse', { text: asked, run });
      // The user may have typed more in the meantime.
      if (text === asked) take({ ...model, text: asked });
    } catch (error) {
      report(error);
    }
  };
  const change = async (edit: EditOf): Promise<boolean> => {
    if (!isRead) await read();
    if (errors.length > 0) {
      blocked();
      return false;
    }
    const asked = text;
    try {
      const made = typeof edit === 'function' ? edit(parsed) : edit;
      const model = await ask('edit', { text: asked, edit: made });
      if (text !== asked) return false;
      take(model);
      return model.errors.length === 0;
    } catch (error) {
      report(error);
      return false;
    }
  };
  const search: PageQuery = {
    get text() {
      return text;
    },
    get errors() {
      return errors;
    },
    get parsed() {
      return parsed;
    },
    type(typed) {
      if (typed === text) return;
      text = typed;
      errors = [];
      isRead = false;
      stopWaiting();
      stopWaiting = wait(readAfter, () => void read());
      changed();
    },
    take,
    async read(given) {
      text = given;
      isRead = false;
      await read();
    },
    edit(edit) {
      const made = lastEdit.then(() => change(edit));
      lastEdit = made;
      return made;
    },
    async narrow(edit) {
      if (await search.edit(edit)) await search.run();
    },
    async run() {
      if (!isRead || errors.length === 0) await read(true);
      if (errors.length > 0) blocked();
    },
    async use(act) {
      if (!isRead) await read();
      if (errors.length > 0) blocked();
      if (!isRead || errors.length > 0) return;
      try {
        await act(text);
      } catch (error) {
        report(error);
      }
    },
    onChange: (listener) => void listeners.push(listener),
    onBlocked: (listener) => void blockedListeners.push(listener),
  };
  return search;
}
