import type { BuildOptions } from 'esbuild';
import { copyFile, mkdir } from 'node:fs/promises';
import path from 'node:path';

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
const icons = ['codicon.css', 'codicon.ttf'] as const;

/** Everything that the package needs of a page, relative to the repository. */
export function filesOf(page: Page): string[] {
  return ['page.js', 'page.css', ...icons].map((file) => `dist/${page}/${file}`);
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

/** Puts the icons of VS Code beside a page. */
export async function copyIcons(page: Page): Promise<void> {
  const folder = path.join(root, 'dist', page);
  await mkdir(folder, { recursive: true });
  const source = path.dirname(require.resolve('@vscode/codicons/dist/codicon.css'));
  await Promise.all(
    icons.map((file) => copyFile(path.join(source, file), path.join(folder, file))),
  );
}
