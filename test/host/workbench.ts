import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from 'playwright';
import { escaped } from './texts';
import { type CommandName, commandTitle, type View, type ViewName, viewTitle } from './titles';
import { eventually } from './eventually';
import { scaled } from './slowness';

/**
 * What a person does and sees in a window of VS Code. Every function waits until its element is
 * visible or fails with Playwright's message.
 */

/**
 * The properties of an element in the page that are used; the tests are compiled without the DOM.
 */
interface PageElement {
  textContent: string;
  innerText: string;
  style: { top: string };
  getAttribute(name: string): string | null;
  querySelector(selector: string): PageElement | null;
}

const quickInput = '.quick-input-widget:not([style*="display: none"])';

/** Text as a reader sees it: editors use no-break spaces. */
function readable(text: string): string {
  return text.replaceAll('\u00a0', ' ').replaceAll('\u200b', '').trimEnd();
}

/** A command of the extension, or one of VS Code by its label in the Command Palette. */
export type PaletteCommand = CommandName | `${string}: ${string}` | `${string}...`;

/** Runs a command in the Command Palette. */
export async function runCommand(page: Page, command: PaletteCommand): Promise<void> {
  const label = labelOf(command);
  const input = page.locator(`${quickInput} .quick-input-box input`);
  // A keybinding needs the focus of the workbench, which the test may have moved, so this tries
  // again. A box that is closing is still visible and may even take the text, and show the command. And the
  // palette lists the commands that were known when the text changed: extensions may be late.
  const isChosen = async (): Promise<boolean> => {
    await input.fill('>', { timeout: 1000 });
    await input.fill(`>${label}`, { timeout: 1000 });
    await pick(page, label).waitFor({ timeout: 1500 });
    await pick(page, label).click({ timeout: scaled(5000) });
    return true;
  };
  for (let attempt = 0; ; attempt++) {
    if (attempt === 40) throw new Error(`The command palette does not offer “${label}”.`);
    if (!(await input.isVisible())) {
      await page.keyboard.press('F1');
      await input.waitFor({ timeout: 1000 }).catch(() => undefined);
    }
    if (await isChosen().catch(() => false)) break;
  }
  // The input of a command uses the same widget: wait until the input of the palette is gone.
  await page
    .locator(`${quickInput} input[aria-label^="Type the name of a command"]`)
    .waitFor({ state: 'hidden' });
}

export function labelOf(command: PaletteCommand): string {
  const isOurs = (one: PaletteCommand): one is CommandName => /^\w+$/.test(one);
  return isOurs(command) ? `Control Plane: ${commandTitle(command)}` : command;
}

/** The command that focuses a view. */
export function focusOn(name: ViewName): PaletteCommand {
  return `Control Plane: Focus on ${viewTitle(name)} View`;
}

/** The visible items of the open quick pick: label, description and detail. */
export async function quickPickItems(page: Page): Promise<string[]> {
  const rows = page.locator(`${quickInput} .quick-input-list .monaco-list-row`);
  await rows.first().waitFor();
  const placed = await rows.evaluateAll((elements: PageElement[]) =>
    elements.map((row) => ({
      index: Number(row.getAttribute('data-index')),
      text: ['.label-name', '.label-description', '.quick-input-list-label-meta']
        // What a row had before, such as a detail, is still there, but hidden.
        .map((part) => row.querySelector(part)?.innerText.trim() ?? '')
        .filter(Boolean)
        .join(' · '),
    })),
  );
  // A list that is filled again reuses its elements in any order.
  return placed.sort((a, b) => a.index - b.index).map(({ text }) => text);
}

/** Chooses the item with exactly this label in the open quick pick. */
export async function clickPick(page: Page, label: string): Promise<void> {
  await pick(page, label).click();
}

function pick(page: Page, label: string): Locator {
  const exactly = new RegExp(`^\\s*${escaped(label).replaceAll(' ', '\\s')}\\s*$`);
  return page
    .locator(`${quickInput} .quick-input-list .monaco-list-row`)
    .filter({ has: page.locator('.label-name', { hasText: exactly }) })
    .first();
}

/**
 * Types into the open input box (or the filter of the quick pick), accepts it, and waits for the
 * reaction: the box closes, the next one opens, or a validation message appears.
 */
export async function answer(page: Page, text: string): Promise<void> {
  const input = page.locator(`${quickInput} .quick-input-box input`);
  const asked = async (): Promise<string> =>
    (await input.isVisible())
      ? [
          ...(await page.locator(`${quickInput} .quick-input-title`).allTextContents()),
          ...(await page.locator(`${quickInput} .quick-input-message`).allTextContents()),
          ...(await page.locator(`${quickInput} .label-name`).allTextContents()),
          // The box may have closed: fail at once instead of waiting for it.
          await input.inputValue({ timeout: 500 }).catch(() => ''),
        ].join('\n')
      : '';
  await input.fill(text);
  const before = await asked();
  await input.press('Enter');
  // The validation message may have appeared while typing.
  if (await page.locator(`${quickInput} .monaco-inputbox.error`).isVisible()) return;
  for (const end = Date.now() + scaled(60_000); (await asked()) === before;) {
    if (Date.now() > end) throw new Error(`No reaction after this was accepted:\n${before}`);
    await page.waitForTimeout(50);
  }
}

