import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { assert } from 'chai';
import { answer, clickNotification, dialog, notification, runCommand } from '../host/workbench';
import { asked, explorerPage, openExplorer, searches, type ExplorerScene } from './explorerPage';
import { eventually } from './scene';

const base = 'vscode://control-plane.deployment-control-plane';
const question = 'A link has opened a search that was not run yet';

describe('a link that is opened from outside', () => {
  let scene: ExplorerScene;
  before(async () => {
    scene = await openExplorer();
  });
  after(() => scene.close());
  beforeEach(() => runCommand(scene.page, 'View: Close All Editors'));
  afterEach(() => runCommand(scene.page, 'Notifications: Clear All Notifications'));

  const bar = (): Promise<string> =>
    explorerPage(scene).getByRole('combobox', { name: 'Query' }).inputValue();

  /** As the system does when a link is clicked in another program: VS Code asks, then we are called. */
  async function open(rest: string): Promise<void> {
    await runCommand(scene.page, 'Developer: Open URL');
    await answer(scene.page, `${base}${rest}`);
    await dialog(scene.page).getByText('to open this URI').waitFor();
  }

  const link = (query: string): string => `/logs?q=${encodeURIComponent(query)}`;

  it('opens nothing where VS Code is told not to', async () => {
    const before = searches(scene).length;
    await open(link('severity:error last:15m'));
    await dialog(scene.page).getByRole('button', { name: 'Cancel' }).click();
    await dialog(scene.page).waitFor({ state: 'detached' });
    await runCommand(scene.page, 'Control Plane: Search Logs');
    assert.notInclude(await bar(), 'severity:error last:15m');
    assert.lengthOf(searches(scene), before);
  });

  it('shows its query and runs it only when that is clicked', async () => {
    const query = 'severity:error "a&b=c%41+d" last:15m';
    const before = searches(scene).length;
    await open(link(query));
    await dialog(scene.page).getByRole('button', { name: 'Open' }).click();
    await notification(scene.page, question).filter({ hasText: query }).waitFor();
    await eventually(bar, (text) => text === query, 'the query is in the bar');
    assert.lengthOf(searches(scene), before, 'nothing was asked for');
    const { filters } = await asked(scene, () =>
      clickNotification(scene.page, question, 'Run Search'),
    );
    assert.equal(filters['search'], 'a&b=c%41+d');
    assert.deepEqual(filters['severities'], ['error']);
  });

  it('is run by the keyboard alone', async () => {
    const query = 'severity:fatal last:2h';
    await open(link(query));
    await scene.page.keyboard.press('Enter');
    await notification(scene.page, question).waitFor();
    await runCommand(scene.page, 'Notifications: Focus Notification Toast');
    const focused = scene.page.locator('.notification-list-item :focus');
    await eventually(
      async () => {
        const text = (await focused.allInnerTexts()).join();
        if (text !== 'Run Search') await scene.page.keyboard.press('Tab');
        return text;
      },
      (text) => text === 'Run Search',
      'the button has the focus',
    );
    const { filters } = await asked(scene, () => scene.page.keyboard.press('Enter'));
    assert.deepEqual(filters['severities'], ['fatal']);
  });

  it('is not run where the question is put away', async () => {
    const before = searches(scene).length;
    await open(link('severity:trace last:3h'));
    await dialog(scene.page).getByRole('button', { name: 'Open' }).click();
    const toast = notification(scene.page, question);
    await toast.hover();
    await toast.getByRole('button', { name: /^Clear Notification/ }).click();
    await notification(scene.page, question).waitFor({ state: 'detached' });
    await eventually(bar, (text) => text === 'severity:trace last:3h', 'the query');
    assert.lengthOf(searches(scene), before);
  });

  it('brings no base URL and no key: what is behind the query is text of it, and sent nowhere', async () => {
    const before = scene.controlPlane.admin.requests().length;
    await open(`${link('last:1h')}&baseUrl=https://evil.example&apiKey=stolen`);
    await dialog(scene.page).getByRole('button', { name: 'Open' }).click();
    await clickNotification(scene.page, question, 'Run Search');
    await explorerPage(scene).getByText('last does not take the time').first().waitFor();
    assert.equal(await bar(), 'last:1h&baseUrl=https://evil.example&apiKey=stolen');
    const { filters } = await asked(scene, async () => {
      await scene.bar.fill('last:1h');
      await scene.bar.press('Enter');
    });
    assert.hasAllKeys(filters, ['from', 'to']);
    const keys = scene.controlPlane.admin.requests().slice(before);
    assert.deepEqual([...new Set(keys.map(({ key }) => key))], ['demo-full']);
    const settings = path.join(scene.window.userDataDir, 'User/settings.json');
    const text = await readFile(settings, 'utf8');
    assert.include(text, scene.controlPlane.url);
    assert.notMatch(text, /evil|stolen/);
  });

  it('leads nowhere but to a search', async () => {
    await open('/connect?baseUrl=https://evil.example&apiKey=stolen');
    await dialog(scene.page).getByRole('button', { name: 'Open' }).click();
    await notification(scene.page, 'leads to nothing').waitFor();
    assert.equal(await scene.page.locator('.tab').count(), 0);
  });
});
