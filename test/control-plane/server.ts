import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import fastify, { type FastifyInstance } from 'fastify';
import type { Admin, Context, ControlPlaneOptions, ReceivedRequest } from './context';
import { createAdmin } from './admin';
import { createAlerts } from './alerts';
import { createRepositories, createSecrets, integrations } from './catalogue';
import { createCursors } from './cursors';
import { createDeployments } from './deployments';
import { errorBody, Failure } from './failure';
import { createFaults } from './faults';
import { createGenerator } from './generator';
import { createIngest } from './ingest';
import { createJournal } from './journal';
import { createKeys } from './keys';
import { createLive } from './live';
import { createOperations } from './operations';
import { createRandom } from './random';
import { createRecordStore } from './records';
import { createResources } from './resources';
import { registerActions } from './routes/actions';
import { registerAdmin } from './routes/admin';
import { registerApi } from './routes/api';
import { registerLogs } from './routes/logs';
import { registerWorkspace } from './routes/workspace';
import { demoFolder } from './stackTraces';
import { createWorld, type World } from './world';

export type { Admin, ControlPlaneOptions, ReceivedRequest } from './context';
export type { Fault } from './faults';
export type { World } from './world';

/** A control plane that runs on loopback, in this process. */
export interface ControlPlane {
  /** Without a path: the API is below `/v1/api`. */
  readonly url: string;
  /** The API keys by name: `demo-full`, `demo-readonly`, `demo-logs`, `demo-none` and others. */
  readonly keys: Readonly<Record<string, string>>;
  /** The folder with the source files that the stack traces of the logs name. */
  readonly demoFolder: string;
  readonly world: World;
  readonly admin: Admin;
  /** Ends every connection and stops. */
  close(): Promise<void>;
}

const day = 24 * 60 * 60 * 1000;

/** Every refusal becomes the error object of the API; what the HTTP library refuses, too. */
function answerFailures(app: FastifyInstance): void {
  app.setErrorHandler<Error & { statusCode?: number; code?: string }>((error, request, reply) => {
    const status = error.statusCode ?? 500;
    const failure =
      error instanceof Failure
        ? error
        : status === 413
          ? new Failure(413, 'The body is too large.')
          : new Failure(status < 500 ? 400 : 500, error.message);
    return reply
      .status(failure.status)
      .headers(failure.status === 429 ? { 'retry-after': '1' } : {})
      .send(errorBody(request, failure.code, failure.message));
  });
}

/** Starts a control plane that keeps to the API strictly; see the options for what can be set. */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const { now = Date.now, ingest = [], seed = 1 } = options;
  const random = createRandom(seed);
  const world = createWorld(random.fork('world'), now());
  const store = createRecordStore(options.maxRecords ?? 1_000_000);
  const generator = createGenerator(world, random.fork('logs'));
  const history = options.historyRecords ?? (ingest.length > 0 ? 0 : 20_000);
  store.append(generator.make(history, world.startedAt - day, world.startedAt));

  const stepSeconds = options.operationSeconds ?? 4;
  const ids = random.fork('requests');
  const app = fastify({
    bodyLimit: 262_144,
    forceCloseConnections: true,
    genReqId: () => `req_${ids.hex(12)}`,
    routerOptions: { maxParamLength: 300 },
  });
  const parts = {
    now,
    world,
    store,
    generator,
    streamSeconds: options.streamSeconds ?? 300,
    heartbeatSeconds: options.heartbeatSeconds ?? 15,
    resources: createResources(world, random.fork('resources')),
    deployments: createDeployments(world, random.fork('deployments'), { now, stepSeconds }),
    alerts: createAlerts(world, random.fork('alerts')),
    secrets: createSecrets(world, random.fork('secrets')),
    repositories: createRepositories(random.fork('repositories')),
    integrations,
    operations: createOperations(random.fork('operations'), { now, seconds: stepSeconds }),
    newId: () => ids.uuid(),
    keys: createKeys(random.fork('keys')),
    cursors: createCursors(random.fork('cursors').hex(32), {
      exactRange: options.requiresExactRange ?? true,
    }),
    faults: createFaults(),
    journal: createJournal(),
  };

  /** The HTTP server goes away and comes back; everything else stays as it is. */
  async function restart(downMs: number): Promise<void> {
    const { port } = app.server.address() as AddressInfo;
    const closed = new Promise<void>((resolve) => app.server.close(() => resolve()));
    app.server.closeAllConnections();
    await closed;
    await delay(downMs);
    await new Promise<void>((resolve) => app.server.listen(port, '127.0.0.1', resolve));
  }

  const live = createLive(random.fork('live'), (count) => admin.emit(count));
  const admin: Admin = createAdmin({ ...parts, setRate: (rate) => live.setRate(rate), restart });
  const context: Context = { ...parts, admin };

  app.decorateRequest('key', undefined);
  app.decorateRequest('fault', undefined);
  app.decorateRequest('received', undefined);
  answerFailures(app);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({ 'x-request-id': request.id, date: new Date(now()).toUTCString() });
    if (request.url.startsWith('/_admin')) {
      done();
      return;
    }
    const received: ReceivedRequest = {
      at: now(),
      method: request.method,
      url: request.url,
      headers: { ...request.headers },
      key: undefined,
      body: undefined,
      status: undefined,
      isOver: false,
    };
    reply.raw.once('close', () => {
      received.isOver = true;
    });
    request.received = received;
    parts.journal.received(received);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    if (request.received) request.received.status = reply.statusCode;
    done();
  });
  await app.register(
    async (api) => {
      await registerApi(api, context);
      registerLogs(api, context);
      registerWorkspace(api, context);
      registerActions(api, context);
    },
    { prefix: '/v1/api' },
  );
  await app.register(
    (scope, _options, done) => {
      registerAdmin(scope, admin);
      done();
    },
    { prefix: '/_admin' },
  );

  const url = await app.listen({ port: options.port ?? 0, host: '127.0.0.1' });
  const ingestion =
    ingest.length > 0
      ? createIngest(ingest, random.fork('ingest'), (record) => admin.emit([record]))
      : undefined;
  try {
    // Twice, since the last entry of a file is held back until nothing more comes.
    await ingestion?.poll();
    await ingestion?.poll();
  } catch (error) {
    await ingestion?.stop();
    await app.close();
    throw error;
  }
  if (options.live ?? ingest.length === 0) live.setRate(options.logsPerSecond ?? 8);
  return {
    url,
    keys: parts.keys.values(),
    demoFolder,
    world,
    admin,
    async close() {
      live.stop();
      await ingestion?.stop();
      await app.close();
    },
  };
}
