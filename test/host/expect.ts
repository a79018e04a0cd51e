import { expect as playwright } from 'playwright/test';
import { scaled } from './slowness';

/**
 * Playwright's assertions about a window: they read it again until they hold, since it may be drawn
 * after the answer that a test has waited for. `expect.poll` does the same for any other value.
 */
export const expect = playwright.configure({ timeout: scaled(30_000) });
