import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { launchBrowser } from '../host/browser';

/**
 * Draws `media/icon.png` from `media/source/icon.svg`, since the Marketplace does not accept SVG.
 * Run by `npm run icon` when the drawing changes; there is no check of the bytes because browsers
 * draw edges differently.
 */

const root = path.resolve(__dirname, '../..');

/** In pixels: twice what the Marketplace requires, for high-resolution screens. */
const size = 256;

async function main(): Promise<void> {
  const svg = await readFile(path.join(root, 'media/source/icon.svg'), 'utf8');
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: size, height: size } });
    await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${svg}`);
    const file = path.join(root, 'media/icon.png');
    await page.screenshot({ path: file, omitBackground: true });
  } finally {
    await browser.close();
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
