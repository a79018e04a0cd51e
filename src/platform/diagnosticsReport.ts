import type { ApiError } from '../api/errors';
import type { RequestEntry } from '../api/exchange';
import type { FollowedTail } from '../logs/tail/tails';
import type { TailState } from '../logs/tail/types';
import type { Connection } from '../workspace/connections';
import type { ChangedSetting } from './changedSettings';
import { oneLine } from './plainText';

/** A request and when its answer was read, in milliseconds since the epoch. */
export interface TimedRequest extends RequestEntry {
  readonly at: number;
}

export interface DiagnosticFacts {
  /** Milliseconds since the epoch. */
  readonly takenAt: number;
  /** Versions and the like: what it is, and its value. */
  readonly about: readonly (readonly [string, string])[];
  readonly connections: readonly (Pick<Connection, 'name' | 'origin'> & { readonly is: string })[];
  readonly settings: readonly ChangedSetting[];
  readonly tails: readonly Pick<FollowedTail, 'tail' | 'rate'>[];
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
    ...section('Tails', facts.tails.map(tailLine)),
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
function word(text: string): string {
  return /^[\w.:-]{1,80}$/.test(text) ? text : '(not a plain word)';
}

function connectionLine({ name, origin, is }: DiagnosticFacts['connections'][number]): string {
  return [cleaned(name), cleaned(origin), is].join(' · ');
}

function settingLine({ name, where, value }: ChangedSetting): string {
  return `${name} = ${cleaned(value)} (${where})`;
}

function tailLine({ tail, rate }: DiagnosticFacts['tails'][number]): string {
  const { received, streamed, handedOn, leftOut, repeated, connects } = tail.counters;
  const filters = Object.keys(tail.filter);
  return [
    stateInWords(tail.state),
    `filters: ${filters.length > 0 ? filters.join(', ') : 'none'}`,
    `${rate.toFixed(1)} lines/s`,
    `received ${received}, of those streamed ${streamed}`,
    `handed on ${handedOn}, left out ${leftOut}, repeated ${repeated}`,
    `connects ${connects}`,
  ].join(' · ');
}

function stateInWords(state: TailState): string {
  switch (state.kind) {
    case 'live':
      return state.silence === undefined ? 'live' : `live, silent (${errorIn(state.silence)})`;
    case 'paused':
      return `paused, ${state.newRecords} new`;
    case 'reconnecting':
      return state.why === undefined ? 'reconnecting' : `reconnecting (${errorIn(state.why)})`;
    case 'failed':
      return `failed: ${state.why.kind} (${errorIn(state.why.error)})`;
    case 'connecting':
    case 'rateLimited':
    case 'stopped':
      return state.kind;
  }
}

/** Never its message, which a server may have written. */
function errorIn({ kind, code, status, requestId }: ApiError): string {
  return [kind, word(code), status, requestId === undefined ? undefined : word(requestId)]
    .filter((part) => part !== undefined)
    .join(' ');
}

function requestLine(entry: TimedRequest): string {
  const { at, method, path, status, milliseconds, requestId, failure, leftOut } = entry;
  return [
    new Date(at).toISOString(),
    method,
    cleaned(path),
    status ?? '-',
    `${Math.round(milliseconds)} ms`,
    ...(requestId === undefined ? [] : [word(requestId)]),
    ...(failure === undefined ? [] : [word(failure)]),
    ...(leftOut.length === 0 ? [] : [`(${leftOut.length} members left out)`]),
  ].join(' ');
}
