import * as v from 'valibot';
import { listOf, readStored, type Storage } from '../base/storedValue';
import { StoredPerConnection } from './perConnection';
import type { Session } from './session';

/** More than things change their state while someone looks. */
const mostThings = 500;
const pairs = listOf(v.tuple([v.string(), v.string()]), mostThings);

/**
 * The state of each thing that a window has last told of. The windows of a user share it, each connection has
 * its own: what one window has told is no news in another one.
 */
export class ToldStates {
  private readonly stored: StoredPerConnection<readonly (readonly [string, string])[]>;

  /**
   * @param storage that of all windows.
   * @param key of this kind of things.
   */
  constructor(session: Pick<Session, 'state'>, storage: Storage, key: string) {
    this.stored = new StoredPerConnection(session, storage, key, (value) =>
      readStored(pairs, value),
    );
  }

  /** The things whose state no window has told yet. From now on they count as told. */
  claim<T>(things: readonly T[], idOf: (thing: T) => string, stateOf: (thing: T) => string): T[] {
    const told = new Map(this.stored.value);
    const news = things.filter((thing) => told.get(idOf(thing)) !== stateOf(thing));
    if (news.length > 0) {
      for (const thing of news) {
        // What was told last comes first.
        told.delete(idOf(thing));
      }
      const now = news.map((thing) => [idOf(thing), stateOf(thing)] as const);
      this.stored.set([...now, ...told].slice(0, mostThings));
    }
    return news;
  }
}
