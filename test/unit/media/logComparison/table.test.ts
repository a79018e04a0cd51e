import { assert } from 'chai';
import { createTable } from '../../../../media/logComparison/table';
import type { ApartRow } from '../../../../src/logs/explorer/protocol/comparisonMessages';
import { settle } from '../../fakeClock';
import {
  focusedElement,
  pageElement,
  type PageElement,
  shownPart,
  usePageDocument,
} from '../pageDocument';
import {
  apartRow,
  changeRow,
  comparisonPanel,
  keyOfRow,
  shownComparison,
  idsAsTexts,
} from './comparisonPage';

describe('patterns of a comparison', () => {
  usePageDocument();

  function shown(apart: (key: string) => Promise<readonly ApartRow[]>) {
    const { ask, asked } = comparisonPanel(apart);
    const failures: unknown[] = [];
    const table = createTable(ask, idsAsTexts, (error) => failures.push(error));
    table.show(shownComparison());
    const root = pageElement(table.element);
    const pattern = (index: number): PageElement => root.querySelectorAll('.template')[index]!;
    const expanded = (): (string | null)[] =>
      root.querySelectorAll('.template').map(({ ariaExpanded }) => ariaExpanded);
    const click = async (index: number): Promise<void> => {
      pattern(index).click();
      await settle();
    };
    return { table, root, asked, failures, pattern, expanded, click };
  }
  const found = (): Promise<readonly ApartRow[]> => Promise.resolve([apartRow]);

  it('open their details with a click, one at a time, and close them with another', async () => {
    const { root, asked, expanded, click } = shown(found);
    assert.deepEqual(expanded(), ['false', 'false']);
    await click(0);
    assert.deepEqual(expanded(), ['true', 'false']);
    const details = shownPart(root, '.details');
    assert.equal(details.querySelector('.whole')?.textContent, 'payment failed');
    assert.include(details.textContent, 'eu-central');
    await click(1);
    assert.deepEqual(expanded(), ['false', 'true']);
    assert.include(shownPart(root, '.details').textContent, 'cache warmed up');
    await click(1);
    assert.deepEqual(expanded(), ['false', 'false']);
    assert.isEmpty(root.querySelectorAll('.details'));
    assert.deepEqual(
      asked.map((one) => ('key' in one ? one.key : '')),
      [keyOfRow('payment failed'), keyOfRow('cache warmed up')],
    );
  });

  it('say it if nothing sets one apart', async () => {
    const { root, click } = shown(() => Promise.resolve([]));
    await click(0);
    assert.include(shownPart(root, '.apart').textContent, 'comparison.apartNone');
  });

  it('report why details cannot be shown', async () => {
    const { failures, click } = shown(() => Promise.reject(new Error('No.')));
    await click(0);
    assert.deepEqual(failures.map(String), ['Error: No.']);
  });

  it('keep their details and the focus when more is read, until something else is compared', async () => {
    const { table, root, pattern, expanded, click } = shown(found);
    await click(0);
    pattern(0).focus();
    const rows = [changeRow('new one'), ...shownComparison().rows];
    table.show(shownComparison({ rows }));
    await settle();
    assert.deepEqual(expanded(), ['false', 'true', 'false']);
    assert.include(shownPart(root, '.details').textContent, 'payment failed');
    assert.strictEqual(focusedElement(), pattern(1));
    table.show(shownComparison({ rows, epoch: 2 }));
    await settle();
    assert.deepEqual(expanded(), ['false', 'false', 'false']);
    assert.isEmpty(root.querySelectorAll('.details'));
  });

  it('show their records of a side and their code', () => {
    const { table, root, asked } = shown(found);
    table.show(shownComparison({ rows: [changeRow('a', { place: 'src/cart.ts:9' })] }));
    for (const what of ['now', 'before', 'code']) {
      shownPart(root, `[data-what="${what}"]`).click();
    }
    assert.deepEqual(asked, [
      { kind: 'records', side: 'now', key: keyOfRow('a') },
      { kind: 'records', side: 'before', key: keyOfRow('a') },
      { kind: 'openCode', key: keyOfRow('a') },
    ]);
    table.show(shownComparison({ rows: [] }));
    assert.isFalse(root.isShown);
  });
});
