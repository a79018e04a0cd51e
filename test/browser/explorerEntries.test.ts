import { assert } from 'chai';
import type { Locator } from 'playwright-core';
import type { AlertRule, Deployment, LogRecord } from '../../src/api/types';
import { clickLink, runCommand } from '../host/workbench';
import { explorerPage, searches, type SearchBody } from './explorerPage';
import { chooseOfRow, ways, type Way } from './rowMenu';
import { connect, eventually, keyOf, picture, type Scene } from './scene';
import { openTrees } from './trees';

const minute = 60_000;
const soldOut = Array.from({ length: 20 }, (_, item) => `no stock of item ${item}`);

describe('the ways into the Log Explorer', () => {
  let scene: Scene;
  let deployments: readonly Deployment[];
  before(async () => {
    scene = await openTrees(() => ({}), { historyRecords: 2000 });
    await connect(scene);
    ({ deployments = [] } = await get<{ deployments?: Deployment[] }>(
      `/resources/${workload('web-api').id}/deployments`,
    ));
    scene.controlPlane.admin.emit([
      ...errorsOf(deployments[1]!, ['the lease 5 has expired', 'no stock of item 1']),
      ...errorsOf(deployments[0]!, [...soldOut, 'no <b>price</b>']),
    ]);
  });
  after(() => scene.close());
  afterEach(() => runCommand(scene.page, 'View: Close All Editors'));

  const workload = (name: string): Scene['controlPlane']['world']['workloads'][number] =>
    scene.controlPlane.world.workloads.find((one) => one.name === name)!;
  const labelOf = ({ commitSha = '' }: Deployment): string => commitSha.slice(0, 7);
  const pathOf = (deployment: Deployment): readonly string[] => [
    ...['shop-web', 'production', 'web-api'],
    labelOf(deployment),
  ];
  const bar = (): Locator => explorerPage(scene).getByRole('combobox', { name: 'Query' });
  const logRow = (text: string | RegExp): Locator =>
    explorerPage(scene).getByRole('row').filter({ hasText: text });

  async function get<T>(path: string): Promise<T> {
    const headers = { authorization: `Bearer ${keyOf(scene, 'demo-full')}` };
    const response = await fetch(`${scene.controlPlane.url}/v1/api${path}`, { headers });
    return (await response.json()) as T;
  }

  /** Errors that a deployment has logged a minute after it came. */
  function errorsOf(
    { id = '', createdAt = '' }: Deployment,
    bodies: readonly string[],
  ): Partial<LogRecord>[] {
    const timestamp = new Date(Date.parse(createdAt) + minute).toISOString();
    const given = { workloadName: 'web-api', deploymentId: id, timestamp };
    return bodies.map((body) => ({ ...given, severity: 'error', body }));
  }

  /** Does something, and answers with what the control plane is asked for then. */
  async function asked(action: () => Promise<unknown>, count = 1): Promise<readonly SearchBody[]> {
    const before = searches(scene).length;
    await action();
    return eventually(
      () => Promise.resolve(searches(scene).slice(before)),
      (bodies) => bodies.length >= count,
      'what was searched for',
    );
  }

  /** What the explorer searches for, with this in its bar then. */
  async function searchedFor(
    query: RegExp,
    action: () => Promise<unknown>,
  ): Promise<SearchBody['filters']> {
    const [body] = await asked(action);
    await explorerPage(scene).locator('.summary').filter({ hasText: /\d/ }).waitFor();
    await eventually(
      () => bar().inputValue(),
      (text) => query.test(text),
      'the query in the bar',
    );
    return body!.filters;
  }

  /** Opens the link to the errors of a deployment, which stands in this line of the text. */
  async function openLink(way: Way, line: number, { id = '' }: Deployment): Promise<void> {
    const { page } = scene;
    const text = `deployment:${id}`;
    const lines = page.locator('.editor-instance .view-line', { hasText: text });
    if (way === 'mouse') return clickLink(lines);
    await lines.locator('.detected-link').first().waitFor();
    for (let down = 1; down < line; down++) await page.keyboard.press('ArrowDown');
    for (let right = 0; right < 5; right++) await page.keyboard.press('ArrowRight');
    await runCommand(page, 'Open Link');
  }

  for (const way of ways) {
    it(`a server: its logs, by ${way}`, async () => {
      const filters = await searchedFor(/^server:fra-app-1$/, () =>
        chooseOfRow(scene.page, 'Servers', ['fra-app-1'], 'Search Logs', way),
      );
      assert.deepEqual(filters['serverIds'], [workload('web-api').server.id]);
    });

    it(`an app: its logs, by ${way}`, async () => {
      const path = ['shop-web', 'production', 'storefront'];
      const filters = await searchedFor(/^workload:storefront/, () =>
        chooseOfRow(scene.page, 'Sources', path, 'Search Logs', way),
      );
      assert.deepEqual(filters['workloadIds'], [workload('storefront').id]);
    });

    it(`a deployment: the logs since then, by ${way}`, async () => {
      const [, earlier] = deployments;
      const filters = await searchedFor(/^workload:web-api env:production from:/, () =>
        chooseOfRow(scene.page, 'Sources', pathOf(earlier!), 'Logs since This Deployment', way),
      );
      assert.deepEqual(filters['workloadIds'], [workload('web-api').id]);
      assert.deepEqual(filters['environments'], ['production']);
      assert.equal(Date.parse(String(filters['from'])), Date.parse(earlier?.createdAt ?? ''));
      assert.isAtLeast(Date.parse(String(filters['to'])), Date.now() - minute, 'it is still open');
      await logRow(/no stock of item 2/).waitFor();
    });

    it(`a deployment against the one before it: the errors of both, by ${way}`, async () => {
      const { page } = scene;
      const [current, previous] = deployments;
      const bodies = await asked(
        () =>
          chooseOfRow(page, 'Sources', pathOf(current!), 'Errors: This against the Previous', way),
        2,
      );
      assert.deepEqual(
        bodies.map(({ filters }) => [filters['deploymentIds'], filters['severities']]),
        [current, previous].map((one) => [[one?.id], ['error', 'fatal']]),
      );
      const [ofCurrent, ofPrevious] = bodies.map(({ filters }) => filters);
      assert.equal(ofPrevious?.['to'], ofCurrent?.['from'], 'one begins where the other ends');
      await page.locator('.tab.active', { hasText: `Errors ${labelOf(current!)}` }).waitFor();
      const shown = await eventually(
        async () => (await page.locator('.editor-instance .view-line').allInnerTexts()).join('\n'),
        (text) => text.includes('Gone'),
        'the comparison',
      );
      const lines = shown.replaceAll('\u00a0', ' ').split('\n');
      const [now, before] = [labelOf(current!), labelOf(previous!)];
      assert.include(lines, `Errors of web-api: deployment ${now}, against ${before} before it`);
      assert.isTrue(
        lines.some((line) => line.startsWith(`${before}: 2 errors, `)),
        shown,
      );
      for (const part of ['New (', '  1×  no <b>price</b>', 'Gone (1)', 'More often (1)']) {
        assert.isTrue(
          lines.some((line) => line.startsWith(part)),
          `${part}:\n${shown}`,
        );
      }
      if (way === 'mouse') await picture(scene, 'compare-deployments');
      // The line below that of a deployment searches for its errors.
      const filters = await searchedFor(/^severity:error,fatal deployment:/, () =>
        openLink(way, 4, current!),
      );
      assert.deepEqual(filters['deploymentIds'], [current?.id]);
    });

    it(`an alert rule: what it looked at, by ${way}`, async () => {
      const { id: serverId, name } = workload('web-api').server;
      const { rules = [] } = await get<{ rules?: AlertRule[] }>(
        `/servers/${serverId}/monitor-alerts`,
      );
      const label = 'web-api: errorRatePercent above 2';
      const rule = rules.find((one) => one.name === label);
      const filters = await searchedFor(/^workload:web-api server:fra-app-1 from:\S+ to:\S+$/, () =>
        chooseOfRow(scene.page, 'Servers', [name, 'Alert Rules', label], 'Show Logs', way),
      );
      assert.deepEqual(filters['serverIds'], [serverId]);
      assert.deepEqual(filters['workloadIds'], [workload('web-api').id]);
      const [from, to] = [filters['from'], filters['to']].map((time) => Date.parse(String(time)));
      assert.equal(to, Date.parse(rule?.evaluatedAt ?? ''));
      assert.equal(to! - from!, 5 * minute);
    });
  }
});
