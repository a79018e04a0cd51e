import { withoutSecrets } from '../api/errors';
import type { TimedRequest } from '../api/sendRequest';
import { isObject, membersOf } from '../base/json';
import { cut, oneLine } from '../base/untrustedText';
import type { Connection } from './connections';

export interface DiagnosticFacts {
  /** Milliseconds since the epoch. */
  readonly takenAt: number;
  /** Versions and other facts: name and value. */
  readonly about: readonly (readonly [string, string])[];
  readonly connections: readonly (Pick<Connection, 'name' | 'origin'> & { readonly is: string })[];
  readonly settings: readonly ChangedSetting[];
  /** Of the current connection, as `serverSettingsLines` returns them. */
  readonly server: readonly string[];
  /** A line for each tail, as `tailReport` returns it. */
  readonly tails: readonly string[];
  /** The latest last. */
  readonly requests: readonly TimedRequest[];
  /** API keys, which are removed wherever they occur. */
  readonly keys: readonly string[];
}

/**
 * The report of `Copy Diagnostics` for a bug report, always in English. From answers of the API it has
 * only statuses, codes and request ids: no secret names, no log text, and no labels of tails, which may
 * contain search text.
 */
export function diagnosticsReport(facts: DiagnosticFacts): string {
  const { about, takenAt, connections, settings, server, tails, requests, keys } = facts;
  const sections: readonly (readonly [string, readonly string[]])[] = [
    ['Connections', connections.map(connectionLine)],
    ['Settings that differ from their defaults', settings.map(settingLine)],
    ['The server of the current connection', server],
    ['Tails', tails],
    ['Last requests', requests.map(requestLine)],
  ];
  const text = [
    ...about.map(([what, value]) => cleaned(`${what}: ${value}`, keys)),
    `Taken at: ${new Date(takenAt).toISOString()}`,
    ...sections.flatMap(([title, lines]) => [
      '',
      `${title}:`,
      ...(lines.length > 0 ? lines : ['none']).map((line) => `  ${cleaned(line, keys)}`),
    ]),
  ].join('\n');
  // `cleaned` removes backticks, so no line can end the fence.
  return `\`\`\`text\n${text}\n\`\`\`\n`;
}

/** The longest line, in UTF-16 units. */
const longestLine = 400;

/** Text that others may have written as one line of the report, without keys and backticks. */
function cleaned(line: string, keys: readonly string[]): string {
  return cut(oneLine(withoutSecrets(line, keys)).replaceAll('`', "'"), longestLine);
}

/** A code or id from a server; any other text is left out. */
export function plainWord(text: string): string {
  return /^[\w.:-]{1,80}$/.test(text) ? text : '(not a plain word)';
}

function connectionLine({ name, origin, is }: DiagnosticFacts['connections'][number]): string {
  return [name, origin, is].join(' · ');
}

function settingLine({ name, where, value }: ChangedSetting): string {
  return `${name} = ${value} (${where})`;
}

function requestLine(entry: TimedRequest): string {
  const { at, method, path, status, milliseconds, requestId, failure, leftOut } = entry;
  return [
    new Date(at).toISOString(),
    method,
    path,
    status ?? '-',
    `${Math.round(milliseconds)} ms`,
    ...(requestId === undefined ? [] : [plainWord(requestId)]),
    ...(failure === undefined ? [] : [plainWord(failure)]),
    ...(leftOut.length === 0 ? [] : [`(${leftOut.length} members left out)`]),
  ].join(' ');
}

/** The values of one setting, as `vscode.WorkspaceConfiguration.inspect` returns them. */
interface SettingValues {
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
}

/** A setting that is not its default, for a bug report. */
interface ChangedSetting {
  readonly name: string;
  /** Whose settings. */
  readonly where: 'user' | 'workspace' | 'folder';
  /** Its value, or only its type if the value could contain private names. */
  readonly value: string;
}

interface Schema {
  readonly default?: unknown;
  readonly enum?: unknown;
  readonly pattern?: unknown;
}

/**
 * The settings that differ from their defaults.
 *
 * @param sections `contributes.configuration` of package.json.
 */
export function changedSettings(
  sections: unknown,
  inspect: (name: string) => SettingValues | undefined,
): ChangedSetting[] {
  const properties = (Array.isArray(sections) ? sections : []).flatMap((section: unknown) =>
    Object.entries(membersOf(membersOf(section)['properties'])),
  );
  return properties.flatMap(([name, property]) => {
    const schema: Schema = membersOf(property);
    const { globalValue, workspaceValue, workspaceFolderValue } = inspect(name) ?? {};
    const set = [
      ['user', globalValue],
      ['workspace', workspaceValue],
      ['folder', workspaceFolderValue],
    ] as const;
    return set
      .filter(([, value]) => value !== undefined && !isSame(value, schema.default))
      .map(([where, value]) => ({ name, where, value: shownValue(value, schema) }));
  });
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Lists and maps contain private names. A text is shown only if the schema restricts it. */
function shownValue(value: unknown, schema: Schema): string {
  switch (typeof value) {
    case 'number':
    case 'boolean':
      return String(value);
    case 'string': {
      const { enum: allowed, pattern } = schema;
      const isKnown = Array.isArray(allowed) && allowed.includes(value);
      const isBounded = typeof pattern === 'string' && new RegExp(pattern, 'u').test(value);
      return isKnown || isBounded ? JSON.stringify(value) : `a text of ${value.length} characters`;
    }
    default:
      if (Array.isArray(value)) return `a list of ${value.length}`;
      return isObject(value) ? `a map of ${Object.keys(value).length}` : 'not of its type';
  }
}
