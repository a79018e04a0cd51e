import type { BuildOptions } from 'esbuild';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { iconFiles, writeIcons } from './icons';

/**
 * The pages of the panels: what runs in a browser frame of the editor. Each is a folder of `media` and
 * becomes a folder of `dist` with one script and one style sheet; besides, the icons of VS Code lie
 * there, since a page may load from its own folder alone.
 */

const root = path.resolve(__dirname, '..');

export const pages = ['logExplorer'] as const;
type Page = (typeof pages)[number];

/** The largest size of a page's minified script, in bytes. */
export const scriptLimit = 250 * 1024;

/** Packages of which files are copied, beside what is bundled. */
export const copiedPackages = ['@vscode/codicons'] as const;

/** Everything that the package needs of a page, relative to the repository. */
export function filesOf(page: Page): string[] {
  return ['page.js', 'page.css', ...iconFiles].map((file) => `dist/${page}/${file}`);
}

/** The build of a page: its script and its style sheet, with those that they import. */
export function pageBuild(page: Page, dev: boolean) {
  return {
    absWorkingDir: root,
    entryPoints: [
      { in: `media/${page}/index.ts`, out: 'page' },
      { in: `media/${page}/style.css`, out: 'page' },
    ],
    outdir: `dist/${page}`,
    bundle: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    minify: !dev,
    sourcemap: dev && 'inline',
    // A dependency's licence stays with it in the package.
    legalComments: 'eof',
    metafile: true,
    logLevel: 'warning',
  } satisfies BuildOptions;
}

/** Puts the icons of VS Code beside a page: those that its script uses, once that is built. */
export async function writeIconsOf(page: Page, dev: boolean): Promise<void> {
  const folder = path.join(root, 'dist', page);
  // While somebody works on the script, it may use any of them.
  await writeIcons(folder, dev ? undefined : await readFile(path.join(folder, 'page.js'), 'utf8'));
}
