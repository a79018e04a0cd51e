import { ApiError } from '../../../src/api/errors';
import { RequestScheduler } from '../../../src/api/requestScheduler';
import type { ResourceListing } from '../../../src/api/types';
import { Store, cacheKeyId } from '../../../src/data/store';
import { fakeClock, settle, type FakeClock } from '../fakeClock';
import { fakeClient } from './fakeClient';
import { read, uuid } from '../trees/treeText';

export const source = uuid(1);
export const topic = { kind: 'resources', sourceId: source } as const;
export const other = { kind: 'resources', sourceId: uuid(2) } as const;

export interface Asked {
  readonly id: string;
  readonly signal: AbortSignal;
  readonly answer: (names: string[], more?: object) => void;
  readonly fail: (error: unknown) => void;
}

export interface Made {
  readonly store: Store;
  readonly clock: FakeClock;
  /** Requests for resources, which the test answers. */
  readonly asked: Asked[];
  /** The keys that were reported as changed, in order. */
  readonly told: string[];
}

export function make(): Made {
  const clock = fakeClock();
  const store = new Store(clock);
  const scheduler = new RequestScheduler(clock, () => 0);
  const asked: Asked[] = [];
  const told: string[] = [];
  store.reset(
    fakeClient({
      listResources: (id, options) =>
        scheduler.run(
          'listResources',
          options,
          () =>
            new Promise((resolve, reject) => {
              asked.push({
                id,
                signal: options.signal,
                answer: (names, more = {}) => resolve(listing(names, more)),
                fail: reject,
              });
            }),
        ),
    }),
  );
  store.onDidChange((change) =>
    told.push(change.kind === 'reset' ? 'reset' : cacheKeyId(change.key)),
  );
  return { store, clock, asked, told };
}

export function listing(names: string[], more: object = {}): ResourceListing {
  const resources = names.map((name, index) => ({ id: uuid(10 + index), name }));
  return read('ResourceListing', { resources, ...more });
}

export function names(store: Store): (string | undefined)[] | undefined {
  return store.resources(source).value?.resources?.map(({ name }) => name);
}

/** Refreshes and answers the request. */
export async function refresh({ store, asked }: Made, ...answer: Parameters<Asked['answer']>) {
  const done = store.refresh(topic, 'person');
  await settle();
  asked.at(-1)!.answer(...answer);
  await done;
}

export function rateLimited(seconds: number): ApiError {
  const retryAfter = seconds * 1000;
  return new ApiError({ kind: 'http', status: 429, code: 'slow', message: 'slow', retryAfter });
}
