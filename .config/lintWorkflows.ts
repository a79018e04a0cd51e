/**
 * Lints the workflows under `.github/workflows`, or the files that are named: with the language
 * service of GitHub Actions, which knows their schema and expressions as they are today, and by rules
 * of our own. Fails where something is found.
 */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse } from 'yaml';

const folder = path.resolve(__dirname, '../.github/workflows');

/** Not wrong: the language service does not read the workflow that another one calls. */
const outputOfCalled = 'Context access might be invalid: sha256';

/** What is wrong with a workflow, one text each. */
async function problemsOf(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8');
  // They are ES modules, which only `import()` loads here.
  const { validate } = await import('@actions/languageservice');
  const { TextDocument } = await import('vscode-languageserver-textdocument');
  const document = TextDocument.create(pathToFileURL(file).href, 'yaml', 0, text);
  const found = (await validate(document)).map(
    ({ range, message }) =>
      `line ${range.start.line + 1}: ${typeof message === 'string' ? message : message.value}`,
  );
  return [...found.filter((one) => !one.endsWith(outputOfCalled)), ...rulesBroken(text)];
}

interface Step {
  readonly uses?: string;
  readonly run?: string;
}

interface Workflow {
  readonly permissions?: unknown;
  readonly jobs?: Readonly<Record<string, Step & { readonly steps?: readonly Step[] }>>;
}

/** The rules that the language service does not have. */
function rulesBroken(text: string): string[] {
  const { permissions, jobs = {} } = parse(text) as Workflow;
  const steps = Object.values(jobs).flatMap((job) => [job, ...(job.steps ?? [])]);
  return [
    ...(permissions === undefined ? ['The workflow does not say which permissions it needs.'] : []),
    ...steps.flatMap(({ uses, run }) => [
      ...(uses === undefined || /^\.\/|^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(uses)
        ? []
        : [`${uses} is not pinned to a commit.`]),
      // What others can write would be a part of the script.
      ...(run?.includes('${{') ? [`An expression stands in a script, not in its env: ${run}`] : []),
    ]),
  ];
}

async function main(named: readonly string[]): Promise<void> {
  const files =
    named.length > 0 ? named : (await readdir(folder)).map((name) => path.join(folder, name));
  for (const file of files) {
    for (const problem of await problemsOf(file)) {
      console.error(`${path.relative(process.cwd(), file)}: ${problem}`);
      process.exitCode = 1;
    }
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
