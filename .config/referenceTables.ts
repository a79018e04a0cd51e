/** The tables of docs/reference.md that are generated from package.json and the contract. */
import beyond from '../src/api/described.json';
import contract from '../src/api/openapi.json';
import manifest from '../package.json';
import texts from '../package.nls.json';
import type { Setting } from './settings';

type Row = readonly string[];

function table(head: Row, rows: readonly Row[]): string {
  const line = (cells: Row): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** The English text of a key in package.json. */
function text(key: string): string {
  const words: Readonly<Record<string, string>> = texts;
  const name = /^%(.+)%$/.exec(key)?.[1];
  return name === undefined ? key : (words[name] ?? key);
}

/** Who can set a setting, by its scope. */
const setBy: Readonly<Record<string, string>> = {
  application: 'you',
  window: 'you, a workspace',
  resource: 'you, a workspace, a folder',
};

/** A table for each section, in the order of the settings editor. */
function settingTables(): string {
  return manifest.contributes.configuration
    .map(({ title, properties }) => {
      const rows = Object.entries<Setting>(properties).map(settingRow);
      const head = ['setting', 'default', 'set by', 'what it does'];
      return `### ${text(title)}\n\n${table(head, rows)}`;
    })
    .join('\n\n');
}

function settingRow([name, setting]: [string, Setting]): Row {
  const who = setBy[setting.scope];
  if (who === undefined) throw new Error(`The reference has no text for the scope of ${name}.`);
  const restricted: readonly string[] =
    manifest.capabilities.untrustedWorkspaces.restrictedConfigurations;
  const values = setting.enum?.map((value) => `\`${value}\``).join(', ');
  return [
    `\`${name}\``,
    `\`${JSON.stringify(setting.default)}\``,
    restricted.includes(name) ? who.replace('workspace', 'trusted workspace') : who,
    `${withoutLinks(text(setting.markdownDescription))}${values === undefined ? '' : ` One of ${values}.`}`,
  ];
}

/** A text with links that only the settings editor can follow, as one that names where they lead. */
function withoutLinks(markdown: string): string {
  return markdown
    .replace(/`#([^`#]+)#`/g, '`$1`')
    .replace(/\[([^\]]+)\]\(command:[^)]*\)/g, '**$1**');
}

/** Titles as they are shown: with their category in the Command Palette, without it in a view. */
function commands(): string {
  const hidden = new Set(
    manifest.contributes.menus.commandPalette
      .filter(({ when }) => when === 'false')
      .map(({ command }) => command),
  );
  return table(
    ['command', 'id', 'where'],
    manifest.contributes.commands.map(({ command, title, category }) => [
      hidden.has(command) ? text(title) : `${category}: ${text(title)}`,
      `\`${command}\``,
      hidden.has(command) ? 'in a view' : 'palette',
    ]),
  );
}

/** A key of package.json as it stands on a keyboard: `Ctrl`+`K` `L` for `ctrl+k l`. */
function keyText(key: string): string {
  const name = (part: string): string => `\`${part.charAt(0).toUpperCase()}${part.slice(1)}\``;
  return key
    .split(' ')
    .map((stroke) => stroke.split('+').map(name).join('+'))
    .join(' ');
}

function keys(): string {
  const titles = new Map(manifest.contributes.commands.map((one) => [one.command, one.title]));
  return table(
    ['command', 'key', 'on a Mac'],
    manifest.contributes.keybindings.map(({ command, key, mac }) => [
      `**${text(titles.get(command) ?? command)}**`,
      keyText(key),
      keyText(mac),
    ]),
  );
}

/** The tools for language models. */
function tools(): string {
  return table(
    ['tool', 'in a prompt', 'what it does'],
    manifest.contributes.languageModelTools.map((tool) => [
      text(tool.displayName),
      `\`#${tool.toolReferenceName}\``,
      text(tool.userDescription),
    ]),
  );
}

interface Assumption {
  readonly open: string;
  readonly default: string;
  readonly setting?: string;
  /** By what a description of the server says it. */
  readonly described?: string;
}

const assumed: readonly Assumption[] = Object.values<Assumption>({
  ...beyond['x-assumptions'],
  ...contract['x-assumptions'],
});

/** What a setting is for. */
function assumptions(): string {
  const rows = assumed.flatMap(({ open, default: value, setting, described }) =>
    setting === undefined
      ? []
      : [[open, value, described === undefined ? '' : 'yes', `\`${setting}\``]],
  );
  return table(['left open', 'what is assumed', 'described', 'setting'], rows);
}

/** The others: what is done is right in either case. */
function otherAssumptions(): string {
  return assumed
    .filter(({ setting }) => setting === undefined)
    .map(({ open, default: value }) => `- ${open}: ${value}`)
    .join('\n');
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
  settings: settingTables,
  commands,
  keys,
  tools,
  assumptions,
  otherAssumptions,
  permissions,
};

/**
 * docs/reference.md with every table between `<!-- table: name -->` and `<!-- end -->` generated
 * again.
 */
export function withTables(reference: string): string {
  return reference.replace(
    /<!-- table: (\w+) -->[\s\S]*?<!-- end -->/g,
    (whole, name: string) =>
      `<!-- table: ${name} -->\n\n${tables[name]?.() ?? whole}\n\n<!-- end -->`,
  );
}
