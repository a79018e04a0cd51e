import { assert } from 'chai';
import fc from 'fast-check';
import { descriptionLimits, JsonReader } from '../../../src/api/jsonReader';
import contract from '../../../src/api/openapi.json';
import {
  type OpenSetting,
  describedValue,
  type OperationFacts,
  readServerDescription,
  type ServerFacts,
} from '../../../src/api/serverDescription';
import { isObject } from '../../../src/base/json';
import { describedIds, descriptionOf, pathOf, server } from './descriptions';

const segment = /^(?!\.{1,2}$)[A-Za-z0-9._~-]{1,64}$/;
const parameter = /^[A-Za-z0-9._~[\]-]{1,64}$/;

/** What must hold of whatever was read. */
function assertChecked(facts: ServerFacts | undefined): void {
  if (facts === undefined) return;
  assert.isBelow(JSON.stringify(facts).length, 32 * 1024);
  for (const of of Object.values(facts.operations)) {
    if (of === 'none') continue;
    const [first, ...segments] = of.path.split('/');
    assert.equal(first, '');
    for (const one of segments) assert.match(one.replace(/^\{(\w+)\}$/, '$1'), segment);
    for (const { name } of Object.values(of.query)) assert.match(name, parameter);
    for (const path of Object.keys(of.body)) {
      for (const name of path.split('.')) assert.match(name, /^[\w-]{1,64}(?:\[\])?$/);
    }
  }
}

/** What is read of the text of a document, in steps. */
function readText(text: string): ServerFacts | undefined {
  const reader = new JsonReader(descriptionLimits);
  for (let at = 0; at < text.length; at += 64 * 1024) {
    if (reader.read(text.slice(at, at + 64 * 1024)) !== undefined) return undefined;
  }
  return readServerDescription(reader.end());
}

type Json = Record<string, unknown>;

const answer = (schema: unknown): Json => ({
  responses: { 200: { content: { 'application/json': { schema } } } },
});
const withMembers = (...names: readonly string[]): Json =>
  answer({ properties: Object.fromEntries(names.map((name) => [name, {}])) });
const rules = withMembers('rules', 'workloads', 'destinations', 'providers', 'canManage');
const repositories = (...parameters: readonly Json[]): Json => ({
  ...withMembers('repositories', 'nextPage'),
  parameters: parameters.map((one) => ({ in: 'query', ...one })),
});
const text = { type: 'string' };
const integer = { type: 'integer' };

/** The facts of a server with these paths, beside the log query. */
function factsOf(paths: Json, more: Json = {}): ServerFacts | undefined {
  const facts = readServerDescription({
    openapi: '3.1.0',
    paths: { '/logs/query': { post: {} }, ...paths },
    ...more,
  });
  assertChecked(facts);
  return facts;
}

function valueOf(setting: OpenSetting, paths: Json, more?: Json): string | undefined {
  const facts = factsOf(paths, more);
  return facts && describedValue(facts, setting);
}

