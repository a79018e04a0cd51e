import { assert } from 'chai';
import type { Diagnostics } from '../../../src/vscode/diagnostics';
import { showFailure } from '../../../src/vscode/notifications';
import { errorMessages, notification } from '../person';
import { setScene } from '../scene';

describe('An error', () => {
  setScene();

  it('is not shown if the user cancelled what failed', async () => {
    const shown: unknown[] = [];
    const diagnostics = { error: (_: string, error: unknown) => shown.push(error) };
    const cancelled = new AbortController();
    cancelled.abort();
    // Cancel in a progress notification aborts with this reason.
    await showFailure(diagnostics as unknown as Diagnostics, 'Failed.', cancelled.signal.reason);
    assert.isEmpty(shown);
    assert.isEmpty(await errorMessages());
    void showFailure(diagnostics as unknown as Diagnostics, 'Failed.', new Error('why'));
    assert.match(await notification(/Failed\./), /why/);
    assert.lengthOf(shown, 1);
  });
});
