import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { oldestFirst } from '../../src/api/cursors';
import { readLogPage } from '../../src/api/readLogPage';
import type { LogRecord } from '../../src/api/types';
import { parseJson } from '../../src/base/json';
import { wallTime } from '../../src/base/timeFormat';
import { rankSuspects } from '../../src/commits/suspects';
import { deployedIn } from '../../src/data/deployments';
import { type PushedApp, readApp } from '../../src/deployed/push';
import { matchSource } from '../../src/deployed/sourceMatch';
import { findStatements } from '../../src/logs/calls/findStatements';
import { ErrorGroups } from '../../src/logs/errors/errorGroups';
import { TimeCounter } from '../../src/logs/explorer/histogram';
import { parseQuery } from '../../src/logs/query/parser';
import {
  instantOfTimeExpression,
  parseTimeExpression,
  type When,
} from '../../src/logs/query/timeExpression';
import { createFormatter } from '../../src/logs/record/logLine';
import { longestUniqueEnd } from '../../src/logs/record/pathMapping';
import { patternIds } from '../../src/logs/record/patterns';
import { bodyText } from '../../src/logs/record/readableBody';
import { findFrames, findTraceIds } from '../../src/logs/record/stackFrames';
import { readSgr } from '../../src/logs/record/terminalColors';
import { createKeys } from '../../src/trees/nodes';
import { sampleRecord } from './logs/sampleRecord';
import { read } from './trees/treeText';

/** What a user had and what was right, from a file of `test/cases`. */
export interface Case {
  readonly id: string;
  readonly symptom: string;
  /** A name in `functions`. */
  readonly fn: string;
  readonly input: unknown;
  readonly expected: unknown;
}

/** What was seen of a case. Both are plain JSON, to print them. */
export interface Outcome {
  readonly isRight: boolean;
  readonly seen: unknown;
}

const caseFile = v.object({
  id: v.string(),
  symptom: v.string(),
  fn: v.string(),
  input: v.unknown(),
  expected: v.unknown(),
});

/** The cases of a folder, by the names of their files. @throws if a file is no case. */
export function readCases(folder: string): readonly Case[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => v.parse(caseFile, parseJson(readFileSync(path.join(folder, file), 'utf8'))));
}

/** Tries a case with the code of the extension. @throws if its input or its expectation is malformed. */
export async function tryCase({ fn, input, expected }: Case): Promise<Outcome> {
  const run = functions[fn];
  if (run === undefined) throw new Error(`No function is called ${fn}.`);
  return run(input, expected);
}

type Try = (input: unknown, expected: unknown) => Outcome | Promise<Outcome>;

/** A function whose result is the expected value itself. */
function exactly<T>(
  schema: v.GenericSchema<unknown, T>,
  read: (input: T) => unknown,
  isRight: (seen: unknown, expected: unknown) => boolean = isSame,
): Try {
  return async (input, expected) => {
    const seen = await read(v.parse(schema, input));
    return { isRight: isRight(seen, expected), seen };
  };
}

function isSame(seen: unknown, expected: unknown): boolean {
  return JSON.stringify(seen) === JSON.stringify(expected);
}

/** Each text and link that is expected; those that the case does not name may be anything. */
const textExpected = v.strictObject({
  equals: v.optional(v.string()),
  startsWith: v.optional(v.string()),
  contains: v.optional(v.array(v.string())),
  lacks: v.optional(v.array(v.string())),
  frames: v.optional(v.array(v.string())),
});

function textWith(read: (record: LogRecord) => string): Try {
  return (input, expected) => {
    const seen = read(recordOf(input));
    const {
      equals,
      startsWith = '',
      contains = [],
      lacks = [],
      frames,
    } = v.parse(textExpected, expected);
    const isRight =
      (equals === undefined || seen === equals) &&
      seen.startsWith(startsWith) &&
      contains.every((one) => seen.includes(one)) &&
      !lacks.some((one) => seen.includes(one)) &&
      (frames === undefined || isSame(framesOf(seen), frames));
    return { isRight, seen: frames === undefined ? seen : { text: seen, frames: framesOf(seen) } };
  };
}

