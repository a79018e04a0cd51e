import { buildSync } from 'esbuild';
import { runInNewContext } from 'node:vm';
import type { StringId } from '../../../src/logs/explorer/ui/pageStrings';
import { repository } from '../../host/openEditor';

/** The English texts of the pages by their ids, from their source with a `vscode` that has no translation. */
export const pageTexts = (() => {
  const [built] = buildSync({
    entryPoints: ['src/logs/explorer/ui/pageStrings.ts'],
    absWorkingDir: repository,
    bundle: true,
    write: false,
    format: 'cjs',
    external: ['vscode'],
  }).outputFiles;
  const module = { exports: {} as { pageStrings(): Readonly<Record<StringId, string>> } };
  const vscode = { l10n: { t: (text: string) => text }, env: { language: 'en' } };
  runInNewContext(built?.text ?? '', { module, require: () => vscode });
  return module.exports.pageStrings();
})();

/** A text of the page by its id, with the values in place of `{0}` and so on. */
export function pageText(id: StringId, ...values: readonly (string | number)[]): string {
  return pageTexts[id].replaceAll(/\{(\d)\}/g, (hole, place: string) =>
    String(values[Number(place)] ?? hole),
  );
}
