import { isObject, membersOf } from '../api/readLenient';
import type { TimedRequest } from '../api/sendRequest';
import { oneLine } from '../text/plainText';
import type { Connection } from './connections';

export interface DiagnosticFacts {
  /** Milliseconds since the epoch. */
  readonly takenAt: number;
  /** Versions and other facts: name and value. */
  readonly about: readonly (readonly [string, string])[];
  readonly connections: readonly (Pick<Connection, 'name' | 'origin'> & { readonly is: string })[];
  readonly settings: readonly ChangedSetting[];
  /** A line for each tail, as `tailReport` returns it. */
  readonly tails: readonly string[];
  /** The latest last. */
  readonly requests: readonly TimedRequest[];
  /** API keys, which are replaced by `***` wherever they occur. */
  readonly keys: readonly string[];
}

/**
 * The report of `Copy Diagnostics` for a bug report, always in English. From answers of the API it has
 * only statuses, codes and request ids: no secret names, no log text, and no labels of tails, which may
 * contain search text.
 */
export function diagnosticsReport(facts: DiagnosticFacts): string {
  const text = [
    ...facts.about.map(([what, value]) => `${what}: ${cleaned(value)}`),
    `Taken at: ${new Date(facts.takenAt).toISOString()}`,
    ...section('Connections', facts.connections.map(connectionLine)),
    ...section('Settings that differ from their defaults', facts.settings.map(settingLine)),
    ...section('Tails', facts.tails),
    ...section('Last requests', facts.requests.map(requestLine)),
  ].join('\n');
  const blotted = facts.keys
    .filter((key) => key !== '')
    .reduce((so, key) => so.replaceAll(key, '***'), text);
  // `cleaned` removes backticks, so no line can end the fence.
  return `\`\`\`text\n${blotted}\n\`\`\`\n`;
}

function section(title: string, lines: readonly string[]): string[] {
  return ['', `${title}:`, ...(lines.length > 0 ? lines : ['none']).map((line) => `  ${line}`)];
}

/** On one line, at most 200 characters, and without backticks. */
function cleaned(text: string): string {
  return oneLine(text).replaceAll('`', "'").slice(0, 200);
}

/** A code or id from a server; any other text is left out. */
export function plainWord(text: string): string {
  return /^[\w.:-]{1,80}$/.test(text) ? text : '(not a plain word)';
}

function connectionLine({ name, origin, is }: DiagnosticFacts['connections'][number]): string {
  return [cleaned(name), cleaned(origin), is].join(' · ');
}

function settingLine({ name, where, value }: ChangedSetting): string {
  return `${name} = ${cleaned(value)} (${where})`;
}

function requestLine(entry: TimedRequest): string {
  const { at, method, path, status, milliseconds, requestId, failure, leftOut } = entry;
  return [
    new Date(at).toISOString(),
    method,
    cleaned(path),
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
 * @param properties those of `contributes.configuration` in package.json.
 */
export function changedSettings(
  properties: unknown,
  inspect: (name: string) => SettingValues | undefined,
): ChangedSetting[] {
  return Object.entries(membersOf(properties)).flatMap(([name, property]) => {
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
