import manifest from '../package.json';
import { extensionFiles } from './build';
import { bundleFile, languages, manifestFile } from './l10n';
import { filesOf, pages } from './pages';

/** The pictures that package.json names, wherever that is. */
function picturesIn(value: unknown): string[] {
  if (typeof value === 'string') return /^media\/.*\.(png|svg|md)$/.test(value) ? [value] : [];
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(picturesIn)
    : [];
}

/**
 * Everything that the package holds, relative to the repository. `.vscodeignore` decides what `vsce`
 * takes; this list is held against it, so that nothing comes in, or stays away, unnoticed.
 */
export const packagedFiles: readonly string[] = [
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'ThirdPartyNotices.txt',
  'media/log-explorer-dark.svg',
  'media/log-explorer-light.svg',
  ...new Set(picturesIn(manifest)),
  'package.json',
  'package.nls.json',
  ...languages.flatMap((language) => [manifestFile(language), bundleFile(language)]),
  ...extensionFiles,
  ...pages.flatMap(filesOf),
];

/** What is wrong with what `vsce` would take; empty where nothing is. */
export function packageProblems(files: readonly string[]): string[] {
  const missing = packagedFiles.filter((file) => !files.includes(file));
  const strangers = files.filter((file) => !packagedFiles.includes(file));
  return [
    ...missing.map(
      (file) => `${file} is missing in the package: make it, or name it in .vscodeignore.`,
    ),
    ...strangers.map((file) => `${file} does not belong into the package (.vscodeignore).`),
  ];
}
