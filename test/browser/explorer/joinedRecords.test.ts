import { uiText } from '../../host/texts';
import { search, setExplorer } from './explorerPage';
import { explorerRows } from './explorerRows';
import { pageText } from './pageTexts';
import { expect, picture } from '../scene';

const trace = [
  'Traceback (most recent call last):',
  '  File "/app/shop/pay.py", line 42, in charge',
  '    total = cart.total()',
  'KeyError: no price',
];

describe('records of one stack trace in the Log Explorer', () => {
  const scene = setExplorer();
  const rows = explorerRows(scene);

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

  it('are one row, also while following, and each is in the details', async () => {
    const at = new Date().toISOString();
    emit(trace.slice(0, 2), at);
    await search(scene, 'last:1h');
    await rows.hasCount(3);
    const row = rows.row(/^.*Traceback/);
    await expect(row).toContainText('pay.py');
    await scene.button('toolbar.follow').click();
    await scene.explorer
      .locator('.follow-state')
      .filter({ hasText: uiText('live') })
      .waitFor();
    emit(trace.slice(2), at);
    await rows.hasCount(5);
    await expect(row).toContainText('KeyError');
    await row.locator('.body').click();
    const records = rows.details.getByRole('group', { name: pageText('detailsRecords') });
    for (const line of trace) await expect(records).toContainText(line.trim());
    await picture(scene, 'explorer-joined');
  });
});