describe('readServerDescription', () => {
  it('finds each operation by what it is, however it is described', () => {
    fc.assert(
      fc.property(server, (one) => {
        const document = descriptionOf(one);
        const facts = readServerDescription(JSON.parse(JSON.stringify(document)));
        const { absent, segments, names, style } = one;
        const isThere = (id: string): boolean => !absent.includes(id);
        assert(facts);
        assertChecked(facts);
        assert.equal(facts.version, one.version);
        for (const id of describedIds) {
          const found = facts.operations[id];
          if (!isThere(id)) {
            // What is not described at all may be what another operation is.
            assert.isFalse(isObject(found), id);
            continue;
          }
          if (id === 'getOperation' && !style.hasAnswers && found === undefined) continue;
          assert(isObject(found), id);
          const { path } = found as OperationFacts;
          assert.equal(
            path.replaceAll(/\{\w+\}/g, '{}'),
            pathOf(id, one).replaceAll(/\{\w+\}/g, '{}'),
          );
        }
        const value = (setting: OpenSetting) => describedValue(facts, setting);
        if (isThere('listAlertRules')) {
          assert.equal(value('segments.monitorAlerts'), segments.alerts);
          assert.equal(value('parameters.alertsDeployable'), names.deployable);
        }
        if (isThere('listSecrets')) {
          assert.equal(value('parameters.secretsEnvironment'), names.environment);
        }
        if (isThere('listRepositories')) {
          assert.equal(value('segments.repositories'), segments.repositories);
          assert.equal(value('parameters.repositoriesSearch'), names.search);
          assert.equal(value('parameters.repositoriesPage'), names.page);
          const { query } = facts.operations.listRepositories as OperationFacts;
          assert.equal(query['search']?.isRequired, one.isRequired);
          assert.isFalse(query['page']?.isRequired);
        }
        if (isThere('retryPreviewReporting')) {
          assert.equal(value('segments.previewReporting'), segments.reporting);
        }
        if (isThere('getOperation') && style.hasAnswers) {
          assert.equal(value('operationPath'), one.operationPath);
        } else if (style.hasAnswers) assert.equal(value('operationPath'), '');
        if (isThere('cleanUpOrphans')) {
          const { body } = facts.operations.cleanUpOrphans as OperationFacts;
          assert.isTrue(body['items']);
          assert.isTrue(body['items[].name']);
          assert.equal(body[`items[].${names.kind}`], one.isRequired);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('keeps no segment that is not one, and nothing outside /v1/api', () => {
    const alerts = (segment: string, more?: Json): string | undefined =>
      valueOf('segments.monitorAlerts', { [`/servers/{id}/${segment}`]: { get: rules } }, more);
    for (const segment of ['scout-alerts', 'a.b', '~', '...', 'a'.repeat(64)]) {
      assert.equal(alerts(segment), segment);
    }
    for (const segment of [
      ...['', '.', '..', '%2e%2e', '%2f', 'a/b', 'a?b', 'a#b', 'a b', 'a\\b', 'a@b', 'ä', 'a\n'],
      ...['a'.repeat(65), '{alerts}', 'a{b}', '\u202ealerts'],
    ]) {
      assert.isUndefined(alerts(segment), segment);
    }
    const at = (url: string): Json => ({ servers: [{ url }] });
    for (const url of [
      ...['/v1/api', '.', './', '/', 'https://other.example/v1/api/', 'https://other.example'],
    ]) {
      assert.equal(alerts('watch', at(url)), 'watch', url);
    }
    for (const url of ['/v2', '/v1', 'https://other.example/other', '/v1/apis', '..']) {
      assert.isUndefined(alerts('watch', at(url)), url);
    }
    const servers = [{ url: 'https://other.example/v2' }];
    for (const item of [{ get: { ...rules, servers } }, { get: rules, servers }]) {
      assert.isUndefined(valueOf('segments.monitorAlerts', { '/servers/{id}/watch': item }));
    }
    assert.isUndefined(valueOf('segments.monitorAlerts', { '/servers/all/watch': { get: rules } }));
    const long = `/operations/${'a/'.repeat(300)}{id}`;
    assert.equal(valueOf('operationPath', { [long]: { get: withMembers('operation') } }), '');
  });

  it('keeps no name that could not be a setting', () => {
    for (const [name, isKept] of [
      ...['q', 'filter[name]', '__proto__', 'x'.repeat(64)].map((one) => [one, true] as const),
      ...['', 'a b', 'a&b', 'a=b', 'x'.repeat(65), '\ud800', 'q\n'].map(
        (one) => [one, false] as const,
      ),
    ]) {
      const of = repositories({ name, schema: text }, { name: 'p', schema: integer });
      const found = valueOf('parameters.repositoriesSearch', { '/git/repositories': { get: of } });
      assert.equal(found, isKept ? name : undefined, name);
    }
  });

  it('keeps few members of a body, each of the form of one', () => {
    const cleanUp = (schema: Json): OperationFacts => {
      const requestBody = { content: { 'application/json': { schema } } };
      const path = '/servers/{id}/actions/cleanup-orphans';
      const facts = factsOf({ [path]: { post: { requestBody } } });
      return facts?.operations.cleanUpOrphans as OperationFacts;
    };
    const members = (names: readonly string[], of: unknown = {}): Json => ({
      properties: Object.fromEntries(names.map((name) => [name, of])),
    });
    const many = Array.from({ length: 500 }, (_, at) => (at === 0 ? 'items' : `m${at}`));
    assert.lengthOf(Object.keys(cleanUp(members(many)).body), 64);
    assert.lengthOf(Object.keys(cleanUp(members(many, members(['a', 'b']))).body), 64);
    const deep = members(['items'], members(['b'], members(['c'], members(['d'], members(['e'])))));
    assert.hasAllKeys(cleanUp(deep).body, ['items', 'items.b', 'items.b.c', 'items.b.c.d']);
    assert.hasAllKeys(cleanUp(members(['items', 'a b', '<b>', '', 'x'.repeat(65)])).body, [
      'items',
    ]);
  });

  it('says nothing of what is not clear', () => {
    const page = { name: 'page', schema: integer };
    const search = (...parameters: readonly Json[]): string | undefined =>
      valueOf('parameters.repositoriesSearch', {
        '/git/repositories': { get: repositories(page, ...parameters) },
      });
    assert.equal(search({ name: 'integration', schema: text }), 'integration');
    assert.equal(search({ name: 'search' }), 'search');
    assert.equal(search({ name: 'search', schema: text }, { name: 'q', schema: text }), 'search');
    assert.isUndefined(search({ name: 'a', schema: text }, { name: 'b', schema: text }));
    assert.isUndefined(search({ name: 'search', schema: integer }));
    assert.isUndefined(search({ name: 'page', schema: text }), 'it is the other one');
    assert.isUndefined(search({ name: 'a', in: 'header', schema: text }));

    const alerts = (...segments: readonly string[]): string | undefined =>
      valueOf(
        'segments.monitorAlerts',
        Object.fromEntries(segments.map((one) => [`/servers/{id}/${one}`, { get: rules }])),
      );
    assert.isUndefined(alerts('one', 'other'));
    assert.equal(alerts('one', 'monitor-alerts'), 'monitor-alerts');

    const path = (paths: Json): string | undefined => valueOf('operationPath', paths);
    assert.equal(path({}), '');
    assert.equal(path({ '/jobs/{id}': { get: withMembers('operation') } }), '/jobs/{operationId}');
    assert.isUndefined(path({ '/jobs/{id}': { get: {} } }));
    const byName = { '/state/{operationId}': { get: withMembers('operation') } };
    assert.equal(path(byName), '/state/{operationId}');
    assert.equal(path({ '/operations/{id}/steps/{step}': { get: withMembers('operation') } }), '');
    assert.equal(path({ '/operations/{id}': { get: {} } }), '/operations/{operationId}');
    assert.equal(path({ '/servers/{id}/cleanup': { get: withMembers('operation') } }), '');
    assert.equal(path({ '/operations/{id}': { get: withMembers('deployment') } }), '');
  });

  it('follows references within the document alone, as far as they lead somewhere', () => {
    const request = globalThis.fetch;
    globalThis.fetch = () => assert.fail('sends a request');
    try {
      const found = (schema: unknown, schemas: Json = {}): boolean =>
        valueOf(
          'segments.monitorAlerts',
          { '/servers/{id}/watch': { get: answer(schema) } },
          { components: { schemas } },
        ) === 'watch';
      const at = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
      const members = { properties: { rules: {}, workloads: {}, destinations: {}, providers: {} } };
      assert.isTrue(found(at('A'), { A: at('B'), B: members }));
      assert.isTrue(found(at('A'), { A: { allOf: [at('A'), members] } }), 'in itself');
      assert.isTrue(found(at('a~1b~0c%25'), { 'a/b~c%': members }));
      const chain = (length: number): Json =>
        Object.fromEntries<unknown>([
          ...Array.from({ length }, (_, index): [string, unknown] => [
            `S${index}`,
            at(`S${index + 1}`),
          ]),
          [`S${length}`, members],
        ]);
      assert.isTrue(found(at('S0'), chain(8)));
      assert.isFalse(found(at('S0'), chain(20)), 'far too many steps');
      for (const reference of [
        ...[
          '#/components/schemas/B',
          '#/components/schemas/A',
          '#',
          '',
          '#A',
          '#/__proto__/toString',
        ],
        ...['https://other.example/a.json#/A', 'other.json', 'file:///etc/passwd', '#/%E0%A4%A'],
        ...['#/components/schemas/A/allOf/0', '#/paths', `#/${'a/'.repeat(300)}`],
      ]) {
        assert.isFalse(found({ $ref: reference }, { A: { $ref: reference } }), reference);
      }
    } finally {
      globalThis.fetch = request;
    }
  });

  it('reads no other document', () => {
    for (const other of [
      ...[undefined, null, 1, '', [], {}, { openapi: 3.1, paths: {} }, { openapi: '3.1.0' }],
      ...[{ swagger: '2.0', paths: { '/logs/query': { post: {} } } }],
      ...[
        { openapi: '3.1.0', paths: [] },
        { openapi: '3.1.0', paths: { '/pets': { get: {} } } },
      ],
      { openapi: '3.1.0', paths: { '/logs/query': { get: {} }, '/logs/{id}': { post: {} } } },
      { openapi: '2.0.0', paths: { '/logs/query': { post: {} } } },
      // Nothing of the contract.
      { openapi: '3.1.0', paths: { '/identity': { get: withMembers('capabilities') } } },
    ]) {
      assert.isUndefined(readServerDescription(other), JSON.stringify(other));
    }
    assert.isDefined(factsOf({}));
    assert.deepEqual(factsOf({}, { info: { version: '<b>' } }), factsOf({}));
  });

  it('reads its own contract', () => {
    const facts = readServerDescription(contract);
    assert.equal(facts?.version, contract.info.version);
    const methods = Object.entries(contract.paths).flatMap(([path, of]) =>
      Object.values<{ 'x-name': string }>(of).map((one) => ({ path, id: one['x-name'] })),
    );
    for (const { path, id } of methods) {
      const found = facts?.operations[id as keyof ServerFacts['operations']];
      assert(isObject(found), id);
      assert.propertyVal(found, 'path', path);
    }
    assert.equal(facts?.operations.listOrphans, 'none');
  });

  it('survives any value anywhere, and any end', () => {
    const reference = fc.constantFrom(
      '#/paths',
      '#',
      '#/components/schemas',
      'https://a.example/x',
    );
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      reference.map(($ref) => ({ $ref })),
      fc.constantFrom('../..', '\u202e', '__proto__', 'x'.repeat(100_000), Array(1000).fill({})),
    );
    const edits = fc.array(fc.tuple(fc.nat(), value), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(server, edits, fc.nat(), (one, changes, length) => {
        const document = JSON.parse(JSON.stringify(descriptionOf(one))) as Json;
        for (const [seed, changed] of changes) {
          let at = document;
          for (let rest = seed; ; rest = Math.floor(rest / 7)) {
            const names = Object.keys(at);
            const name = names[rest % names.length];
            if (name === undefined) break;
            const below = at[name];
            if (rest > 6 && typeof below === 'object' && below !== null) at = below as Json;
            else {
              at[name] = changed;
              break;
            }
          }
        }
        const whole = JSON.stringify(document);
        assertChecked(readText(whole));
        assert.isUndefined(readText(whole.slice(0, length % whole.length)));
      }),
      { numRuns: 300 },
    );
  });

  it('reads 8 MiB, and stops for what is far larger than a description', () => {
    let lookUps = 0;
    const documentOf = (count: number, schema: unknown): Json => ({
      openapi: '3.1.0',
      paths: Object.fromEntries([
        ['/logs/query', { post: {} }],
        ...Array.from({ length: count }, (_, at) => [
          `/servers/{id}/a${at}`,
          { get: answer({ $ref: '#/components/schemas/A' }) },
        ]),
        ['/servers/{id}/watch', { get: rules }],
      ]),
      components: {
        schemas: {
          get A() {
            lookUps++;
            return schema;
          },
        },
      },
    });
    const long = { description: 'x'.repeat(7 * 1024 * 1024), properties: { capacity: {} } };
    const whole = JSON.stringify(documentOf(300, long));
    assert.isAbove(whole.length, 7 * 1024 * 1024);
    const facts = readText(whole);
    assert(facts);
    assert.equal(describedValue(facts, 'segments.monitorAlerts'), 'watch');
    assert.isUndefined(readText(JSON.stringify(documentOf(10_001, {}))), 'more paths');
    const wide = Object.fromEntries(Array.from({ length: 9000 }, (_, at) => [`m${at}`, {}]));
    assert.isUndefined(readText(JSON.stringify(documentOf(1000, { properties: wide }))));
    const deep = Array.from({ length: 64 }, () => ({ $ref: '#/components/schemas/A' }));
    lookUps = 0;
    assert.isUndefined(readServerDescription(documentOf(1000, { allOf: deep, anyOf: deep })));
    // All of it happens at once, so there must not be more of it.
    assert.isAtMost(lookUps, 10_000);
  });
});
