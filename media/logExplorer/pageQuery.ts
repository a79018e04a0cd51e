import type { Edit, QueryModel } from '../../src/logs/explorer/panel/messages';
import type { Panel } from './panel';

/** The query of the page: one text, what it says, and whatever changes it. */
export interface PageQuery {
  /** As it stands in the bar. */
  readonly text: string;
  /** What is wrong with the text; empty while nobody has read it yet. */
  readonly errors: QueryModel['errors'];
  /** What the last text without an error says: so nothing flickers while somebody types. */
  readonly said: QueryModel;
  /** Takes what is typed; it is read a moment later. */
  type(text: string): void;
  /** Takes a query that the panel made or that was read already. */
  use(model: QueryModel): void;
  /** Reads a text at once, and takes it. */
  read(text: string): Promise<void>;
  /** Changes the query by anything but typing. @returns whether the query was right, and is changed. */
  edit(edit: EditOf): Promise<boolean>;
  /** Changes the query and searches at once. */
  narrow(edit: EditOf): Promise<void>;
  /** Searches, unless something is wrong with the query. */
  run(): Promise<void>;
  /** Does something else with the query, unless something is wrong with it. */
  hand(use: (text: string) => Promise<unknown>): Promise<void>;
  /** @param listener is called after each change of anything above. */
  onChange(listener: () => void): void;
  /** @param listener is called where something was asked for that the errors of the query forbid. */
  onBlocked(listener: () => void): void;
}

/** A change, or what makes one of what the query says once the changes before it are made. */
type EditOf = Edit | ((said: QueryModel) => Edit);

/** What a query says that says nothing. */
export const emptyQuery: QueryModel = {
  text: '',
  errors: [],
  chips: [],
  severities: [],
  range: {},
  match: 'and',
  conditions: [],
};

/** How long typing rests before the text is read, in milliseconds. */
const readAfter = 120;

/**
 * @param report is told what the panel refuses.
 * @param wait calls back after so many milliseconds, and answers with what cancels that.
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
  let said = emptyQuery;
  /** Whether `errors` and `said` are of `text`. */
  let isRead = true;
  let stopWaiting = (): void => undefined;
  /** Changes are made one after the other, each to what the one before it came to. */
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
    if (errors.length === 0) said = model;
    isRead = true;
    changed();
  };
  /** @param run whether it is searched for, too, where nothing is wrong with it. */
  const read = async (run = false): Promise<void> => {
    stopWaiting();
    const asked = text;
    try {
      const model = await ask('parse', { text: asked, run });
      // Somebody typed on: the answer is of another text.
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
      const made = typeof edit === 'function' ? edit(said) : edit;
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
    get said() {
      return said;
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
    use: take,
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
      if (isRead) {
        await search.hand((text) => ask('run', { text }));
        return;
      }
      // Somebody typed it just now: it is read and run in one go.
      await read(true);
      if (errors.length > 0) blocked();
    },
    async hand(use) {
      if (!isRead) await read();
      if (errors.length > 0) blocked();
      if (!isRead || errors.length > 0) return;
      try {
        await use(text);
      } catch (error) {
        report(error);
      }
    },
    onChange: (listener) => void listeners.push(listener),
    onBlocked: (listener) => void blockedListeners.push(listener),
  };
  return search;
}
