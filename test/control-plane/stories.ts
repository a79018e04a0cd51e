import type { LogRecord } from '../../src/api/types';
import type { Random } from './random';
import type { StackTrace } from './stackTraces';

/** One line of a story, before it is a record: who logs it, and what differs from the usual. */
export interface Line extends Partial<
  Pick<LogRecord, 'severity' | 'stream' | 'attributes' | 'truncated'>
> {
  readonly workload: string;
  readonly body: string;
  /** Logged by the preview of the workload. */
  readonly preview?: boolean;
}

/** Lines that belong together and share a trace. */
export type Story = (random: Random) => Line[];

const routes = ['products', 'cart', 'orders', 'customers', 'search', 'recommendations'] as const;
const words = ['coat', 'red shoes', 'wool', 'gift card', 'size 42', 'umbrella'] as const;
const regions = ['eu-central', 'eu-north'] as const;
const pages = ['/', '/sale', '/new', '/category/shoes', '/category/coats'] as const;

const green = (text: string): string => `\u001b[32m${text}\u001b[39m`;
const red = (text: string): string => `\u001b[31m${text}\u001b[39m`;

/** A story of one line, picked from these. */
const oneOf =
  (lines: readonly ((random: Random) => Line)[]): Story =>
  (random) => [random.pick(lines)(random)];

/** Mostly low, with a long tail. */
const latency = (random: Random, typical: number): number =>
  Math.round((typical * 0.4) / (1.02 - random.next()) + typical * 0.6);

function request(random: Random, method: string, route: string, status: number): Line {
  const ms = latency(random, 30);
  const url = `/api/${route}/${random.int(900)}`;
  return {
    workload: 'web-api',
    severity: status >= 500 ? 'error' : status >= 400 ? 'warn' : 'info',
    body: `{"msg":"request completed","req":{"method":"${method}","url":"${url}"},"res":{"statusCode":${status}},"responseTime":${ms}}`,
    attributes: {
      'http.method': method,
      'http.route': `/api/${route}/:id`,
      'http.status_code': String(status),
      'duration.ms': String(ms),
      'customer.id': String(1000 + random.int(500)),
      region: random.pick(regions),
    },
  };
}

const browse: Story = (random) => {
  const status = random.chance(0.95) ? 200 : random.pick([304, 400, 404]);
  const shown = status < 400 ? green(String(status)) : red(String(status));
  const page = random.pick(pages);
  return [
    request(random, 'GET', random.pick(routes), status),
    { workload: 'storefront', body: `GET ${page} ${shown} ${latency(random, 12)}ms` },
  ];
};

const order: Story = (random) => {
  const id = `ord_${String(random.int(1_000_000)).padStart(6, '0')}`;
  const cents = 990 + random.int(30_000);
  const sku = `SKU-${1000 + random.int(9000)}`;
  const attributes = { 'order.id': id };
  return [
    { workload: 'storefront', body: `POST /checkout ${green('302')} ${latency(random, 60)}ms` },
    {
      workload: 'inventory',
      body: `level=info msg="reserved" sku=${sku} quantity=${1 + random.int(3)} left=${random.int(80)}`,
      attributes,
    },
    {
      workload: 'payments',
      body: `INFO  [http-nio-8083-exec-${1 + random.int(9)}] c.e.payments.PaymentService : charged ${(cents / 100).toFixed(2)} EUR for ${id}`,
      attributes: { ...attributes, 'payment.cents': String(cents) },
    },
    { ...request(random, 'POST', 'orders', 201) },
    { workload: 'order-worker', body: `order ${id}: label from carrier domestic`, attributes },
    {
      workload: 'notifications',
      body: `I, [mailer] delivered "Your order ${id}" in ${latency(random, 90)} ms`,
      attributes,
    },
  ];
};

const find: Story = (random) => {
  const query = random.pick(words);
  return [
    request(random, 'GET', 'search', 200),
    {
      workload: 'search',
      severity: 'debug',
      body: `DEBUG search::query: q="${query}" hits=${random.int(400)} took=${random.int(9)}.${random.int(9)}ms`,
      attributes: { query },
    },
  ];
};

const recommend: Story = (random) => [
  {
    workload: 'recommender',
    body: `INFO recommender.service scored ${50 + random.int(400)} products in ${latency(random, 40)} ms`,
    attributes: { model: 'neighbours-7' },
  },
];

