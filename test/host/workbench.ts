import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';

/**
 * What a person does in a window of VS Code and what they see there. Everything waits until it is
 * there or fails with Playwright's message.
 */

/** What is used of an element in the page; the tests are not compiled against the DOM. */
interface PageElement {
  textContent: string;
  style: { top: string };
  getAttribute(name: string): string | null;
  querySelector(selector: string): PageElement | null;
}

const quickInput = '.quick-input-widget:not([style*="display: none"])';

/** Text as it is read: editors use no-break spaces for blanks. */
function readable(text: string): string {
  return text.replaceAll('\u00a0', ' ').replaceAll('\u200b', '').trimEnd();
}

/**
 * Runs a command through the command palette by its exact label, for example
 * `Control Plane: Follow Logs…`.
 */
export async function runCommand(page: Page, label: string): Promise<void> {
  const input = page.locator(`${quickInput} .quick-input-box input`);
  // A keybinding needs the workbench's focus; what has it is up to the test, so try again. A box that
  // is closing is still in view and may even take the text. And the palette lists the commands that
  // were known when the text changed: extensions may be late.
  const offers = async (): Promise<boolean> => {
    await input.fill('>', { timeout: 1000 });
    await input.fill(`>${label}`, { timeout: 1000 });
    await pick(page, label).waitFor({ timeout: 1500 });
    return true;
  };
  for (let attempt = 0; ; attempt++) {
    if (attempt === 40) throw new Error(`The command palette does not offer “${label}”.`);
    if (!(await input.isVisible())) {
      await page.keyboard.press('F1');
      await input.waitFor({ timeout: 1000 }).catch(() => undefined);
    }
    if (await offers().catch(() => false)) break;
  }
  await pick(page, label).click();
  // What the command asks comes in the same widget: the palette is over once its input is.
  await page
    .locator(`${quickInput} input[aria-label^="Type the name of a command"]`)
    .waitFor({ state: 'hidden' });
}

/** The items of the quick pick that is open (those in view): label, description and detail. */
export async function quickPickItems(page: Page): Promise<string[]> {
  const rows = page.locator(`${quickInput} .quick-input-list .monaco-list-row`);
  await rows.first().waitFor();
  const placed = await rows.evaluateAll((elements: PageElement[]) =>
    elements.map((row) => ({
      index: Number(row.getAttribute('data-index')),
      text: ['.label-name', '.label-description', '.quick-input-list-label-meta']
        .map((part) => row.querySelector(part)?.textContent.trim() ?? '')
        .filter(Boolean)
        .join(' · '),
    })),
  );
  // A list that is filled again reuses its elements in any order.
  return placed.sort((a, b) => a.index - b.index).map(({ text }) => text);
}

/** Chooses the item with exactly this label in the quick pick that is open. */
export async function clickPick(page: Page, label: string): Promise<void> {
  await pick(page, label).click();
}

function pick(page: Page, label: string): Locator {
  const exactly = new RegExp(`^\\s*${escape(label).replaceAll(' ', '\\s')}\\s*$`);
  return page
    .locator(`${quickInput} .quick-input-list .monaco-list-row`)
    .filter({ has: page.locator('.label-name', { hasText: exactly }) })
    .first();
}

/**
 * Types into the input box (or the filter of the quick pick) that is open, accepts it, and waits
 * until that was heard: the box closes, the next one is there, or it says what is wrong.
 */
export async function answer(page: Page, text: string): Promise<void> {
  const input = page.locator(`${quickInput} .quick-input-box input`);
  const asked = async (): Promise<string> =>
    (await input.isVisible())
      ? [
          ...(await page.locator(`${quickInput} .quick-input-title`).allTextContents()),
          ...(await page.locator(`${quickInput} .quick-input-message`).allTextContents()),
          ...(await page.locator(`${quickInput} .label-name`).allTextContents()),
          // It may be gone by now: nobody waits for it to come back.
          await input.inputValue({ timeout: 500 }).catch(() => ''),
        ].join('\n')
      : '';
  await input.fill(text);
  const before = await asked();
  await input.press('Enter');
  // What is wrong may have been said already while it was typed.
  if (await page.locator(`${quickInput} .monaco-inputbox.error`).isVisible()) return;
  for (const end = Date.now() + 60_000; (await asked()) === before;) {
    if (Date.now() > end) throw new Error(`Nothing happened after this was accepted:\n${before}`);
    await page.waitForTimeout(50);
  }
}

/** Closes the quick pick or input box that is open, as a person does with Escape. */
export async function dismiss(page: Page): Promise<void> {
  // Before it has the focus the key is for whatever has it.
  await page.locator(`${quickInput} :focus`).first().waitFor();
  await page.keyboard.press('Escape');
  await page.locator(quickInput).waitFor({ state: 'hidden' });
}

