import { assert } from 'chai';
import * as vscode from 'vscode';
import { openSite } from '../../../src/data/ui/openSite';
import { uiPattern } from '../../host/texts';
import { covers } from '../../unit/covers';
import { answerPick, attend, clickInMessage, closeMessage, dialogDetails, leave } from '../person';

describe('The sites that the control plane names', () => {
  const { openExternal } = vscode.env;
  const { signal } = new AbortController();
  const question = uiPattern('Open this site?');
  let opened: string[];
  let shown: string[];

  beforeEach(() => {
    [opened, shown] = [[], []];
    attend();
    Object.assign(vscode.env, {
      openExternal(uri: vscode.Uri) {
        opened.push(uri.toString(true));
        return Promise.resolve(true);
      },
    });
  });
  afterEach(() => {
    Object.assign(vscode.env, { openExternal });
    leave();
  });
  /** Chooses the item at an index; undefined dismisses the list. */
  const pick = (index: number | undefined): void =>
    answerPick((items) => {
      shown = items.map(({ label, description = '' }) => `${label} ${description}`.trim());
      return index === undefined ? undefined : items[index];
    });

  it('are shown before one opens, also a single one', async () => {
    const sites = [{ url: 'https://shop.example/a', detail: 'web-api' }];
    pick(undefined);
    assert.isFalse(await openSite(sites, signal));
    assert.deepEqual(shown, ['shop.example /a · web-api']);
    assert.isEmpty(opened);
    pick(1);
    assert.isTrue(await openSite([...sites, { url: 'https://b.example/' }], signal));
    assert.deepEqual(opened, ['https://b.example/']);
  });

  it(`are text without icons ${covers('F57', 'editor')}`, async () => {
    pick(undefined);
    await openSite([{ url: 'https://shop.example/$(verified-filled)', detail: '$(lock)' }], signal);
    assert.deepEqual(shown, ['shop.example /\\$(verified-filled) · \\$(lock)']);
  });

  it(`are shown whole in a dialog if their host is long ${covers('F57', 'editor')}`, async () => {
    const host = `bank.example.${'a'.repeat(60)}.evil.example`;
    const sites = [{ url: `https://${host}/` }];
    pick(0);
    closeMessage(question);
    assert.isFalse(await openSite(sites, signal));
    assert.match(shown.join(), /^….*\.evil\.example$/);
    assert.deepEqual(dialogDetails(), [host]);
    assert.isEmpty(opened);
    pick(0);
    clickInMessage(question, 'Open');
    assert.isTrue(await openSite(sites, signal));
    assert.lengthOf(opened, 1);
  });

  it('do not open after their connection was left', async () => {
    pick(0);
    assert.isFalse(await openSite([{ url: 'https://shop.example/' }], AbortSignal.abort()));
    assert.isEmpty(opened);
  });
});
