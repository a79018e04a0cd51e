import { expect, picture } from '../scene';
import { uiPattern } from '../../host/texts';
import { search, setExplorer } from './explorerPage';
import { explorerRows } from './explorerRows';
import { pageText } from './pageTexts';

describe('severities in the Log Explorer', () => {
  const scene = setExplorer();
  const rows = explorerRows(scene);
  before(() => {
    const stderr = { severity: 'error', stream: 'stderr' } as const;
    scene.controlPlane.admin.emit([
      { ...stderr, body: '{"level":"info","msg":"listening on 8080"}' },
      { ...stderr, body: '{"level":"fatal","msg":"out of memory"}' },
      { ...stderr, body: 'a line without a level' },
    ]);
  });

  it('are levels of bodies where the server only repeats the stream', async () => {
    const { explorer } = scene;
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
  });
});