/** The links of a text as `path:line:column`, each once. */
function framesOf(text: string): readonly string[] {
  const found = text
    .split('\n')
    .flatMap((line) => findFrames(line))
    .map(({ path: file, line, column }) => [file, line, ...(column ? [column] : [])].join(':'));
  return [...new Set(found)];
}

const member = v.record(v.string(), v.unknown());
const withBody = v.object({ body: v.string(), record: v.optional(member) });

function recordOf(input: unknown): LogRecord {
  const { body, record = {} } = v.parse(withBody, input);
  return recordWith({ severity: 'info', ...record, body });
}

/** A record with members that a case names, as a page of a server has it. */
function recordWith(members: Readonly<Record<string, unknown>>): LogRecord {
  const records = [{ ...sampleRecord(), ...members }];
  const [record] = readLogPage({ records, nextCursor: null, followCursor: 'c' }).records;
  return record ?? sampleRecord();
}

const text = v.string();
const texts = v.array(v.string());

const formatLine = createFormatter({ timeZone: 'utc', showAttributes: false, bodies: 'readable' });

/** The number of the group of each, counted by first appearance. */
function groupNumbers(ids: readonly string[]): readonly number[] {
  const seen = [...new Set(ids)];
  return ids.map((id) => seen.indexOf(id));
}

async function countKinds(records: readonly Readonly<Record<string, unknown>>[]): Promise<number> {
  const groups = new ErrorGroups(
    () => Promise.resolve(),
    () => Promise.resolve(undefined),
  );
  await groups.add(
    records.map((one, index) => recordWith({ severity: 'error', eventId: `e${index}`, ...one })),
  );
  return groups.kinds.length;
}

const styles = v.object({
  text: v.optional(text),
  spans: v.optional(v.array(v.unknown())),
  styleAt: v.optional(v.array(v.tuple([v.number(), v.nullable(text)]))),
});

const tryStyles: Try = (input, expected) => {
  const seen = readSgr(v.parse(text, input));
  const { text: plain = seen.text, spans = seen.spans, styleAt = [] } = v.parse(styles, expected);
  const at = (offset: number): string =>
    seen.spans.find(({ start, end }) => start <= offset && offset < end)?.style ?? '';
  const isRight =
    seen.text === plain &&
    isSame(seen.spans, spans) &&
    styleAt.every(([offset, style]) => at(offset) === (style ?? ''));
  return { isRight, seen };
};

/** When the pushes of cases happened. */
const pushedAt = Date.parse('2026-11-20T12:00:00Z');
const whole = (digit: string): string => digit.repeat(40).slice(0, 40);

const pushed = v.object({
  mine: text,
  newer: v.optional(texts, []),
  deployments: v.array(member),
});

function deploymentsOf(deployments: readonly Readonly<Record<string, unknown>>[]) {
  return [...(read('DeploymentListing', { deployments }).deployments ?? [])];
}

function stateAfterPush({ mine, newer, deployments }: v.InferOutput<typeof pushed>): string {
  const app: PushedApp = { resourceId: 'a', name: 'a', isOptional: false, state: 'waiting' };
  const newerShas = newer.map(whole);
  const { state } = readApp(app, deploymentsOf(deployments), {
    sha: whole(mine),
    pushedAt,
    ageOf: (sha) => (newerShas.includes(sha) ? 'newer' : 'older'),
    isStill: () => false,
  });
  return state;
}

const matched = v.object({ remotes: texts, labels: texts });

function labelOfSource({ remotes, labels }: v.InferOutput<typeof matched>): string | null {
  const match = matchSource({
    remotes,
    sources: labels.map((label) => ({ id: label, label })),
    resourcesOf: () => [],
    holds: () => false,
  });
  return match.kind === 'one' ? (match.source.label ?? null) : null;
}

const suspected = v.object({
  line: v.number(),
  text: texts,
  message: text,
  commits: v.array(v.object({ sha: text, patch: text })),
});

function suspectsOf({
  line,
  text: lines,
  message,
  commits,
}: v.InferOutput<typeof suspected>): string[] {
  const changes = commits.map(({ sha, patch }) => ({ sha, patches: new Map([['a', patch]]) }));
  return rankSuspects([{ path: 'a', line, text: lines }], message, changes).map(
    ({ sha, reason }) => `${sha} ${reason}`,
  );
}