/** Closes the open quick pick or input box with Escape. */
export async function dismiss(page: Page): Promise<void> {
  // The key goes to the element with the focus.
  await page.locator(`${quickInput} :focus`).first().waitFor();
  await page.keyboard.press('Escape');
  await page.locator(quickInput).waitFor({ state: 'hidden' });
}

/** The open input box: its title, its validation message and the kind of that message. */
export async function inputBox(
  page: Page,
): Promise<{ title: string; message: string; password: boolean; value: string }> {
  // Without a list it is an input box; an earlier quick pick shares the widget.
  const box = page.locator(`${quickInput}:has(.quick-input-list[style*="display: none"])`);
  await box.waitFor();
  // In one call: one box may follow another at any moment.
  const { title, message, type, value } = await box.evaluate((widget: BoxElement) => {
    const input = widget.querySelector('.quick-input-box input');
    return {
      title: widget.querySelector('.quick-input-title')?.innerText ?? '',
      message: widget.querySelector('.quick-input-message')?.innerText ?? '',
      type: input?.type,
      value: input?.value ?? '',
    };
  });
  return {
    title: readable(title),
    message: readable(message),
    password: type === 'password',
    value,
  };
}

/** The members of an element that are read; the tests are compiled without the DOM. */
interface BoxElement {
  querySelector(selector: string): {
    readonly innerText: string;
    readonly type?: string;
    readonly value?: string;
  } | null;
}

/** The toast with this text in its message; its buttons are `getByRole('button', …)`. */
export function notification(page: Page, text: string | RegExp): Locator {
  return page.locator('.notifications-toasts .notification-list-item').filter({
    has: page.locator('.notification-list-item-message', { hasText: text }),
  });
}

/** The messages of the visible toasts. */
export async function notifications(page: Page): Promise<string[]> {
  const messages = page.locator('.notifications-toasts .notification-list-item-message');
  return (await messages.allInnerTexts()).map(readable);
}

/** Clicks a button of the toast with this text, for example `Sign In`. */
export async function clickNotification(
  page: Page,
  text: string | RegExp,
  button: string | RegExp,
): Promise<void> {
  const toast = notification(page, text);
  // The buttons of a toast appear while the pointer is over it.
  await toast.hover();
  // A toast moves when another one goes, so that a click at its place would miss it.
  await toast.getByRole('button', { name: button, exact: true }).dispatchEvent('click');
}

/** Clicks a link in the text of a notification. */
export async function clickNotificationLink(
  page: Page,
  text: string | RegExp,
  link: string,
): Promise<void> {
  await notification(page, text).locator('a', { hasText: link }).dispatchEvent('click');
}

/** The open modal dialog; its buttons are `getByRole('button', …)`. */
export function dialog(page: Page): Locator {
  return page.locator('.monaco-dialog-box');
}

/** The button of a modal dialog that is not Cancel. */
export function proceed(box: Locator): Locator {
  return box.locator('.dialog-buttons .monaco-button:not(.secondary)');
}

/** The item of the status bar with this text. */
export function statusBarItem(page: Page, text: string | RegExp): Locator {
  return page.locator('.statusbar .statusbar-item').filter({ hasText: text }).first();
}

/** Shows an output channel by its name. */
export async function showOutput(page: Page, channel: string): Promise<void> {
  await runCommand(page, 'Output: Show Output Channels...');
  await clickPick(page, channel);
}

/** The visible lines of the Output panel, from the top. */
export async function outputLines(page: Page): Promise<string[]> {
  const lines = page.locator('.output-view .view-lines .view-line');
  const placed = await lines.evaluateAll((elements: PageElement[]) =>
    elements.map((element) => ({
      top: Number.parseFloat(element.style.top),
      text: element.textContent,
    })),
  );
  return placed.sort((a, b) => a.top - b.top).map(({ text }) => readable(text));
}

/** Waits until a line with this text is visible in the Output panel; returns that line. */
export async function waitForOutput(
  page: Page,
  text: string | RegExp,
  timeout = 60_000,
): Promise<string> {
  const line = page.locator('.output-view .view-lines .view-line', {
    hasText: typeof text === 'string' ? spaced(text) : text,
  });
  await line.first().waitFor({ timeout: scaled(timeout) });
  return readable(await line.first().innerText());
}

