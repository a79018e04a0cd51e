import { assert } from 'chai';
import { createHead } from '../../../../media/logComparison/head';
import type { ComparisonView } from '../../../../src/logs/explorer/protocol/comparisonMessages';
import { settle } from '../../fakeClock';
import { focusedElement, pageElement, shownPart, usePageDocument } from '../pageDocument';
import { apartRow, comparisonPanel, shownComparison, idsAsTexts } from './comparisonPage';

describe('head of a comparison', () => {
  usePageDocument();

  function shown(members: Partial<ComparisonView>) {
    const { ask, asked } = comparisonPanel(() => Promise.resolve([]));
    const head = createHead(ask, idsAsTexts);
    head.show(shownComparison(members));
    const root = pageElement(head.element);
    /** The buttons of the toolbar that are shown. */
    const tools = (): (string | null)[] =>
      root
        .querySelectorAll('.tool')
        .filter(({ isShown }) => isShown)
        .map((button) => button.ariaLabel ?? button.getAttribute('aria-label'));
    return { head, root, asked, tools };
  }
  const choose = 'comparison.choose';
  const link = 'toolbar.copyLink';

  it('offers what its state allows', () => {
    const all = ['toolbar.openAsText', 'comparison.askChat', link];
    assert.deepEqual(shown({}).tools(), [choose, ...all]);
    const more = shown({ canRead: true });
    assert.deepEqual(more.tools(), [choose, 'comparison.more', ...all]);
    const reading = { state: 'loading', progress: '1,000', canRead: true } as const;
    assert.deepEqual(shown(reading).tools(), [choose, 'query.cancel', link]);
    assert.deepEqual(shown({ hasChat: false }).tools(), [choose, 'toolbar.openAsText', link]);
    assert.deepEqual(shown({ state: 'idle', sides: undefined, rows: [] }).tools(), [choose]);
  });

  it('offers to try again after a failure, says why, and helps', async () => {
    const failure = {
      message: 'The control plane is not available.',
      help: 'diagnostics',
    } as const;
    const { root, asked, tools, head } = shown({ state: 'failed', failure, rows: [] });
    assert.deepEqual(tools(), [choose, 'comparison.again', link]);
    const again = root
      .querySelectorAll('.tool')
      .filter(({ ariaLabel }) => ariaLabel === 'comparison.again');
    assert.equal(again[0]?.textContent, 'comparison.again');
    again[0]?.click();
    assert.deepEqual(asked, [{ kind: 'read' }]);
    assert.equal(shownPart(root, '.text').textContent, failure.message);
    shownPart(root, 'vscode-button').click();
    await settle();
    assert.deepEqual(asked.at(-1), { kind: 'help', action: 'diagnostics' });
    head.show(shownComparison());
    assert.isEmpty(root.querySelectorAll('vscode-button'));
    assert.notInclude(tools(), 'comparison.again');
  });

  it('shows why an action failed until the next one', () => {
    const { head, root } = shown({});
    head.fail(new Error('There is no chat.'));
    assert.include(root.textContent, 'There is no chat.');
    const [button] = root.querySelectorAll('.tool');
    button?.click();
    assert.notInclude(root.textContent, 'There is no chat.');
  });

  it('says what sets the sides apart, or nothing', () => {
    const { root, head } = shown({ apart: [apartRow] });
    assert.include(shownPart(root, '.apart').textContent, 'eu-central');
    head.show(shownComparison({ apart: [] }));
    assert.isFalse(root.querySelector('.apart')?.isShown);
    assert.notInclude(root.textContent, 'comparison.apartNone');
  });

  it('keeps the focus on the name of a side when other parts change', () => {
    const { root, head } = shown({});
    const name = (): ReturnType<typeof shownPart> =>
      shownPart(root, '.before').querySelector('button')!;
    const before = name();
    before.focus();
    head.show(shownComparison({ notices: ['The control plane left out records.'] }));
    assert.notStrictEqual(name(), before);
    assert.strictEqual(focusedElement(), name());
  });
});
