import { isObject, membersOf } from '../api/jsonObject';
/** What `inspect` of `vscode.WorkspaceConfiguration` says of one setting. */
export interface SettingValues {
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
}

/** A setting that somebody has set, fit for a bug report. */
export interface ChangedSetting {
  readonly name: string;
  /** Whose settings: the innermost wins. */
  readonly where: 'user' | 'workspace' | 'folder';
  /** Its value, or what kind of value it is where that could name somebody's things. */
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
 * @param properties those of `contributes.configuration` in package.json, as the editor hands them on.
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

/** Lists and maps name people's servers and folders; a text is shown where the schema bounds it. */
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