/** What the input box that is open says: its title, its message below the box, its kind. */
export async function inputBox(
  page: Page,
): Promise<{ title: string; message: string; password: boolean; value: string }> {
  // Without a list it is an input box; a quick pick before it shares the widget.
  await page.locator(`${quickInput}:has(.quick-input-list[style*="display: none"])`).waitFor();
  const input = page.locator(`${quickInput} .quick-input-box input`);
  return {
    title: readable(await page.locator(`${quickInput} .quick-input-title`).innerText()),
    message: readable(await page.locator(`${quickInput} .quick-input-message`).innerText()),
    password: (await input.getAttribute('type')) === 'password',
    value: await input.inputValue(),
  };
}

/** The toast with this text in its message; its buttons are `getByRole('button', …)`. */
export function notification(page: Page, text: string | RegExp): Locator {
  return page.locator('.notifications-toasts .notification-list-item').filter({
    has: page.locator('.notification-list-item-message', { hasText: text }),
  });
}

/** The messages of the toasts in view. */
export async function notifications(page: Page): Promise<string[]> {
  const messages = page.locator('.notifications-toasts .notification-list-item-message');
  return (await messages.allInnerTexts()).map(readable);
}

/** Clicks a button of the toast with this text, for example `Sign In`. */
export async function clickNotification(
  page: Page,
  text: string | RegExp,
  button: string,
): Promise<void> {
  const toast = notification(page, text);
  // The buttons of a toast show while the pointer is over it.
  await toast.hover();
  await toast.getByRole('button', { name: button, exact: true }).click();
}

/** The modal dialog that is open; its buttons are `getByRole('button', …)`. */
export function dialog(page: Page): Locator {
  return page.locator('.monaco-dialog-box');
}

/** The texts of the status bar, icons left out, empty ones too. */
export async function statusBar(page: Page): Promise<string[]> {
  const items = page.locator('.statusbar .statusbar-item');
  return (await items.allInnerTexts()).map((text) => readable(text).trim()).filter(Boolean);
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

/** The lines of the output panel that are in view, from the top. */
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

/** Waits until a line with this text is in view in the output panel; returns that line. */
export async function waitForOutput(
  page: Page,
  text: string | RegExp,
  timeout = 60_000,
): Promise<string> {
  const line = page.locator('.output-view .view-lines .view-line', {
    hasText: typeof text === 'string' ? spaced(text) : text,
  });
  await line.first().waitFor({ timeout });
  return readable(await line.first().innerText());
}

/**
 * Follows the last link with this text in a part of the window, by a click with the key that is for it.
 * Its place is what counts: while that key is down, the link below the pointer is drawn anew.
 */
export async function clickLink(part: Locator, text = ''): Promise<void> {
  const link = part.locator('.detected-link, .detected-link-active', { hasText: text }).last();
  await link.waitFor();
  const box = await link.boundingBox();
  if (box === null) throw new Error(`The link ${text} is gone.`);
  const page = part.page();
  await page.keyboard.down('ControlOrMeta');
  // A long link goes on below the minimap, where a click does not reach it.
  await page.mouse.click(box.x + Math.min(box.width / 2, 20), box.y + box.height / 2);
  await page.keyboard.up('ControlOrMeta');
}

/** Opens a container of the activity bar by its title, for example `Control Plane`. */
export async function openContainer(page: Page, title: string): Promise<void> {
  const tab = page.locator('.activitybar').getByRole('tab', { name: title });
  if ((await tab.getAttribute('aria-expanded')) !== 'true') await tab.click();
}

/** The section of a view in the side bar by its title. */
export function view(page: Page, title: string): Locator {
  return page.locator('.pane').filter({
    has: page.locator('.pane-header', { has: page.getByText(title, { exact: true }) }),
  });
}

/** The row of a tree view whose text contains this; hover it to see its inline actions. */
export function treeRow(page: Page, title: string, text: string | RegExp): Locator {
  return view(page, title).getByRole('treeitem').filter({ hasText: text }).first();
}

/** Clicks an inline action of a tree row by its label. */
export async function clickRowAction(
  page: Page,
  title: string,
  row: string | RegExp,
  action: string,
): Promise<void> {
  const item = treeRow(page, title, row);
  await item.hover();
  await item.getByRole('button', { name: action }).click();
}

/** Takes a picture of the window as it is, or of a part; the folder is made if it is missing. */
export async function screenshot(page: Page, file: string, part = 'body'): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  // Colours that are still fading and a spinner at any angle say nothing.
  await page.locator(part).screenshot({ path: file, animations: 'disabled' });
}

/** Reloads the window, as a person does with `Developer: Reload Window`. */
export async function reload(page: Page): Promise<void> {
  await page.reload();
  await page.locator('.monaco-workbench .statusbar').waitFor({ timeout: 60_000 });
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

/** A pattern for text in an editor, where a blank may be a no-break space. */
function spaced(text: string): RegExp {
  return new RegExp(escape(text).replaceAll(' ', '\\s'));
}
