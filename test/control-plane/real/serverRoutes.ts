import type { Row } from './estate';
import { found, type Route } from './routes';
import * as schemas from './schemas';
import type { State } from './state';

const { uuid, text, flag, list, oneOf, object, count, orNull, time } = schemas;

/** The endpoints below a server. */
export function serverRoutes(state: State): readonly Route[] {
  const { estate, deployments, cleanUps, rules, times, random } = state;
  const serverOf = (id: unknown): Row => found(estate.serverRows.values(), id, 'Server');
  const isHealthy = (row: Row): boolean => row['healthStatus'] === 'healthy';

  return [
    {
      method: 'GET',
      path: '/servers',
      permission: 'server.read',
      summary: 'List servers',
      query: {
        optional: {
          q: schemas.textOf(0, 200),
          view: oneOf('all', 'attention'),
          setup: oneOf('ready', 'pending', 'preparing', 'failed'),
          health: oneOf('healthy', 'unhealthy', 'unknown'),
          watch: oneOf('enabled', 'disabled'),
        },
      },
      answer: {
        servers: list(schemas.server),
        counts: object({ all: count, attention: count }),
      },
      handle({ parameters: { q = '', view, setup, health } }) {
        const all = [...estate.serverRows.values()];
        const isAsked = (row: Row): boolean =>
          String(row['name']).includes(String(q)) &&
          (view !== 'attention' || !isHealthy(row)) &&
          (setup ?? row['setupStatus']) === row['setupStatus'] &&
          (health ?? row['healthStatus']) === row['healthStatus'];
        const attention = all.filter((row) => !isHealthy(row)).length;
        return { servers: all.filter(isAsked), counts: { all: all.length, attention } };
      },
    },
    {
      method: 'GET',
      path: '/servers/{serverId}',
      permission: 'server.read',
      summary: 'Get a server',
      answer: { server: schemas.server },
      handle: ({ parameters }) => ({ server: serverOf(parameters['serverId']) }),
    },
    {
      method: 'GET',
      path: '/servers/{serverId}/apps',
      permission: 'server.read',
      summary: 'List the apps of a server',
      answer: { apps: list(schemas.deployable(schemas.appKinds)) },
      handle({ parameters }) {
        const { id } = serverOf(parameters['serverId']);
        return { apps: state.rowsOf(estate.apps.filter(({ server }) => server.id === id)) };
      },
    },
    {
      method: 'GET',
      path: '/servers/{serverId}/deployments',
      permission: 'server.read',
      summary: 'List the deployments of a server',
      answer: { deployments: list(schemas.deployment) },
      handle({ parameters }) {
        const { id } = serverOf(parameters['serverId']);
        const all = deployments.all() as { serverId: string }[];
        return { deployments: all.filter(({ serverId }) => serverId === id) };
      },
    },
    {
      method: 'GET',
      path: '/servers/{serverId}/orphans',
      permission: 'server.read',
      summary: 'List the orphans that the last check of a server found',
      answer: { orphans: list(schemas.orphan) },
      handle: ({ parameters }) => ({
        orphans: cleanUps.orphans(serverOf(parameters['serverId']).id),
      }),
    },
    {
      method: 'POST',
      path: '/servers/{serverId}/actions/check',
      permission: 'server.update',
      summary: 'Check a server',
      status: 202,
      answer: { check: object({ id: uuid, serverId: uuid, state: text, createdAt: time }) },
      handle: ({ parameters }) => ({
        check: {
          ...{ id: random.uuid(), serverId: serverOf(parameters['serverId']).id, state: 'queued' },
          createdAt: new Date(times.now()).toISOString(),
        },
      }),
    },
    {
      method: 'POST',
      path: '/servers/{serverId}/actions/cleanup-orphans',
      contractId: 'post_servers_cleanup_orphans',
      permission: 'server.remove',
      summary: 'Clean up orphans of a server',
      body: object({ items: list(schemas.orphanItem, { minItems: 1, maxItems: 100 }) }),
      isIdempotent: true,
      status: (answer) => ('replayed' in answer && answer.replayed === true ? 200 : 202),
      answer: { operation: schemas.operation, replayed: flag },
      handle({ key, parameters, body }) {
        const { id } = serverOf(parameters['serverId']);
        const { items } = body as { items: { kind: string; name: string }[] };
        return cleanUps.request(key, id, String(parameters['Idempotency-Key']), items);
      },
    },
    {
      method: 'GET',
      // A segment of its own, which no client can know.
      path: '/servers/{serverId}/watch-alerts',
      contractId: 'get_servers_monitor_alerts',
      permission: 'alert.read',
      summary: 'List the alert rules of a server',
      query: { optional: { deployableId: { anyOf: [uuid, { const: 'server', type: 'string' }] } } },
      answer: {
        rules: list(schemas.alertRule, { maxItems: 100 }),
        workloads: list(schemas.alertWorkload, { maxItems: 512 }),
        destinations: list(schemas.alertDestination),
        providers: object(Object.fromEntries(schemas.chatProviders.map((one) => [one, flag]))),
        canManage: flag,
      },
      handle({ key, parameters: { serverId, deployableId } }) {
        const { id } = serverOf(serverId);
        const wanted = deployableId === 'server' ? null : deployableId;
        const own = estate.deployables.filter(({ server }) => server.id === id);
        return {
          rules: rules.filter(
            (one) =>
              one['serverId'] === id &&
              (wanted === undefined || one['deployableId'] === (wanted ?? null)),
          ),
          workloads: own
            .map(({ id, name, kind, environment }) => ({
              id,
              name,
              kind,
              sourceId: environment.source.id,
            }))
            .sort((a, b) => (a.name < b.name ? -1 : 1)),
          destinations: [
            {
              ...{ id: 'ops', provider: 'slack', categories: ['watch', 'health'] },
              ...{ enabled: true, source: 'environment' },
            },
          ],
          providers: { slack: true, smtp: false, discord: false, telegram: false, webhook: true },
          canManage: key.permissions.has('alert.configure'),
        };
      },
    },
    {
      method: 'GET',
      path: '/servers/{serverId}/watch-alerts/incidents',
      permission: 'alert.read',
      summary: 'List the incidents of a server',
      query: { optional: { state: text, ruleId: uuid, deployableId: uuid } },
      answer: { incidents: list({ type: 'object' }), nextBefore: orNull(time) },
      handle({ parameters }) {
        serverOf(parameters['serverId']);
        return { incidents: [], nextBefore: null };
      },
    },
  ];
}
