import { assert } from 'chai';
import type { Locator } from 'playwright';
import { uiPattern, uiText } from '../../host/texts';
import { asked, search, setExplorer } from './explorerPage';
import { explorerRows } from './explorerRows';
import { pageText } from './pageTexts';
import { expect, picture } from '../scene';

const trace = [
  'Traceback (most recent call last):',
  '  File "/app/shop/pay.py", line 42, in charge',
  '    total = cart.total()',
  'KeyError: no price',
];

describe('query and list of the Log Explorer', () => {
  const scene = setExplorer();
  const rows = explorerRows(scene);
  const { becomes, button } = scene;
  before(() => {
    const containerId = 'e'.repeat(64);
    const stderr = { severity: 'error', stream: 'stderr', containerId } as const;
    scene.controlPlane.admin.emit([
      { ...stderr, body: '{"level":"info","msg":"listening on 8080"}' },
      { ...stderr, body: '{"level":"fatal","msg":"out of memory"}' },
      { ...stderr, body: 'a line without a level' },
      { body: 'order paid', attributes: { user: 'ann' } },
    ]);
  });

  /** A suggestion by its name; behind that of a workload stands its id. */
  const option = (name: string | RegExp): Locator =>
    scene.explorer
      .getByRole('listbox', { name: pageText('query.suggestions') })
      .getByRole('option', { name, exact: true });

  /** Lines of a trace, of one moment, among those of another container. */
  function emit(lines: readonly string[], at: string): void {
    const line = { timestamp: at, severity: 'error', stream: 'stderr' } as const;
    scene.controlPlane.admin.emit(
      lines.flatMap((body) => [
        { ...line, body },
        { timestamp: at, body: 'GET / 200', containerId: 'd'.repeat(64) },
      ]),
    );
  }

  it('completes names of the workspace by mouse', async () => {
    const { bar, page } = scene;
    await bar.fill('wor');
    await option('workload').click();
    await becomes('workload:');
    await expect(scene.focused()).toHaveAttribute('role', 'combobox');
    await option(/^web-api\b/).click();
    await becomes('workload:web-api');
    await page.keyboard.type(' severity:w');
    await option('warn').click();
    await page.keyboard.type(' last:6h');
    await becomes('workload:web-api severity:warn last:6h');
    const { filters } = await asked(scene, () => button('query.search').click());
    assert.deepEqual(filters['severities'], ['warn']);
    assert.lengthOf(filters['workloadIds'] as string[], 1);
    await bar.fill('');
    await option('workload:web-api severity:warn last:6h').click();
    await becomes('workload:web-api severity:warn last:6h');
  });

  it('shows levels of bodies, a stack trace as one row, also while following, and picked columns, which are remembered for the connection', async () => {
    const { driver, explorer, page } = scene;
    await search(scene, 'severity:error last:1h');
    const severityOf = (text: string) => rows.row(text).locator('.severity');
    const ofStream = pageText('severity.ofStream', pageText('severity.info'), 'stderr');
    await expect(severityOf('listening on 8080')).toHaveText(ofStream);
    await expect(rows.row('out of memory')).toHaveAttribute('data-severity', 'fatal');
    await expect(severityOf('a line without')).toHaveText(pageText('severity.error'));
    const notice = uiPattern(
      '{0} records show the level in their bodies. The query filters by the severity that the control plane gave them.',
    );
    await expect(explorer.getByText(notice)).toBeVisible();
    await rows.row('listening on 8080').locator('.body').click();
    await expect(rows.details.locator('.severity').first()).toHaveText(ofStream);
    await picture(scene, 'explorer-severity');

    const at = new Date().toISOString();
    emit(trace.slice(0, 2), at);
    await search(scene, 'last:1h');
    await rows.hasCount(7);
    const row = rows.row(/^.*Traceback/);
    await expect(row).toContainText('pay.py');
    await button('toolbar.follow').click();
    await explorer
      .locator('.follow-state')
      .filter({ hasText: uiText('live') })
      .waitFor();
    emit(trace.slice(2), at);
    await rows.hasCount(9);
    await expect(row).toContainText('KeyError');
    await row.locator('.body').click();
    const records = rows.details.getByRole('group', { name: pageText('detailsRecords') });
    for (const line of trace) await expect(records).toContainText(line.trim());
    await picture(scene, 'explorer-joined');

    const has = async (): Promise<void> => {
      await expect(explorer.getByRole('columnheader')).toHaveText([
        pageText('listTime'),
        pageText('listSeverity'),
        pageText('listWorkload'),
        'attr.user',
        pageText('listBody'),
      ]);
      await rows.row('order paid').locator('.value', { hasText: 'ann' }).waitFor();
    };
    await scene.more('columns.pick');
    await page.locator('.quick-input-widget input[type=text]').first().waitFor();
    await page.keyboard.type('attr.user');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'attr.user' }).click();
    await page.keyboard.press('Enter');
    await has();
    await driver.run('workbench.action.closeAllEditors');
    await driver.run('controlPlane.searchLogs');
    await has();
  });
});
