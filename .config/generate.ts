/**
 * Makes everything that is derived from the contract, `src/api/openapi.json`:
 *
 * - `schema.d.ts`: the types, by openapi-typescript;
 * - `validators.js`, `.d.ts`: what is held strictly, by ajv as standalone code, since neither the
 *   web worker host nor a careful reader accepts `eval` at run time;
 * - `shapes.js`, `.d.ts`: what is read leniently, as a table. ajv's code for these would be 90 KB of
 *   the bundle, and a refusal is not what is wanted there (see src/api/lenient.ts);
 * - `toolInputs.js`, `.d.ts`, and the inputs of the AI tools in package.json (see toolInputs.ts);
 * - the tables of README.md, from the contract and package.json;
 * - ThirdPartyNotices.txt, from what is bundled.
 *
 * `--check` writes nothing, lints the contract and fails where a committed file is stale.
 */
import { readFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { lint, createConfig } from '@redocly/openapi-core';
import openapiTS, { astToString } from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';
import { parameterSchemas, schemas, strict } from './contractSchemas';
import { thirdPartyNotices } from './notices';
import { withTables } from './readmeTables';
import { shapes, shapeTypes } from './shapes';
import { toolInputs, withToolInputs } from './toolInputs';
import { toolInputTypes, validators, validatorTypes } from './validators';

const root = path.resolve(__dirname, '..');
const source = path.join(root, 'src/api/openapi.json');
const header = '// Generated from src/api/openapi.json by `npm run generate`. Do not edit.\n';

/** The files that are derived, by their path below the root. */
async function generate(): Promise<Record<string, string>> {
  const parameters = parameterSchemas();
  const types = await openapiTS(pathToFileURL(source), { defaultNonNullable: false });
  const code = {
    'schema.d.ts': astToString(types),
    'validators.js': await validators({ ...schemas, ...parameters }, [
      ...strict,
      ...Object.keys(parameters),
    ]),
    'validators.d.ts': validatorTypes(Object.keys(parameters)),
    'toolInputs.js': await validators(toolInputs, Object.keys(toolInputs)),
    'toolInputs.d.ts': toolInputTypes(),
    'shapes.js': shapes(),
    'shapes.d.ts': shapeTypes,
  };
  const readme = withTables(await readFile(path.join(root, 'README.md'), 'utf8'));
  const manifest = withToolInputs(await readFile(path.join(root, 'package.json'), 'utf8'));
  const style = await resolveConfig(source, { config: path.join(root, '.config/prettier.json') });
  return {
    ...Object.fromEntries(
      Object.entries(code).map(([name, body]) => [`src/api/generated/${name}`, header + body]),
    ),
    'package.json': await format(manifest, { ...style, parser: 'json-stringify' }),
    'README.md': await format(readme, { ...style, parser: 'markdown' }),
  };
}

async function lintContract(): Promise<number> {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lint({ ref: source, config });
  for (const { severity, ruleId, message, location } of problems) {
    console.log(`${severity} ${ruleId}: ${message} (${location[0]?.pointer ?? ''})`);
  }
  return problems.filter(({ severity }) => severity === 'error').length;
}

/** Of the notices: they need a build, which may need what is generated. */
async function notices(): Promise<Record<string, string>> {
  try {
    return { 'ThirdPartyNotices.txt': await thirdPartyNotices() };
  } catch (error) {
    console.error(`ThirdPartyNotices.txt cannot be made: ${String(error)}`);
    process.exitCode = 1;
    return {};
  }
}

async function main(): Promise<void> {
  const check = process.argv.includes('--check');
  let failures = await lintContract();
  await mkdir(path.join(root, 'src/api/generated'), { recursive: true });
  for (const derive of [generate, notices]) {
    for (const [name, text] of Object.entries(await derive())) {
      const file = path.join(root, name);
      if (!check) await writeFile(file, text);
      else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
        console.log(`${name} is stale: run \`npm run generate\`.`);
        failures++;
      }
    }
  }
  if (failures > 0) process.exitCode = 1;
}

void main();
