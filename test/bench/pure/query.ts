import type { LogRecord } from '../../../src/api/types';
import { completionsAt } from '../../../src/logs/query/completion';
import { asLogFilter } from '../../../src/logs/query/fields';
import { SeenValues } from '../../../src/logs/query/remembered';
import { parseSearch, printSearch } from '../../../src/logs/query/searchQuery';
import { figure, type Figure } from '../figures';
import { interleave, milliseconds } from '../timing';

const id = '6c2b3f91-1d2e-4f30-9b4c-5d6e7f809102';
const when = { now: Date.parse('2026-11-20T12:00:00Z'), timeZone: 'Europe/Berlin' };

const typical =
  'severity:error,fatal workload:web-api env:production stream:stderr trace:' +
  `${'4b'.repeat(16)} attr.user=42 attr.path~/api service:web -field:spanId "free text" last:15m`;

/** The largest that the contract allows. */
const largest = asLogFilter({
  ...Object.fromEntries(
    ['workloadIds', 'serverIds', 'deploymentIds', 'previewIds'].map((member) => [
      member,
      Array.from({ length: 50 }, (_, index) => id.replace('102', String(100 + index))),
    ]),
  ),
  attributes: Array.from({ length: 8 }, () => ({ key: 'k'.repeat(128), value: 'v'.repeat(512) })),
  conditionGroup: {
    match: 'or',
    conditions: Array.from({ length: 8 }, () => ({
      field: `attribute:${'k'.repeat(128)}`,
      operator: 'not_contains',
      value: 'v'.repeat(512),
    })),
  },
});

/** A query while it is typed: the time until its errors and completions are available. */
export async function query(records: readonly LogRecord[], rounds: number): Promise<Figure[]> {
  const seen = new SeenValues();
  seen.remember(records);
  const { values, attributes, attributeValues } = seen;
  const knowledge = { values, attributes, attributeValues, names: () => [{ id, name: 'web-api' }] };
  const long = printSearch({ filter: largest, range: {} });
  const parse = (text: string) => () => {
    if (!parseSearch(text, when, () => [id]).ok) throw new Error('The query does not compile.');
  };
  const each = (work: () => unknown) => (): number =>
    milliseconds(() => {
      for (let time = 0; time < 100; time++) work();
    }) / 100;
  const times = await interleave(
    {
      typical: each(parse(typical)),
      long: each(parse(long)),
      completion: each(() => completionsAt(`${typical} serv`, typical.length + 5, knowledge)),
    },
    { rounds, warmUp: 3 },
  );
  const characters = long.length.toLocaleString('en');
  const goal = '≤ 1';
  return [
    figure('a query with every kind of part, compiled', 'ms', times.typical, { goal }),
    figure(`the largest query (${characters} characters)`, 'ms', times.long, { goal }),
    figure('completions at its end', 'ms', times.completion, { goal }),
  ];
}
