import type { TimedRequest } from '../api/sendRequest';
import type { Connection } from './connections';
import type { ChangedSetting } from '../vscode/changedSettings';
import { oneLine } from '../text/plainText';

export interface DiagnosticFacts {
  /** Milliseconds since the epoch. */
  readonly takenAt: number;
  /** Versions and the like: what it is, and its value. */
  readonly about: readonly (readonly [string, string])[];
  readonly connections: readonly (Pick<Connection, 'name' | 'origin'> & { readonly is: string })[];
  readonly settings: readonly ChangedSetting[];
  /** A line for each tail, as `tailReport` makes it. */
  readonly tails: readonly string[];
  /** The latest last. */
  readonly requests: readonly TimedRequest[];
  /** Blotted out wherever they stand, should they stand anywhere. */
  readonly keys: readonly string[];
}

/**
 * The report of `Copy Diagnostics`, for a bug report: in English, whatever language the window has.
 * It holds nothing that the API answered but statuses, codes and request ids, so no name of a secret
 * and no text of a log; of a tail not even its label, which may be what was searched for.
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
  // A fence that is as the report is pasted: no line of it can end it.
  return `\`\`\`text\n${blotted}\n\`\`\`\n`;
}

function section(title: string, lines: readonly string[]): string[] {
  return ['', `${title}:`, ...(lines.length > 0 ? lines : ['none']).map((line) => `  ${line}`)];
}

/** On one line, of bounded length, and nothing in it that ends the fence. */
function cleaned(text: string): string {
  return oneLine(text).replaceAll('`', "'").slice(0, 200);
}

/** A code or an id that a server made: what is not of that form may be anything. */
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
