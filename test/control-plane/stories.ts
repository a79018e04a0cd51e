import type { LogRecord } from '../../src/api/types';
import type { Random } from './random';
import type { StackTrace } from './stackTraces';

/** One line of a story, before it is a record: who logs it, and what differs from the usual. */
export interface Line extends Partial<
  Pick<LogRecord, 'severity' | 'stream' | 'attributes' | 'truncated'>
> {
  readonly workload: string;
  readonly body: string;
  /** What it belongs to in its workload; by default all lines of a story are one span. */
  readonly span?: string;
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

const line = (workload: string, body: string, more: Partial<Line> = {}): Line => ({
  workload,
  body,
  ...more,
});

function orderId(random: Random): string {
  return `ord_${String(random.int(1_000_000)).padStart(6, '0')}`;
}

function request(random: Random, method: string, route: string, status: number): Line {
  const ms = latency(random, 30);
  const url = `/api/${route}/${random.int(900)}`;
  return line(
    'web-api',
    `{"msg":"request completed","req":{"method":"${method}","url":"${url}"},"res":{"statusCode":${status}},"responseTime":${ms}}`,
    {
      severity: status >= 500 ? 'error' : status >= 400 ? 'warn' : 'info',
      attributes: {
        'http.method': method,
        'http.route': `/api/${route}/:id`,
        'http.status_code': String(status),
        'duration.ms': String(ms),
        'customer.id': String(1000 + random.int(500)),
        region: random.pick(regions),
      },
    },
  );
}

const browse: Story = (random) => {
  const status = random.chance(0.95) ? 200 : random.pick([304, 400, 404]);
  const shown = status < 400 ? green(String(status)) : red(String(status));
  const page = random.pick(pages);
  return [
    request(random, 'GET', random.pick(routes), status),
    line('storefront', `GET ${page} ${shown} ${latency(random, 12)}ms`),
  ];
};

const order: Story = (random) => {
  const id = orderId(random);
  const cents = 990 + random.int(30_000);
  const sku = `SKU-${1000 + random.int(9000)}`;
  const attributes = { 'order.id': id };
  return [
    line('storefront', `POST /checkout ${green('302')} ${latency(random, 60)}ms`),
    line(
      'inventory',
      `level=info msg="reserved" sku=${sku} quantity=${1 + random.int(3)} left=${random.int(80)}`,
      { attributes },
    ),
    line(
      'payments',
      `INFO  [http-nio-8083-exec-${1 + random.int(9)}] c.e.payments.PaymentService : charged ${(cents / 100).toFixed(2)} EUR for ${id}`,
      { attributes: { ...attributes, 'payment.cents': String(cents) } },
    ),
    request(random, 'POST', 'orders', 201),
    line('order-worker', `order ${id}: label from carrier domestic`, { attributes }),
    line('notifications', `I, [mailer] delivered "Your order ${id}" in ${latency(random, 90)} ms`, {
      attributes,
    }),
  ];
};

const find: Story = (random) => {
  const query = random.pick(words);
  return [
    request(random, 'GET', 'search', 200),
    line(
      'search',
      `DEBUG search::query: q="${query}" hits=${random.int(400)} took=${random.int(9)}.${random.int(9)}ms`,
      { severity: 'debug', attributes: { query } },
    ),
  ];
};

const recommend: Story = (random) => [
  line(
    'recommender',
    `INFO recommender.service scored ${50 + random.int(400)} products in ${latency(random, 40)} ms`,
    { attributes: { model: 'neighbours-7' } },
  ),
];

const job = oneOf([
  (random) => line('cache-warmer', `${random.pick(pages)} warmed in ${latency(random, 80)} ms`),
  (random) => line('invoice-export', `exported ${random.int(90)} invoices`),
  (random) => line('nightly-backup', `dump shop.table_${random.int(40)} ${random.int(900)} MB`),
  (random) => line('reporting', `info: Reporting[0] Built "Week ${1 + random.int(52)}"`),
]);

const debug = { severity: 'debug' } as const;
const trace = { severity: 'trace' } as const;
const warn = { severity: 'warn' } as const;

const chatter = oneOf([
  (random) => line('web-api', `event loop lag ${random.int(6)} ms`, trace),
  () => line('payments', 'DEBUG [scheduler] pool idle=4 busy=1', debug),
  () => line('inventory', 'level=debug msg="GET /healthz" status=200', debug),
  () => line('search', 'TRACE search::index: segment merged', trace),
  () => line('order-worker', '......', { severity: 'unknown' }),
]);

const trouble = oneOf([
  (random) => {
    const ms = 800 + random.int(4000);
    return line(
      'web-api',
      `slow query: ${ms} ms SELECT * FROM orders WHERE customer_id = $1`,
      warn,
    );
  },
  () => line('payments', 'WARN  [provider] no answer within PT3S, try 2 of 3', warn),
  () =>
    line('notifications', 'W, [relay] greylisted, again in 60 s', { ...warn, stream: 'stderr' }),
  () => line('search', 'WARN search::disk: 84.9 % used, merges are put off', warn),
  (random) => request(random, 'POST', 'orders', 503),
]);

const previewed: Story = (random) => [
  random.pick([
    { ...request(random, 'GET', 'cart', 200), preview: true },
    line('storefront', `GET /cart ${green('200')} 9ms`, { preview: true }),
  ]),
];

const link = '\u001b]8;;https://evil.example\u0007your invoice\u001b]8;;\u0007';
/** Text that must never be interpreted where it is shown. */
const hostile = oneOf(
  [
    line(
      'web-api',
      'user agent: [click me](command:workbench.action.quit) <img src=x onerror=alert(1)>',
      warn,
    ),
    line('storefront', 'search for "\u202egnp.exe\u202c" from \u200bguest', warn),
    line('storefront', `${link} \u001b]52;c;cm0gLXJm\u0007`),
    line('web-api', 'name=\r2026-01-01 00:00:00.000 [error] [payments] all is lost\u0085$(boom)'),
    line('order-worker', `payload ${'x'.repeat(2000)}`, { truncated: true }),
  ].map((one) => () => one),
);

/** A crash, mostly within an order, and the failed request. */
function crash(traces: readonly StackTrace[]): Story {
  return (random) => {
    const { workload, body } = random.pick(traces);
    const type = /[\w.:]*(?:Error|Exception|panic)\w*/.exec(body)?.[0] ?? '';
    const crashed = line(workload, body, {
      severity: /^(?:panic|thread|Unhandled)/.test(body) ? 'fatal' : 'error',
      stream: 'stderr',
      attributes: { 'exception.type': type },
    });
    if (random.chance(0.3)) return [crashed];
    const id = orderId(random);
    const attributes = { 'order.id': id };
    return [
      line('web-api', `{"msg":"checkout started","order":"${id}"}`, { attributes }),
      line('inventory', `level=info msg="reserved" sku=SKU-${1000 + random.int(9000)} quantity=1`, {
        attributes,
      }),
      { ...crashed, span: 'order' },
      request(random, 'POST', 'orders', 500),
      line('inventory', `level=info msg="released" order=${id}`, { attributes }),
      line('storefront', `POST /checkout ${red('500')} ${latency(random, 60)}ms`, warn),
    ];
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
