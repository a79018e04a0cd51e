import { assert } from 'chai';
import * as fc from 'fast-check';
import type { Lenient } from '../../../src/api/generated/shapes';
import { alertChanges, changeText, firingCount } from '../../../src/trees/alerts/alertWatch';
import { discover } from '../../../src/data/discovery/discovery';
import { integrationNodes } from '../../../src/trees/integrations/integrationNodes';
import { serverNodes } from '../../../src/trees/servers/serverNodes';
import { sourceNodes } from '../../../src/trees/sources/sourceNodes';
import type { TreeNode } from '../../../src/trees/nodes';
import { TreeRows } from '../../../src/trees/treeRows';
import { covers } from '../covers';
import { anyText } from '../logs/anyText';
import { wireClient } from '../logs/wireClient';
import { shortOrLong } from '../long';
import { logAnswer, logRecord } from '../data/fakeClient';
import { anyAnswer, assertWhole, assertWholeText } from './anyAnswer';
import { gives, read, scene, uuid } from './treeText';

/** Names from answers, so that garbage is often where data is expected. */
const names =
  `resources deployments rules workloads destinations providers bindings environments keys
  repositories integrations id name kind state environment runtimeState config condition http httpCheck
  domains primary jobs schedule cron driftReasons missingKeys inheritedKeys inheritedOrigins
  affectedDeployables observedState healthStatus createdAt startedAt finishedAt commitSha gitRef
  evaluationState enabled severity category provider nextPage webUrl localization timeZone dateFormat
  __proto__ constructor toString`.split(/\s+/);

const scalar = fc.oneof(
  anyText(20),
  fc.constantFrom('running', 'firing', 'production', 'constructor', '__proto__', uuid(1)),
  fc.constantFrom('2026-11-20T12:00:00Z', '2026-11-20T12:00:00.000Z', '9999-99-99T99:99:99Z'),
  fc.double(),
  fc.constantFrom(null, true, false, 0, -1, 1e308, 2 ** 53),
);

const { value: garbage } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 5 }, scalar, tie('object'), fc.array(tie('value'), { maxLength: 4 })),
  object: fc
    .array(fc.tuple(fc.oneof(fc.constantFrom(...names), anyText(5)), tie('value')), {
      maxLength: 8,
    })
    .map((entries) => Object.fromEntries(entries) as object),
}));

const record = fc
  .array(fc.tuple(fc.constantFrom(...names), garbage), { maxLength: 12 })
  .map((entries) => Object.fromEntries(entries) as object);
const list = fc.oneof(garbage, fc.array(record, { maxLength: 4 }));
const listing = fc
  .array(fc.tuple(fc.constantFrom(...names.slice(0, 10)), list), { maxLength: 8 })
  .map((entries) => Object.fromEntries(entries) as object);

/** Reads every row as an editor does: ids, details, order. */
function lookAt(nodes: readonly TreeNode[], ids: Set<string>): void {
  for (const node of nodes) {
    assert.isFalse(ids.has(node.id), `twice: ${node.id}`);
    ids.add(node.id);
    assert.isString(node.label);
    assert.isString(node.status.words);
    for (const { label, value } of node.details()) assert.isString(label + value);
    node.time();
    lookAt(node.children(), ids);
  }
}

