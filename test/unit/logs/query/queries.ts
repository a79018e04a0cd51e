import { assert } from 'chai';
import type { LogFilter, NameKind } from '../../../../src/logs/query/fields';
import type { QueryError } from '../../../../src/logs/query/filterBuilder';
import { parseQuery } from '../../../../src/logs/query/parser';

export const id1 = '6c2b3f91-1d2e-4f30-9b4c-5d6e7f809102';
export const id2 = '7d3c40a2-2e3f-4041-8c5d-6e7f80910213';

const names: Readonly<Record<string, string[]>> = {
  'workload/web': [id1],
  'workload/web-api': [id1],
  'workload/twice': [id1, id2],
  'server/my "first" one': [id2],
};

/** The ids of a few names. */
export const resolve = (kind: NameKind, name: string): string[] => names[`${kind}/${name}`] ?? [];

/** The filter of a query without errors, whose names are known. */
export function filterOf(query: string): LogFilter {
  const result = parseQuery(query, resolve);
  if (!result.ok) assert.fail(`${query}: ${JSON.stringify(result.errors)}`);
  assert.deepEqual(result.unresolved, []);
  return result.filter;
}

export function errorsOf(query: string): readonly QueryError[] {
  const result = parseQuery(query, resolve);
  return result.ok ? assert.fail(`${query}: ${JSON.stringify(result.filter)}`) : result.errors;
}

/** The texts that the errors of a query mark, each with its problem. */
export function problemsOf(query: string): [string, QueryError['problem']][] {
  return errorsOf(query).map(({ start, end, problem }) => [query.slice(start, end), problem]);
}