const job = oneOf([
  (random) => ({
    workload: 'cache-warmer',
    body: `${random.pick(pages)} warmed in ${latency(random, 80)} ms`,
  }),
  (random) => ({ workload: 'invoice-export', body: `exported ${random.int(90)} invoices` }),
  (random) => ({
    workload: 'nightly-backup',
    body: `dump shop.table_${random.int(40)} ${random.int(900)} MB`,
  }),
  (random) => ({
    workload: 'reporting',
    body: `info: Reporting[0] Built "Week ${1 + random.int(52)}"`,
  }),
]);

const chatter = oneOf([
  (random) => ({
    workload: 'web-api',
    severity: 'trace',
    body: `event loop lag ${random.int(6)} ms`,
  }),
  () => ({ workload: 'payments', severity: 'debug', body: 'DEBUG [scheduler] pool idle=4 busy=1' }),
  () => ({
    workload: 'inventory',
    severity: 'debug',
    body: 'level=debug msg="GET /healthz" status=200',
  }),
  () => ({ workload: 'search', severity: 'trace', body: 'TRACE search::index: segment merged' }),
  () => ({ workload: 'order-worker', severity: 'unknown', body: '......' }),
]);

const trouble = oneOf([
  (random) => ({
    workload: 'web-api',
    severity: 'warn',
    body: `slow query: ${800 + random.int(4000)} ms SELECT * FROM orders WHERE customer_id = $1`,
  }),
  () => ({
    workload: 'payments',
    severity: 'warn',
    body: 'WARN  [provider] no answer within PT3S, try 2 of 3',
  }),
  () => ({
    workload: 'notifications',
    severity: 'warn',
    stream: 'stderr',
    body: 'W, [relay] greylisted, again in 60 s',
  }),
  () => ({
    workload: 'search',
    severity: 'warn',
    body: 'WARN search::disk: 84.9 % used, merges are put off',
  }),
  (random) => request(random, 'POST', 'orders', 503),
]);

const previewed: Story = (random) => {
  const lines: Line[] = [
    { ...request(random, 'GET', 'cart', 200), preview: true },
    { workload: 'storefront', preview: true, body: `GET /cart ${green('200')} 9ms` },
  ];
  return [random.pick(lines)];
};

/** Text that must never be interpreted where it is shown. */
const hostile = oneOf([
  () => ({
    workload: 'web-api',
    severity: 'warn',
    body: 'user agent: [click me](command:workbench.action.quit) <img src=x onerror=alert(1)>',
  }),
  () => ({
    workload: 'storefront',
    severity: 'warn',
    body: 'search for "\u202egnp.exe\u202c" from \u200bguest',
  }),
  () => ({
    workload: 'storefront',
    severity: 'info',
    body: '\u001b]8;;https://evil.example\u0007your invoice\u001b]8;;\u0007 \u001b]52;c;cm0gLXJm\u0007',
  }),
  () => ({
    workload: 'web-api',
    severity: 'info',
    body: 'name=\r2026-01-01 00:00:00.000 [error] [payments] all is lost\u0085$(boom)',
  }),
  () => ({
    workload: 'order-worker',
    severity: 'info',
    truncated: true,
    body: `payload ${'x'.repeat(2000)}`,
  }),
]);

/** A crash, and the failed request. */
function crash(traces: readonly StackTrace[]): Story {
  return (random) => {
    const { workload, body } = random.pick(traces);
    const fatal = /^(?:panic|thread|Unhandled)/.test(body);
    const attributes = {
      'exception.type': /[\w.:]*(?:Error|Exception|panic)\w*/.exec(body)?.[0] ?? '',
    };
    const severity = fatal ? 'fatal' : 'error';
    const line: Line = { workload, severity, stream: 'stderr', body, attributes };
    return random.chance(0.7) ? [request(random, 'POST', 'orders', 500), line] : [line];
  };
}

/** The stories with their probabilities. */
export function createStories(
  traces: readonly StackTrace[],
): { readonly share: number; readonly story: Story }[] {
  return [
    { share: 40, story: browse },
    { share: 9, story: order },
    { share: 10, story: find },
    { share: 8, story: recommend },
    { share: 7, story: job },
    { share: 12, story: chatter },
    { share: 5, story: trouble },
    { share: 4, story: previewed },
    { share: 2.5, story: crash(traces) },
    { share: 0.4, story: hostile },
  ];
}
