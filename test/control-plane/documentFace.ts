import { keyOf, reported, single } from './admission';
import { checkedBody, checkedParameters, findOperation } from './contract';
import type { Face, FaceKind } from './face';
import { errorObject, Failure } from './failure';
import { permissions } from './keys';
import { createLimiter } from './limiter';
import { localizationOf } from './localization';
import { createWorkspace, type Workspace } from './workspace';
import { goesOn, workspaceHandlers } from './workspaceApi';

const maxBody = 262_144;

/** The control plane of the API document, and of nothing else. */
export const documentFace: FaceKind = {
  permissions,

  create(parts, { random, stepSeconds }): Face {
    const { clock, world, journal, unkind } = parts;
    const waitOf = createLimiter(clock, unkind);
    const ids = random.fork('requests');
    let made: Workspace | undefined;
    // On first use: most tests need only logs.
    const workspace = (): Workspace =>
      (made ??= createWorkspace(world, random, { now: () => clock.now(), stepSeconds }));
    const handlers = workspaceHandlers(parts, workspace, () => ids.uuid());

    return {
      answersPages: false,
      requestIdOf: () => `req_${ids.hex(12)}`,
      headersOf: () => ({}),
      failed: ({ code, message }, requestId) => errorObject(requestId, code, message),

      admit(request, received) {
        const { method, url, headers, body: text, signal } = request;
        const key = keyOf(parts, request, received);
        if (!key) throw new Failure(401, 'The API key is missing or not valid.');
        const asked = reported(parts, received, () => findOperation(method, url));
        const { operation } = asked;
        if (operation.id !== 'post_logs_tail') journal.begins(key, received, signal);
        journal.arrives(received);
        const wait = waitOf(key.name);
        if (wait > 0) {
          const seconds = String(Math.ceil(wait / 1000));
          throw new Failure(429, 'Too many requests.', undefined, { 'retry-after': seconds });
        }
        if (!key.permissions.has(operation.permission)) {
          throw new Failure(403, `The API key lacks the permission ${operation.permission}.`);
        }
        if ((text?.length ?? 0) > maxBody) throw new Failure(413, 'The body is too large.');
        const parameters = reported(parts, received, () =>
          checkedParameters(asked, single(headers['idempotency-key'])),
        );
        const contentType = single(headers['content-type']);
        const body = reported(parts, received, () => checkedBody(asked, text, contentType));
        return { key, operation, parameters, body };
      },

      async answer(call) {
        const { id } = call.operation;
        const handler = handlers[id];
        if (!handler) throw new Error(`No handler for ${id}.`);
        const answer = await handler(call);
        return {
          status: goesOn.has(id) ? 202 : 200,
          answer: { ...answer, localization: localizationOf(answer) },
        };
      },

      changesOf(id) {
        const { resources, deployments, alerts, operations } = workspace();
        return (
          resources.find((one) => one.id === id) ??
          alerts.find(id) ??
          deployments.changesOf(id) ??
          operations.changesOf(id)
        );
      },
      deploy: (id, given, steps) => workspace().deployments.deploy(id, given, steps),
      running: (id) => made?.deployments.running(id),
      operations: () => workspace().operations.all(),
    };
  },
};
