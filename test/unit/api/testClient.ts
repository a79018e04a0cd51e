import type { ControlPlaneClient } from '../../../src/api/client';
import type { ApiSettings } from '../../../src/api/operation';
import type { ServerFacts } from '../../../src/api/serverDescription';
import { createClient } from '../../../src/api/createClient';
import type { Clock } from '../../../src/base/clock';
import { canary, defaults } from './cannedAnswers';
import { realClock } from './realClock';

export interface TestClientOptions {
  readonly baseUrl: string;
  readonly token?: () => string | undefined;
  /** Default: that of Node.js. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Default: the real one. */
  readonly clock?: Clock;
  readonly random?: () => number;
  /** What the server says of itself. */
  readonly facts?: () => ServerFacts | undefined;
  /** What differs from the defaults. */
  readonly settings?: () => Partial<ApiSettings>;
}

/** The real client, with what a test changes. */
export function testClient({
  baseUrl,
  token = () => canary,
  fetch = (request) => globalThis.fetch(request),
  clock = realClock,
  random = () => 0,
  settings = () => ({}),
  facts = () => undefined,
}: TestClientOptions): ControlPlaneClient {
  return createClient({
    baseUrl,
    token: () => Promise.resolve(token()),
    fetch,
    clock,
    random,
    settings: () => ({ ...defaults, ...settings() }),
    facts,
  });
}
