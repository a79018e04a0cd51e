import { assert } from 'chai';
import { uiPattern } from '../../host/texts';
import { startControlPlane } from '../controlPlane';
import { testEnvironment } from '../environment';
import { notification } from '../person';
import { setScene } from '../scene';

describe('The control plane for tests in the editor', () => {
  it('answers requests and admin calls from this extension host', async () => {
    const controlPlane = await startControlPlane({ live: false, historyRecords: 3 });
    try {
      const response = await fetch(`${controlPlane.url}/v1/api/logs/query`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${controlPlane.keys['demo-full'] ?? ''}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({
          filters: { from: '2026-11-20T00:00:00Z', to: '2026-11-21T00:00:00Z' },
        }),
      });
      assert.equal(response.status, 200);
      // A browser sends a preflight request (OPTIONS) before the request of a web worker.
      const posts = (await controlPlane.admin.requests()).filter(({ method }) => method === 'POST');
      assert.lengthOf(posts, 1);
      assert.include(posts[0], { status: 200, key: 'demo-full' });
      assert.equal((await controlPlane.admin.emitted()).count, 3);
    } finally {
      await controlPlane.close();
    }
  });
});

describe('A control plane that allows no requests of web pages (CORS)', () => {
  const scene = setScene({ unkind: { noOtherOrigins: true } });

  it('can be used, except in a web worker, which says why', async () => {
    const { host } = await testEnvironment();
    const isConnected = await scene.connect();
    if (host === 'node') {
      await scene.follow();
      await scene.tailIs('live');
    } else {
      // The key is not saved, because nothing says that the control plane accepts it.
      assert.isFalse(isConnected);
      await notification(
        uiPattern(
          'The control plane can be reached but does not allow requests from a browser (CORS). Use VS Code on the desktop or in a remote window.',
        ),
      );
    }
  });
});
