import type { AlertListing, AlertRule } from '../../src/api/types';
import type { Random } from './random';
import type { World } from './world';

/** Workload, metric, operator, threshold, observed value, state, severity. */
const metrics = [
  ['web-api', 'cpuPercent', 'above', 80, 41.7, 'ok', 'warning'],
  ['web-api', 'errorRatePercent', 'above', 2, 6.4, 'firing', 'critical'],
  ['storefront', 'memoryPercent', 'above', 90, 62, 'ok', 'warning'],
  ['payments', 'latencyP95Milliseconds', 'above', 800, 1240, 'firing', 'critical'],
  ['inventory', 'restartCount', 'above', 3, 0, 'ok', 'warning'],
  ['search', 'diskPercent', 'above', 85, 84.9, 'pending', 'warning'],
  ['recommender', 'cpuPercent', 'above', 95, null, 'no_data', 'info'],
] as const;

/** Workload, path, state, status, latency, reason. */
const checks = [
  ['storefront', '/', 'ok', 200, 84, ''],
  ['web-api', '/healthz', 'ok', 200, 12, ''],
  ['recommender', '/healthz', 'firing', 503, 5003, 'status 503, wanted 200 to 299'],
] as const;

const categories = [['health', 'deployment'], ['health'], ['backup', 'security']];

export class Alerts {
  private readonly rules: readonly AlertRule[];
  private readonly destinations: NonNullable<AlertListing['destinations']>;

  constructor(
    private readonly world: World,
    random: Random,
  ) {
    this.rules = rulesOf(world, random);
    this.destinations = (['chat-a', 'smtp', 'webhook'] as const).map((provider, index) => ({
      id: random.uuid(),
      provider,
      categories: categories[index]!,
      enabled: provider !== 'webhook',
      source: 'environment',
    }));
  }

  list(serverId: string, deployableId: string | undefined): AlertListing {
    return {
      rules: this.rules.filter(
        (one) =>
          one.serverId === serverId &&
          (deployableId === undefined || one.deployableId === deployableId),
      ),
      workloads: this.world.workloads
        .filter(({ server }) => server.id === serverId)
        .map(({ id, name, source, kind }) => ({ id, name, sourceId: source.id, kind })),
      destinations: this.destinations,
      providers: { 'chat-a': true, 'chat-b': false, smtp: true, 'chat-c': false, webhook: true },
    };
  }

  find(id: string): AlertRule | undefined {
    return this.rules.find((one) => one.id === id);
  }
}

function rulesOf(world: World, random: Random): AlertRule[] {
  const ago = (seconds: number): string => new Date(world.startedAt - seconds * 1000).toISOString();

  function rule(name: string, given: AlertRule): AlertRule {
    const workload = world.workloads.find((one) => one.name === name)!;
    return {
      id: random.uuid(),
      workspaceId: world.workspaceId,
      serverId: workload.server.id,
      deployableId: workload.id,
      enabled: true,
      environment: 'production',
      evaluatedAt: ago(random.int(60)),
      createdAt: ago(86_400 * (30 + random.int(100))),
      updatedAt: ago(86_400 * random.int(30)),
      ...given,
    };
  }

  return [
    ...metrics.map(([name, metric, operator, threshold, observed, state, severity]) =>
      rule(name, {
        name: `${name}: ${metric} ${operator} ${threshold}`,
        severity,
        evaluationState: state,
        ...(observed === null ? {} : { observedValue: observed }),
        condition: { metric, operator, threshold, windowSeconds: 300, aggregation: 'average' },
      }),
    ),
    ...checks.map(([name, path, state, status, latency, reason]) => {
      const http = {
        url: `https://${name}.shop.example${path}`,
        method: 'GET',
        intervalSeconds: 30,
        timeoutSeconds: 5,
        expectedStatusMin: 200,
        expectedStatusMax: 299,
        maxRedirects: 3,
      };
      const result = rule(name, {
        name: `${name}: GET ${path}`,
        severity: 'critical',
        evaluationState: state,
        condition: { http },
      });
      return {
        ...result,
        httpCheck: {
          rule_id: result.id ?? '',
          checked_at: result.evaluatedAt ?? '',
          state,
          status_code: status,
          latency_ms: latency,
          reason,
        },
      };
    }),
  ];
}
