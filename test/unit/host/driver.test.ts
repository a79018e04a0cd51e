import { assert } from 'chai';
import { createDriverHub } from '../../host/driver';

describe('The drivers of windows', () => {
  it('do not let a window that failed take the report of the next one', async () => {
    const hub = await createDriverHub(1);
    try {
      const failure = (load: () => Promise<unknown>): Promise<string> =>
        hub.next(load).then(
          () => 'none',
          (error: unknown) => String(error),
        );
      assert.match(await failure(() => Promise.resolve()), /No extension host has started/);
      assert.match(await failure(() => Promise.reject(new Error('not loaded'))), /not loaded/);
      await hub.next(() => fetch(hub.url, { method: 'POST', body: 'http://127.0.0.1:1' }));
    } finally {
      await hub.close();
    }
  });
});
