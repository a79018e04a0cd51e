import { assert } from 'chai';
import { type RowSeverity, severities } from '../../src/logs/explorer/protocol/view';
import { detailedRecords, explorerDetails } from '../browser/explorer/explorerDetails';
import { explorerRows } from '../browser/explorer/explorerRows';
import { pageText } from '../browser/explorer/pageTexts';
import { expect } from '../host/expect';
import { isVariable, usedVariables } from '../host/pageColors';
import { inPage } from '../host/pageFrame';
import { apartRow, changeRow, ComparisonSide } from './comparisonPanel';
import { setExplorerPage } from './explorerScene';
import { setPage } from './pageScene';
import { colorsOfTheme, themeNames } from './themes';

describe('The colors of the themes in which pages are tested', () => {
  it('are all that the pages use: `npm run themes` reads them from VS Code', async () => {
    const used = (await usedVariables()).filter((name) => !name.includes('-font-'));
    for (const theme of themeNames) {
      const known = Object.keys(colorsOfTheme(theme));
      const missing = used.filter((name) => !known.some((one) => isVariable(name, one)));
      assert.deepEqual(missing, [], theme);
    }
  });
});

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
/** A record of each severity, two of them of one trace. */
const records = [
  ...severities.map((severity) => ({ severity, body: `needle of ${severity}` })),
  { severity: 'warn' as const, body: '{"msg":"a needle","user":"ann","took":12}', traceId },
  { severity: 'error' as const, body: 'the last one', traceId },
];
/** Records in each color of a terminal, as text and behind it. */
const colorful = [30, 40, 90, 100].map((base) => ({
  body: Array.from(
    { length: 8 },
    (_, at) => `\u001b[${base + at}mcolor ${base + at}\u001b[0m`,
  ).join(' '),
}));

describe('Texts of the page of the Log Explorer have contrast in each theme', () => {
  const scene = setExplorerPage();
  const rows = explorerRows(scene);
  const { button } = scene;
  const { click } = explorerDetails(scene, rows);
  beforeEach(async () => {
    scene.panel.find(...records);
    await rows.isInView('the last one');
  });

  it('in the colors of a terminal', async () => {
    scene.panel.find({ body: '\u001b[2mfaint\u001b[0m' }, ...colorful);
    await rows.row('color 107').hover();
    await scene.isAccessible();
  });

  it('in rows: marked, hovered, selected with and without the focus, in a trace', async () => {
    const { page, panel } = scene;
    panel.show({ searched: 'needle' });
    panel.pin('needle of warn');
    await expect(rows.grid.locator('.searched').first()).toBeVisible();
    await rows.row('needle of info').hover();
    await scene.isAccessible();
    await rows.row('needle of error').locator('.body').click();
    await scene.isAccessible();
    await rows.press('Control+f');
    await page.keyboard.type('needle');
    await expect(rows.grid.locator('mark').first()).toBeVisible();
    await scene.isAccessible();
    await page.keyboard.type(' that is nowhere');
    await expect(rows.grid.locator('mark')).toHaveCount(0);
    await scene.isAccessible();
    await rows.press('Escape');
    await button('toolbar.byTrace').click();
    await expect(page.locator('.row[aria-expanded]').first()).toBeVisible();
    await scene.isAccessible();
  });

  it('around a record, whose row is selected', async () => {
    scene.panel.show({ title: 'The context of a record', canGoBack: true });
    scene.panel.select('needle of debug');
    await rows.isSelected('needle of debug');
    await scene.isAccessible();
  });

  it('in the query: suggestions, errors, chips, conditions and the range', async () => {
    const { bar, page } = scene;
    await scene.search('severity:error (service=web or service=api) "needle" last:6h');
    await button('builder.toggle').click();
    await page.locator('.query-line select').selectOption('other');
    await page.getByLabel(pageText('range.start'), { exact: true }).fill('yesterdayy');
    await page.keyboard.press('Enter');
    await expect(page.locator('.wrong-range')).not.toBeEmpty();
    await scene.severity('warn').hover();
    await scene.isAccessible();
    await bar.fill('severity:error evn:1 last:6h');
    await bar.press('Enter');
    await expect(page.locator('.query-errors')).not.toBeEmpty();
    await scene.isAccessible();
    await bar.fill('se');
    await page.getByRole('option').first().waitFor();
    await bar.press('ArrowDown');
    await page.getByRole('option').nth(2).hover();
    await scene.isAccessible();
  });

  it('in the toolbar, the menu and the histogram', async () => {
    const { page, panel } = scene;
    const at = Date.now() - 3_600_000;
    const outcomes = ['succeeded', 'failed'] as const;
    panel.deployments = outcomes.map((outcome, index) => ({
      ...{ at: at + index * 1_800_000, outcome, text: `web-api 1111111 ${outcome}` },
    }));
    panel.rest = 'stopped';
    panel.show({ following: { state: 'live', text: 'live · 12 lines/s', newRecords: 0 } });
    await scene.page.getByRole('slider').focus();
    await expect(page.locator('.readout')).not.toBeEmpty();
    await scene.isAccessible();
    await page.locator('.deployment').last().click();
    await page.getByRole('menuitem').first().hover();
    await scene.isAccessible();
    await rows.press('Escape');
    await button('toolbar.more').click();
    await page.getByRole('menuitem').nth(1).hover();
    await scene.isAccessible();
  });

  it('in notices', async () => {
    const { page, panel } = scene;
    panel.show({
      failure: { message: 'There is no answer.', help: 'diagnostics' },
      notices: [
        { level: 'warning', text: 'Some records may be missing.' },
        { level: 'info', text: 'The clock is behind.' },
      ],
      following: { state: 'paused', text: 'paused (3 new)', newRecords: 3 },
      cannotFollow: 'The range ends at 10:00.',
    });
    await page.locator('.go-on').hover();
    await scene.isAccessible();
  });

  it('where there is nothing', async () => {
    scene.panel.find();
    await scene.page.getByText(pageText('empty.nothing')).waitFor();
    await scene.isAccessible();
  });

  it('in the details', async () => {
    const { details } = rows;
    scene.panel.find(
      ...detailedRecords.map((parts) => ({ ...parts, deploymentId: 'd'.repeat(8) })),
    );
    await click('statusCode');
    await details.getByText(pageText('detailsRaw')).click();
    await details.getByRole('row', { name: /^attr\.user 42/ }).hover();
    await scene.isAccessible();
    await click('TypeError');
    await scene.isAccessible();
  });

  it('in the patterns', async () => {
    await button('toolbar.patterns').click();
    await scene.page.locator('.pattern').nth(1).hover();
    await scene.isAccessible();
  });
});