/** A query that is only a text to search for: `text`; else what it is. */
function meaningOfQuery(query: string): unknown {
  const result = parseQuery(query);
  if (!result.ok) return result.errors.map(({ problem }) => problem);
  const { search, ...others } = result.filter;
  return search === query && Object.keys(others).length === 0 ? 'text' : result.filter;
}

const bars = v.object({ times: texts, from: text, to: text, zone: text, max: v.number() });
const barsExpected = v.object({ startsAt: text, counts: v.array(v.number()) });

const tryBars: Try = (input, expected) => {
  const { times, from, to, zone, max } = v.parse(bars, input);
  const { startsAt, counts } = v.parse(barsExpected, expected);
  const counter = new TimeCounter(undefined, max);
  counter.replaced(times.map((timestamp) => sampleRecord({ timestamp })));
  const counted = counter.count(zone, { from: Date.parse(from), to: Date.parse(to) });
  if (counted === undefined) return { isRight: false, seen: null };
  const starts = counted.starts
    .slice(0, -1)
    .map((start) => new Date(wallTime(start, zone)).toISOString().slice(0, 16));
  const seen = counted.counts
    .map((bar) => bar.reduce((sum, one) => sum + one, 0))
    .filter((count) => count > 0);
  const isRight = starts.every((start) => start.endsWith(startsAt)) && isSame(seen, counts);
  return { isRight, seen: { starts, counts: seen } };
};

const moment = v.object({ text, now: text, zone: text });

function instants({ text: written, now, zone }: v.InferOutput<typeof moment>): unknown {
  const when: When = { now: Date.parse(now), timeZone: zone };
  const expression = parseTimeExpression(written);
  if (expression === undefined) return null;
  return [false, true].map((end) => instantOfTimeExpression(expression, when, end));
}

/** Instants may be written with or without milliseconds. */
function areSameInstants(seen: unknown, expected: unknown): boolean {
  const times = (value: unknown): unknown =>
    Array.isArray(value) ? value.map((one) => Date.parse(String(one))) : value;
  return isSame(times(seen), times(expected));
}

/** What can be tried, by the name that cases have for it. */
const functions: Readonly<Record<string, Try>> = {
  body: textWith((record) => bodyText(record, 'readable')),
  channel: textWith(formatLine),
  frames: exactly(text, framesOf),
  traceIds: exactly(text, (input) => findTraceIds(input).map(({ traceId }) => traceId)),
  sgr: tryStyles,
  patterns: exactly(texts, (bodies) => groupNumbers(patternIds(bodies))),
  kinds: exactly(v.array(member), countKinds),
  uniqueEnd: exactly(
    v.object({ path: text, files: texts }),
    ({ path: file, files }) =>
      longestUniqueEnd(
        file,
        files.map((one) => ({ path: one })),
      )?.path ?? null,
  ),
  statements: exactly(v.object({ code: text, language: text }), ({ code, language }) =>
    findStatements(code, language).map(({ line, severity }) => [line, severity]),
  ),
  readApp: exactly(pushed, stateAfterPush, (seen, expected) =>
    Array.isArray(expected) ? expected.includes(seen) : seen === expected,
  ),
  deployedIn: exactly(v.array(member), (input) =>
    deployedIn(read('ResourceListing', { resources: [{ id: 'a' }] }).resources ?? [], () =>
      deploymentsOf(input),
    ).commits.map(({ sha }) => sha.charAt(0)),
  ),
  matchSource: exactly(matched, labelOfSource),
  suspects: exactly(suspected, suspectsOf),
  query: exactly(
    texts,
    (queries) => queries.map(meaningOfQuery),
    (seen, expected) => Array.isArray(seen) && seen.every((one) => one === expected),
  ),
  histogram: tryBars,
  time: exactly(moment, instants, areSameInstants),
  oldestFirst: exactly(v.array(v.tuple([text, text])), (page) =>
    oldestFirst(
      page.map(([eventId, timestamp]) => sampleRecord({ eventId, timestamp })),
      'older',
    ).map(({ eventId }) => eventId),
  ),
  keys: exactly(
    texts,
    (ids) => ids.map(createKeys('', 'row')),
    (seen) => Array.isArray(seen) && new Set(seen).size === seen.length,
  ),
};