/** Waits until an icon in the gutter of an editor marks a line that errors in logs point at. */
export async function waitForMark(page: Page): Promise<void> {
  const isMarked = (): Promise<boolean> =>
    page.evaluate(`[...document.querySelectorAll('.editor-instance .glyph-margin-widgets *')].some(
      (icon) => getComputedStyle(icon).backgroundImage.includes('error-mark'),
    )`);
  await eventually(isMarked, Boolean, 'a line is marked');
}

/**
 * Follows the last link with this text in a part of the window by a click with its modifier key.
 * Clicks its position: while the key is down, the link below the pointer is drawn again.
 */
export async function clickLink(part: Locator, text = ''): Promise<void> {
  const link = part.locator('.detected-link, .detected-link-active', { hasText: text }).last();
  await link.waitFor();
  const box = await link.boundingBox();
  if (box === null) throw new Error(`The link ${text} is gone.`);
  const page = part.page();
  await page.keyboard.down('ControlOrMeta');
  // A long link extends below the minimap, which a click does not go through.
  await page.mouse.click(box.x + Math.min(box.width / 2, 20), box.y + box.height / 2);
  await page.keyboard.up('ControlOrMeta');
}

/** Opens a container of the activity bar by its title, for example `Control Plane`. */
export async function openContainer(page: Page, title: string): Promise<void> {
  const tab = page.locator('.activitybar').getByRole('tab', { name: title });
  if ((await tab.getAttribute('aria-expanded')) !== 'true') await tab.click();
}

/** The section of a view in the side bar. */
export function view(page: Page, name: View): Locator {
  return page.locator('.pane').filter({
    has: page.locator('.pane-header', { has: page.getByText(viewTitle(name), { exact: true }) }),
  });
}

/** Whether each view in the side bar is expanded, by its title. */
export async function openViews(page: Page): Promise<ReadonlyMap<string, boolean>> {
  const views = await page
    .locator('.sidebar .pane-header')
    .evaluateAll((headers: PageElement[]) =>
      headers.map((header): [string, boolean] => [
        header.querySelector('h3')?.textContent ?? '',
        header.getAttribute('aria-expanded') === 'true',
      ]),
    );
  return new Map(views);
}

/** Expands or collapses a view that is in the side bar, by its header. */
export async function setOpen(page: Page, name: View, isOpen = true): Promise<Locator> {
  const pane = view(page, name);
  const header = pane.locator('.pane-header');
  const expanded = isOpen ? 'true' : 'false';
  // A click is lost if the views move at the same moment.
  await eventually(
    async () => {
      if ((await header.getAttribute('aria-expanded')) !== expanded) {
        // Views that move may put a row under the pointer, whose tooltip would cover the header.
        await page.mouse.move(0, 0);
        await header.locator('h3').click();
      }
      return header.getAttribute('aria-expanded');
    },
    (now) => now === expanded,
    `${viewTitle(name)} does not open or close`,
  );
  return pane;
}

/** The row of a tree view whose text contains this; hover over it to see its inline actions. */
export function treeRow(page: Page, name: View, text: string | RegExp): Locator {
  return view(page, name).getByRole('treeitem').filter({ hasText: text }).first();
}

/** Clicks the button of a command in a tree row. */
export async function clickRowAction(
  page: Page,
  name: View,
  row: string | RegExp,
  command: CommandName,
): Promise<void> {
  const item = treeRow(page, name, row);
  await item.hover();
  await item.getByRole('button', { name: commandTitle(command) }).click();
}

/** The media features of each color theme, and how to recognize the theme. */
const looks = {
  light: [{ colorScheme: 'light', forcedColors: 'none' }, 'vs'],
  dark: [{ colorScheme: 'dark', forcedColors: 'none' }, 'vs-dark'],
  'high-contrast': [{ colorScheme: 'dark', forcedColors: 'active' }, 'hc-black'],
} as const;

/** Runs an action in each color theme, of a window whose theme follows the browser: see `themeOfBrowser`. */
export async function inEachLook(
  page: Page,
  action: (look: keyof typeof looks) => Promise<unknown>,
): Promise<void> {
  for (const look of ['light', 'high-contrast', 'dark'] as const) {
    const [media, theme] = looks[look];
    await page.emulateMedia(media);
    await page.locator(`.monaco-workbench.${theme}`).waitFor();
    await action(look);
  }
}

/** Takes a picture of the window, or of a part of it; creates the folder if it is missing. */
export async function screenshot(page: Page, file: string, part = 'body'): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  // Stops transitions and spinners.
  await page.locator(part).screenshot({ path: file, animations: 'disabled' });
}

/** A pattern for text in an editor, where a space may be a no-break space. */
function spaced(text: string): RegExp {
  return new RegExp(escaped(text).replaceAll(' ', '\\s'));
}
