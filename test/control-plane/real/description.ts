import contract from '../../../src/api/openapi.json';
import { operationIdOf, type Route } from './routes';
import * as schemas from './schemas';
import type { Schema } from './schemas';
import { version } from './workspaceRoutes';

const { text, number, object, orNull, mapOf, oneOf } = schemas;

const localization = object({
  dateFormat: oneOf(
    ...['day-short-month-year', 'short-month-day-year', 'year-month-day', 'day-month-year'],
    'month-day-year',
  ),
  timeFormat: oneOf('24-hour', '12-hour', '24-hour-seconds', '12-hour-seconds'),
  timeZone: text,
  timestamps: mapOf(
    object({
      date: text,
      time: orNull(text),
      dateTime: orNull(text),
      timeZone: text,
      zoneLabel: text,
      epochMilliseconds: number,
      inputDateTime: orNull(text),
    }),
  ),
});

const error: Schema = {
  type: 'object',
  properties: { error: object({ code: text, message: text, requestId: text }), localization },
  required: ['error'],
};

const json = (schema: Schema): object => ({ content: { 'application/json': { schema } } });

/** The schema of the answer of an endpoint. */
export function answerOf({ answer, answerSchema }: Route): Schema {
  return answerSchema ?? object({ ...answer, localization });
}

/** The query parameters of an endpoint as one object. */
export function queryOf({ query }: Route): Schema {
  return object(query?.required ?? {}, query?.optional);
}

/** The schemas of the contract that log endpoints refer to. */
export const components = { schemas: contract.components.schemas };

/** The description of the server (OpenAPI 3.1), made of its endpoints. */
export function describe(routes: readonly Route[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const item = (paths[`/v1/api${route.path}`] ??= {});
    item[route.method.toLowerCase()] = operationOf(route);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Control plane', version },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }],
    paths,
    components: {
      schemas: logSchemas(),
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } },
    },
  };
}

function logSchemas(): object {
  // Without what only the contract says about itself.
  const text = JSON.stringify(components.schemas, (name, value: unknown) =>
    name.startsWith('x-') ? undefined : value,
  );
  return JSON.parse(text) as object;
}

function operationOf(route: Route): object {
  const { path, permission, summary, query, body, isIdempotent } = route;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    ...{ name, in: 'path', required: true },
    schema: schemas.uuid,
  }));
  const inQuery = [query?.required ?? {}, query?.optional ?? {}].flatMap((members, index) =>
    Object.entries(members).map(([name, schema]) => ({
      ...{ name, in: 'query', required: index === 0 },
      schema,
    })),
  );
  const key = {
    ...{ name: 'Idempotency-Key', in: 'header', required: true },
    schema: schemas.textOf(1, 255),
  };
  const statuses =
    route.status === undefined ? [200] : typeof route.status === 'number' ? [202] : [200, 202];
  const isStream = route.answer === undefined && route.answerSchema === undefined;
  const success = isStream
    ? { content: { 'text/event-stream': { schema: text } } }
    : json(answerOf(route));
  const failures = ['400', '401', '403', '404', '409', '413', '422', '429', '500'];
  return {
    operationId: operationIdOf(route),
    summary,
    description:
      permission === undefined
        ? `${summary}. Any valid API key may call it.`
        : `${summary}.\n\nRequired permissions: \`${permission}\`.`,
    parameters: [...inPath, ...inQuery, ...(isIdempotent ? [key] : [])],
    ...(body === undefined ? {} : { requestBody: { required: true, ...json(body) } }),
    responses: {
      ...Object.fromEntries(
        statuses.map((status) => [status, { description: 'Success', ...success }]),
      ),
      ...Object.fromEntries(
        failures.map((status) => [status, { description: 'Error', ...json(error) }]),
      ),
    },
  };
}
