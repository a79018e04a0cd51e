import type { PageState, View } from '../../src/panels/logExplorer/messages';

/** What the page keeps over a reload, and what it does with that when it comes back. */
export interface Memory {
  readonly wrap: boolean;
  /** The panel tells what it shows. */
  saw(view: View): void;
  /** Somebody puts a query into the bar from elsewhere: what was kept counts no longer. */
  forget(): void;
  /** The query, or how lines are shown, may be others now. */
  changed(query: string, wrap: boolean): void;
}

export interface MemoryHost {
  readonly keep: (state: PageState) => void;
  /** Puts a query into the bar. */
  readonly read: (query: string) => Promise<unknown>;
  /** Searches for what stands in the bar. */
  readonly run: () => unknown;
}

/** @param kept is what the page had before; undefined where it had nothing. */
export function createMemory(kept: PageState | undefined, host: MemoryHost): Memory {
  let { query, wrap, ran } = kept ?? { query: '', wrap: false, ran: false };
  /** Whether the panel, which may have lost its results, still has to be asked for them. */
  let isDue = ran;
  let isFirst = kept === undefined;
  let reading: Promise<unknown> = query === '' ? Promise.resolve() : host.read(query);

  const keep = (): void => host.keep({ query, wrap, ran });
  return {
    get wrap() {
      return wrap;
    },
    saw(view) {
      if (isFirst && view.query !== '') reading = host.read(view.query);
      isFirst = false;
      if (view.state === 'idle') {
        if (isDue) void reading.then(() => host.run());
        isDue = false;
        return;
      }
      if (view.state === 'notConnected' || view.state === 'signedOut') return;
      isDue = false;
      ran = view.query === query;
      keep();
    },
    forget() {
      isDue = false;
      isFirst = false;
    },
    changed(nextQuery, nextWrap) {
      if (nextQuery === query && nextWrap === wrap) return;
      if (nextQuery !== query) ran = false;
      query = nextQuery;
      wrap = nextWrap;
      keep();
    },
  };
}
