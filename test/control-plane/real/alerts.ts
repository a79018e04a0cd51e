import { day } from '../../../src/base/clock';
import type { Random } from '../random';
import type { World } from '../world';
import type { Estate, Row } from './estate';

/** Workload or null for the server, metric, operator, threshold, observed value, state, severity. */
const metrics = [
  [null, 'diskPercent', 'above', 90, 93.4, 'firing', 'critical'],
  [null, 'memoryPercent', 'above', 95, 61, 'healthy', 'warning'],
  ['web-api', 'cpuPercent', 'above', 80, 41.7, 'healthy', 'warning'],
  ['storefront', 'memoryPercent', 'above', 90, 62, 'healthy', 'warning'],
  ['payments', 'restarts', 'above', 3, 7, 'firing', 'critical'],
  ['inventory', 'missingReports', 'above', 2, null, 'unknown', 'warning'],
] as const;

/** Workload, path, state of the check and of the rule, status, latency, reason. */
const checks = [
  ['storefront', '/', 'healthy', 'healthy', 200, 84, null],
  ['web-api', '/healthz', 'healthy', 'healthy', 200, 12, null],
  ['recommender', '/healthz', 'failed', 'firing', 503, 5003, 'status 503, wanted 200 to 299'],
  ['search', '/healthz', 'blocked', 'unknown', null, null, 'The address is private.'],
] as const;

/** The time as PostgreSQL prints it. */
function databaseTime(time: string): string {
  return time.replace('T', ' ').replace('Z', '+00');
}

/** The alert rules of the servers, newest first. */
export function createRules(world: World, estate: Estate, random: Random): readonly Row[] {
  const ago = (ms: number): string => new Date(world.startedAt - ms).toISOString();
  const appNamed = (name: string) =>
    estate.apps.find((one) => one.name === name && one.environment.name === 'production')!;

  function rule(name: string | null, given: object): Row {
    const app = name === null ? undefined : appNamed(name);
    return {
      id: random.uuid(),
      workspaceId: world.workspaceId,
      serverId: (app?.server ?? world.servers[0]!).id,
      deployableId: app?.id ?? null,
      enabled: true,
      environment: 'production',
      evaluatedAt: ago(1000 * random.int(60)),
      createdAt: ago((30 + random.int(100)) * day),
      updatedAt: ago(random.int(30) * day),
      deletedAt: null,
      httpCheck: null,
      observedValue: null,
      ...given,
    };
  }

  const ofMetrics = metrics.map(([name, metric, operator, threshold, observed, state, severity]) =>
    rule(name, {
      name: `${name ?? 'Server'}: ${metric} ${operator} ${threshold}`,
      severity,
      evaluationState: state,
      observedValue: observed,
      condition: { metric, operator, threshold, windowSeconds: 300, aggregation: 'average' },
    }),
  );
  const ofChecks = checks.map(([name, path, checkState, state, status, latency, reason]) => {
    const http = {
      ...{ url: `https://${name}.shop.example${path}`, method: 'GET' },
      ...{ intervalSeconds: 30, timeoutSeconds: 5, maxRedirects: 3 },
      ...{ expectedStatusMin: 200, expectedStatusMax: 299 },
    };
    const whole = rule(name, {
      name: `${name}: GET ${path}`,
      severity: 'critical',
      evaluationState: state,
      condition: {
        ...{ metric: 'httpAvailability', operator: 'below', threshold: 1 },
        ...{ windowSeconds: 60, aggregation: 'average', http },
      },
    });
    const httpCheck = {
      rule_id: whole.id,
      ...{ state: checkState, status_code: status, latency_ms: latency, reason },
      checked_at: databaseTime(String(whole['evaluatedAt'])),
    };
    return { ...whole, httpCheck };
  });
  const created = (one: Row): string => String(one['createdAt']);
  return [...ofMetrics, ...ofChecks].sort((a, b) => (created(a) < created(b) ? 1 : -1));
}
