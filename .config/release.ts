/**
 * Holds a tag against what is released with it: `v` and the version of package.json, of which
 * CHANGELOG.md has a section with a date.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import manifest from '../package.json';

/** What keeps a tag from being published; empty where nothing does. */
export function releaseProblems(tag: string, version: string, changelog: string): string[] {
  const heading = new RegExp(
    `^## \\[${version.replaceAll('.', '\\.')}\\] - \\d{4}-\\d\\d-\\d\\d$`,
    'm',
  );
  return [
    ...(tag === `v${version}`
      ? []
      : [`The tag is ${tag}, the version in package.json ${version}.`]),
    ...(heading.test(changelog) ? [] : [`CHANGELOG.md has no section [${version}] with a date.`]),
  ];
}

async function main(tag = ''): Promise<void> {
  const changelog = await readFile(path.resolve(__dirname, '../CHANGELOG.md'), 'utf8');
  const problems = releaseProblems(tag, manifest.version, changelog);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}

if (require.main === module) void main(process.argv[2]);