describe('Garbage from a server', () => {
  it(`makes trees with unique ids, without an error ${covers('F59', 'unit')}`, async () => {
    const answer = <Name extends keyof Lenient>(name: Name, json: object) =>
      Promise.resolve(read(name, json));
    const sources = [{ id: uuid(1) }];
    await fc.assert(
      fc.asyncProperty(listing, listing, listing, async (one, two, three) => {
        const { clock, context, load, store } = scene(
          {
            listResources: () => answer('ResourceListing', one),
            listSecrets: () => answer('SecretListing', two),
            listDeployments: () => answer('DeploymentListing', three),
            listAlertRules: () => answer('AlertListing', one),
            listRepositories: () => answer('RepositoryListing', two),
            listIntegrations: () => answer('IntegrationListing', three),
          },
          { sources, servers: sources },
        );
        const view = new TreeRows(
          () => sourceNodes(context),
          () => ({ filter: { text: 'r', states: [] }, sorting: 'lastDeployment' }),
          clock,
        );
        await load({ kind: 'resources', id: uuid(1) });
        const ids = store.read('resources', uuid(1)).value?.resources?.map(({ id }) => id) ?? [];
        await load(
          { kind: 'secrets', id: uuid(1) },
          { kind: 'alerts', id: uuid(1) },
          { kind: 'repositories', id: '' },
          { kind: 'integrations', id: '' },
          ...ids.map((id) => ({ kind: 'deployments', id: id ?? '' }) as const),
        );
        for (const build of [sourceNodes, serverNodes, integrationNodes]) {
          lookAt(build(context), new Set());
        }
        const draw = (id?: string): void => view.children(id).forEach(draw);
        draw();
        view.update();
        view.states();
        firingCount(store, sources);
        alertChanges(uuid(1), read('AlertListing', two), read('AlertListing', one));
      }),
      { numRuns: shortOrLong(25, 300) },
    );
  });

  it('makes whole texts of numbers, times and texts of all kinds', async () => {
    const one = { id: uuid(1) };
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          listResources: anyAnswer('ResourceListing'),
          listSecrets: anyAnswer('SecretListing'),
          listDeployments: anyAnswer('DeploymentListing'),
          listAlertRules: anyAnswer('AlertListing'),
          listRepositories: anyAnswer('RepositoryListing'),
          listIntegrations: anyAnswer('IntegrationListing'),
        }),
        async (answers) => {
          const { context, load, store } = scene(
            {
              listResources: gives('ResourceListing', answers.listResources),
              listSecrets: gives('SecretListing', answers.listSecrets),
              listDeployments: gives('DeploymentListing', answers.listDeployments),
              listAlertRules: gives('AlertListing', answers.listAlertRules),
              listRepositories: gives('RepositoryListing', answers.listRepositories),
              listIntegrations: gives('IntegrationListing', answers.listIntegrations),
            },
            {
              ...{ sources: [one], servers: [one] },
              checkedOut: { sourceId: uuid(1), branches: ['web', 'refs/heads/'] },
            },
          );
          await load({ kind: 'resources', id: uuid(1) });
          const resources = store.read('resources', uuid(1)).value?.resources ?? [];
          await load(
            { kind: 'secrets', id: uuid(1) },
            { kind: 'alerts', id: uuid(1) },
            { kind: 'repositories', id: '' },
            { kind: 'integrations', id: '' },
            ...resources.map(({ id = '' }) => ({ kind: 'deployments', id }) as const),
          );
          for (const build of [sourceNodes, serverNodes, integrationNodes]) {
            assertWhole(build(context));
          }
          const after = read('AlertListing', answers.listAlertRules);
          for (const change of alertChanges(uuid(1), { rules: [] }, after)) {
            assertWholeText(changeText(change, context));
            assertWholeText(changeText({ ...change, wasFiring: true }, context));
          }
        },
      ),
      { numRuns: shortOrLong(100, 3000) },
    );
  });

  it('ends a discovery without an error', async () => {
    const { signal } = new AbortController();
    await fc.assert(
      fc.asyncProperty(listing, listing, async (one, two) => {
        const found = await discover(
          {
            ...wireClient({
              queryLogs: () => Promise.resolve(logAnswer([logRecord({ serverId: uuid(1) })])),
            }),
            listAlertRules: gives('AlertListing', one),
            listResources: gives('ResourceListing', two),
            listDeployments: gives('DeploymentListing', one),
          },
          { sources: [{ id: uuid(1) }], servers: [] },
          signal,
        );
        assert.isAtLeast(found.servers.length, 1);
      }),
      { numRuns: shortOrLong(25, 300) },
    );
  });
});
