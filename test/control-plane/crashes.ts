import type { Language } from './world';

/** A line of the demo workspace, found by its text so that its number is always right. */
export interface Frame {
  readonly file: string;
  readonly at: string;
  readonly name: string;
}

export interface Crash {
  readonly workload: string;
  readonly language: Exclude<Language, 'none'>;
  readonly error: string;
  /** Innermost first. */
  readonly frames: readonly Frame[];
  /** The first and the last deployed commit that has it: indexes of `demoCommits`. */
  readonly since?: number;
  readonly until?: number;
}

const java = 'payments/src/main/java/com/example/payments';
/** The crashes of the example shop. */
export const crashes: readonly Crash[] = [
  {
    workload: 'web-api',
    since: 2,
    language: 'typescript',
    error: "TypeError: Cannot read properties of undefined (reading 'percent')",
    frames: [
      { file: 'web-api/src/pricing.ts', at: 'discount.percent', name: 'priceOf' },
      { file: 'web-api/src/routes/orders.ts', at: 'priceOf(request', name: 'createOrder' },
      { file: 'web-api/src/server.ts', at: 'createOrder(body', name: '' },
    ],
  },
  {
    workload: 'order-worker',
    until: 1,
    language: 'typescript',
    error: "TypeError: Cannot read properties of undefined (reading 'country')",
    frames: [
      { file: 'order-worker/src/worker.ts', at: 'country ===', name: 'ship' },
      { file: 'order-worker/src/queue.ts', at: 'handle(message)', name: 'consume' },
    ],
  },
  {
    workload: 'storefront',
    language: 'javascript',
    error: "TypeError: Cannot read properties of null (reading 'name')",
    frames: [
      { file: 'storefront/render/cart.js', at: 'name}</li>', name: '' },
      { file: 'storefront/render/cart.js', at: 'map((item)', name: 'renderCart' },
      { file: 'storefront/server.js', at: 'renderCart(cart)', name: 'Server.handle' },
    ],
  },
  {
    workload: 'cache-warmer',
    language: 'javascript',
    error: 'Error: /sale answered 502',
    frames: [{ file: 'cache-warmer/warm.js', at: 'new Error', name: 'warm' }],
  },
  {
    workload: 'recommender',
    language: 'python',
    error: 'ZeroDivisionError: float division by zero',
    frames: [
      { file: 'recommender/recommender/scoring.py', at: 'one.weight / total', name: '<dictcomp>' },
      { file: 'recommender/recommender/scoring.py', at: 'return {one', name: 'normalise' },
      { file: 'recommender/recommender/scoring.py', at: 'normalise(neighbours)\n', name: 'score' },
      { file: 'recommender/recommender/service.py', at: 'score(neighbours', name: 'do_POST' },
    ],
  },
  {
    workload: 'invoice-export',
    language: 'python',
    error: "decimal.InvalidOperation: [<class 'decimal.ConversionSyntax'>]",
    frames: [
      { file: 'invoice-export/export.py', at: 'Decimal(text', name: 'parse_amount' },
      { file: 'invoice-export/export.py', at: 'parse_amount(row', name: 'export' },
      { file: 'invoice-export/export.py', at: 'export(list', name: '<module>' },
    ],
  },
  {
    workload: 'payments',
    language: 'java',
    error: 'java.lang.IllegalStateException: No payment method for customer cus_4711',
    frames: [
      { file: `${java}/PaymentService.java`, at: 'throw new', name: 'PaymentService.charge' },
      {
        file: `${java}/PaymentController.java`,
        at: 'service.charge(',
        name: 'PaymentController.create',
      },
    ],
  },
  {
    workload: 'inventory',
    language: 'go',
    error: 'panic: runtime error: index out of range [4] with length 4',
    frames: [
      {
        file: 'inventory/stock/reserve.go',
        at: 's.shelves[position]',
        name: 'stock.(*Store).Reserve',
      },
      { file: 'inventory/cmd/inventory/main.go', at: 'store.Reserve', name: 'main.main.func1' },
    ],
  },
  {
    workload: 'notifications',
    language: 'ruby',
    error: 'Connection refused - connect(2) for "relay" port 25 (Errno::ECONNREFUSED)',
    frames: [
      { file: 'notifications/lib/mailer.rb', at: 'TCPSocket.new', name: 'Mailer#deliver' },
      {
        file: 'notifications/lib/queue_consumer.rb',
        at: '@mailer.deliver',
        name: 'QueueConsumer#run',
      },
    ],
  },
  {
    workload: 'reporting',
    language: 'csharp',
    error: 'System.InvalidOperationException: Sequence contains no elements',
    frames: [
      {
        file: 'reporting/Reports/ReportBuilder.cs',
        at: 'rows.Max',
        name: 'Reporting.ReportBuilder.BestDay(IEnumerable`1 rows)',
      },
      {
        file: 'reporting/Reports/ReportBuilder.cs',
        at: 'BestDay(rows);',
        name: 'Reporting.ReportBuilder.Build(String title, IReadOnlyList`1 rows)',
      },
      {
        file: 'reporting/Reports/Program.cs',
        at: 'builder.Build',
        name: 'Program.<Main>$(String[] args)',
      },
    ],
  },
  {
    workload: 'search',
    language: 'rust',
    error: 'index out of bounds: the len is 7 but the index is 7',
    frames: [
      {
        file: 'search/src/index.rs',
        at: 'self.postings[position].push',
        name: 'search::index::Index::add',
      },
      { file: 'search/src/main.rs', at: 'index.add(word', name: 'search::main' },
    ],
  },
];
