/** The tables of README.md that say what package.json and the contract say, made from them. */
import contract from '../src/api/openapi.json';
import manifest from '../package.json';
import texts from '../package.nls.json';

type Row = readonly string[];

function table(head: Row, rows: readonly Row[]): string {
  const line = (cells: Row): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A text of package.json as the English reader sees it. */
function text(key: string): string {
  const words: Readonly<Record<string, string>> = texts;
  const name = /^%(.+)%$/.exec(key)?.[1];
  return name === undefined ? key : (words[name] ?? key);
}

interface Setting {
  readonly markdownDescription: string;
  readonly default: unknown;
}

function settings(): string {
  const properties: Readonly<Record<string, Setting>> =
    manifest.contributes.configuration.properties;
  return table(
    ['setting', 'default', 'what it does'],
    Object.entries(properties).map(([name, setting]) => [
      `\`${name}\``,
      `\`${JSON.stringify(setting.default)}\``,
      text(setting.markdownDescription),
    ]),
  );
}

function commands(): string {
  return table(
    ['command', 'id'],
    manifest.contributes.commands.map(({ command, title, category }) => [
      `${category}: ${text(title)}`,
      `\`${command}\``,
    ]),
  );
}

interface Assumption {
  readonly open: string;
  readonly default: string;
  readonly setting?: string;
}

function assumptions(): string {
  const entries: Readonly<Record<string, Assumption>> = contract['x-assumptions'];
  return table(
    ['left open', 'what is assumed', 'setting'],
    Object.values(entries).map((entry) => [
      entry.open,
      entry.default,
      entry.setting === undefined ? '' : `\`${entry.setting}\``,
    ]),
  );
}

interface Operation {
  readonly summary: string;
  readonly 'x-permission': string;
}

function permissions(): string {
  const paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> = contract.paths;
  const uses = new Map<string, string[]>();
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    const permission = operation['x-permission'];
    uses.set(permission, [...(uses.get(permission) ?? []), operation.summary.toLowerCase()]);
  }
  return table(
    ['permission', 'what needs it'],
    [...uses].map(([permission, summaries]) => [`\`${permission}\``, summaries.join(', ')]),
  );
}

const tables: Readonly<Record<string, () => string>> = {
  settings,
  commands,
  assumptions,
  permissions,
};

/** README.md with every table between `<!-- table: name -->` and `<!-- end -->` made anew. */
export function withTables(readme: string): string {
  return readme.replace(
    /<!-- table: (\w+) -->[\s\S]*?<!-- end -->/g,
    (whole, name: string) =>
      `<!-- table: ${name} -->\n\n${tables[name]?.() ?? whole}\n\n<!-- end -->`,
  );
}