describe('Texts of the page of a comparison have contrast in each theme', () => {
  const scene = setPage('logComparison', (post) => new ComparisonSide(post));
  const failure = { message: 'There is no answer.', help: 'diagnostics' } as const;

  it('in its head, its patterns and their details', async () => {
    const { page, panel } = scene;
    panel.apartOf = () => [apartRow];
    const changes = ['new', 'more', 'fewer', 'gone', 'same', 'rare'] as const;
    panel.show({
      rows: changes.map((change) =>
        changeRow(`it is ${change}`, { change, words: change, place: 'src/cart.ts:9' }),
      ),
      ...{
        notices: ['Some records are missing.'],
        apart: [apartRow],
        rest: '12 more',
        canRead: true,
      },
    });
    await page.getByRole('button', { name: 'it is more', exact: true }).click();
    await expect(page.locator('.details')).toContainText('eu-central');
    await scene.isAccessible();
  });

  it('while it is read, after a failure and without a connection', async () => {
    const { panel, page } = scene;
    panel.show({ state: 'loading', progress: '1,000', canRead: true });
    await page.getByRole('status').filter({ hasText: '1,000' }).waitFor();
    await scene.isAccessible();
    panel.show({ state: 'failed', failure, rows: [] });
    await page.getByRole('alert').filter({ hasText: failure.message }).waitFor();
    await scene.isAccessible();
    panel.show({ state: 'signedOut', rows: [] });
    await page
      .getByRole('alert')
      .filter({ hasText: pageText('empty.signedOut') })
      .waitFor();
    await scene.isAccessible();
  });
});

describe('What is no text has contrast in each theme', () => {
  const scene = setExplorerPage();
  /** The contrast of a color in the page with its background, by axe. */
  const contrastOf = (color: string): Promise<number> =>
    inPage<number>(
      scene,
      `(() => {
        const { Color, flattenColors, getContrast } = axe.commons.color;
        const [over, under] = [new Color(), new Color()];
        over.parseString(${color});
        under.parseString(getComputedStyle(document.body).backgroundColor);
        return getContrast(under, flattenColors(over, under));
      })()`,
    );

  it('bars, the ring around the focus, and the signs of severities and deployments', async () => {
    scene.panel.find(...records);
    await scene.page.getByRole('slider').waitFor();
    await scene.isAccessible();
    const tooLow: string[] = [];
    await scene.inEachTheme(async (theme) => {
      const colors: Record<string, string> = {
        focus: variable('--vscode-focusBorder'),
        error: variable('--vscode-editorError-foreground'),
        warning: variable('--vscode-editorWarning-foreground'),
        info: variable('--vscode-editorInfo-foreground'),
      };
      for (const severity of severities) colors[`bar of ${severity}`] = sample(severity);
      for (const [name, color] of Object.entries(colors)) {
        const contrast = await contrastOf(color);
        if (contrast < 3) tooLow.push(`${theme}: ${name} ${contrast.toFixed(2)}`);
      }
    });
    assert.deepEqual(tooLow, []);
  });
});

function variable(name: string): string {
  return `getComputedStyle(document.documentElement).getPropertyValue(${JSON.stringify(name)})`;
}

function sample(severity: RowSeverity): string {
  return `getComputedStyle(document.querySelector('.sample.${severity}')).color`;
}
