import createOpenApiClient from 'openapi-fetch';
import { lazy } from '../base/textFormat';
import { InvalidRequestError, localizableMessage } from './errors';
import type { ApiOperation, RequestContent } from './operation';
import type { OpenSetting } from './serverDescription';

interface RequestOptions {
  /** As `parseBaseUrl` returns it. */
  readonly baseUrl: string;
  /** Empty: the request has none. */
  readonly key: string;
  /** The value for what the contract leaves open. */
  readonly valueOf: (setting: OpenSetting) => string;
  /** Of the request. */
  readonly signal: AbortSignal;
}

/** What openapi-fetch has to know of the types: those of each operation are in the table. */
interface AnyOperation {
  readonly parameters: Readonly<
    Record<ApiOperation['parameters'][string]['in'], Record<string, unknown>>
  >;
  readonly requestBody?: { readonly content: { readonly 'application/json': string } };
  readonly responses: object;
}

/** Made late: it looks at the `Request` of Node.js, which loads all of its fetch with HTTP/2. */
const api = lazy(() =>
  createOpenApiClient<Record<ApiOperation['path'], Record<ApiOperation['method'], AnyOperation>>>(),
);

/**
 * The request of an operation.
 *
 * @throws InvalidRequestError if the settings make no valid URL.
 */
export function buildRequest(
  operation: ApiOperation,
  { parameters, body }: RequestContent,
  { baseUrl, key, valueOf, signal }: RequestOptions,
): Promise<Request> {
  const { method, path, isStream } = operation;
  const base = `${baseUrl}/v1/api`;
  const params: AnyOperation['parameters'] = { path: {}, query: {}, header: {} };
  for (const [name, { in: place }] of Object.entries(operation.parameters)) {
    if (name in parameters) params[place][name] = parameters[name];
  }
  return new Promise((resolve, reject) => {
    const init = {
      baseUrl: base,
      params,
      ...(body === undefined ? {} : { body, bodySerializer: () => body }),
      pathSerializer: () => base + pathOf(operation, valueOf, parameters),
      querySerializer: (query: Readonly<Record<string, unknown>>) =>
        queryOf(operation, valueOf, query),
      headers: {
        accept: isStream ? 'text/event-stream' : 'application/json',
        ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
      },
      signal,
      // No answer of a cache, no cookie, and no other server gets to know of it.
      redirect: 'manual',
      cache: 'no-store',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      parseAs: 'stream',
      // It is sent elsewhere, within limits of time and size (sendRequest.ts).
      fetch(request: Request) {
        resolve(request);
        return Promise.resolve(new Response());
      },
    } as const;
    api().request(method, path, init).catch(reject);
  });
}

/** The path below `/v1/api`. */
function pathOf(
  { path, segment, pathSetting }: ApiOperation,
  valueOf: RequestOptions['valueOf'],
  parameters: Readonly<Record<string, unknown>>,
): string {
  let template: string = path;
  if (pathSetting !== undefined) {
    template = pathTemplate(nameOfSetting(pathSetting), valueOf(pathSetting), path);
  }
  if (segment !== undefined) {
    const value = pathSegment(nameOfSetting(segment.setting), valueOf(segment.setting));
    template = template.replace(segment.example, () => value);
  }
  return template.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(parameters[name])),
  );
}

function queryOf(
  operation: ApiOperation,
  valueOf: RequestOptions['valueOf'],
  query: Readonly<Record<string, unknown>>,
): string {
  return Object.entries(query)
    .map(
      ([name, value]) =>
        `${encodeURIComponent(nameOf(name, operation, valueOf))}=${encodeURIComponent(String(value))}`,
    )
    .join('&');
}

/** The name of a parameter on this server. */
function nameOf(
  parameter: string,
  operation: ApiOperation,
  valueOf: RequestOptions['valueOf'],
): string {
  const { setting } = operation.parameters[parameter] ?? {};
  if (setting === undefined) return parameter;
  const name = valueOf(setting);
  if (name !== '') return name;
  throw new InvalidRequestError(
    nameOfSetting(setting),
    localizableMessage('is empty'),
    localizableMessage('at least 1 character'),
  );
}

function nameOfSetting(setting: OpenSetting): string {
  return `controlPlane.api.${setting}`;
}

/** @throws InvalidRequestError if the value of a setting is not a single path segment. */
function pathSegment(setting: string, value: string): string {
  if (/^(?!\.{1,2}$)[\w.~!$'()*+,;=:@-]+$/.test(value)) return value;
  throw new InvalidRequestError(
    setting,
    localizableMessage('is not a single path segment'),
    localizableMessage('letters, digits, - . _ ~'),
  );
}

/**
 * @param example the path of the contract, whose parameters the value must have.
 * @throws InvalidRequestError if the value of a setting is not such a path.
 */
function pathTemplate(setting: string, value: string, example: string): string {
  const parts = value.split('/').slice(1);
  const parameters = example.split('/').filter((part) => part.startsWith('{'));
  if (!value.startsWith('/') || !parameters.every((part) => parts.includes(part))) {
    throw new InvalidRequestError(
      setting,
      localizableMessage('is not a path'),
      localizableMessage('such as {0}', example),
    );
  }
  return parts
    .map((part) => `/${parameters.includes(part) ? part : pathSegment(setting, part)}`)
    .join('');
}
