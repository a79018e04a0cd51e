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

/** Each row: a file of the folder, text of the line, and the name of the function. */
const frames = (folder: string, ...rows: readonly [string, string, string][]): Frame[] =>
  rows.map(([file, at, name]) => ({ file: `${folder}/${file}`, at, name }));

/** The crashes of the example shop. */
export const crashes: readonly Crash[] = [
  {
    workload: 'web-api',
    language: 'typescript',
    since: 2,
    error: "TypeError: Cannot read properties of undefined (reading 'percent')",
    frames: frames(
      'web-api/src',
      ['pricing.ts', 'discount.percent', 'priceOf'],
      ['routes/orders.ts', 'priceOf(request', 'createOrder'],
      ['server.ts', 'createOrder(body', ''],
    ),
  },
  {
    workload: 'order-worker',
    language: 'typescript',
    until: 1,
    error: "TypeError: Cannot read properties of undefined (reading 'country')",
    frames: frames(
      'order-worker/src',
      ['worker.ts', 'country ===', 'ship'],
      ['queue.ts', 'handle(message)', 'consume'],
    ),
  },
  {
    workload: 'storefront',
    language: 'javascript',
    error: "TypeError: Cannot read properties of null (reading 'name')",
    frames: frames(
      'storefront',
      ['render/cart.js', 'name}</li>', ''],
      ['render/cart.js', 'map((item)', 'renderCart'],
      ['server.js', 'renderCart(cart)', 'Server.handle'],
    ),
  },
  {
    workload: 'cache-warmer',
    language: 'javascript',
    error: 'Error: /sale answered 502',
    frames: frames('cache-warmer', ['warm.js', 'new Error', 'warm']),
  },
  {
    workload: 'recommender',
    language: 'python',
    error: 'ZeroDivisionError: float division by zero',
    frames: frames(
      'recommender/recommender',
      ['scoring.py', 'one.weight / total', '<dictcomp>'],
      ['scoring.py', 'return {one', 'normalise'],
      ['scoring.py', 'normalise(neighbours)\n', 'score'],
      ['service.py', 'score(neighbours', 'do_POST'],
    ),
  },
  {
    workload: 'invoice-export',
    language: 'python',
    error: "decimal.InvalidOperation: [<class 'decimal.ConversionSyntax'>]",
    frames: frames(
      'invoice-export',
      ['export.py', 'Decimal(text', 'parse_amount'],
      ['export.py', 'parse_amount(row', 'export'],
      ['export.py', 'export(list', '<module>'],
    ),
  },
  {
    workload: 'payments',
    language: 'java',
    error: 'java.lang.IllegalStateException: No payment method for customer cus_4711',
    frames: frames(
      'payments/src/main/java/com/example/payments',
      ['PaymentService.java', 'throw new', 'PaymentService.charge'],
      ['PaymentController.java', 'service.charge(', 'PaymentController.create'],
    ),
  },
  {
    workload: 'inventory',
    language: 'go',
    error: 'panic: runtime error: index out of range [4] with length 4',
    frames: frames(
      'inventory',
      ['stock/reserve.go', 's.shelves[position]', 'stock.(*Store).Reserve'],
      ['cmd/inventory/main.go', 'store.Reserve', 'main.main.func1'],
    ),
  },
  {
    workload: 'notifications',
    language: 'ruby',
    error: 'Connection refused - connect(2) for "relay" port 25 (Errno::ECONNREFUSED)',
    frames: frames(
      'notifications/lib',
      ['mailer.rb', 'TCPSocket.new', 'Mailer#deliver'],
      ['queue_consumer.rb', '@mailer.deliver', 'QueueConsumer#run'],
    ),
  },
  {
    workload: 'reporting',
    language: 'csharp',
    error: 'System.InvalidOperationException: Sequence contains no elements',
    frames: frames(
      'reporting/Reports',
      ['ReportBuilder.cs', 'rows.Max', 'Reporting.ReportBuilder.BestDay(IEnumerable`1 rows)'],
      [
        'ReportBuilder.cs',
        'BestDay(rows);',
        'Reporting.ReportBuilder.Build(String title, IReadOnlyList`1 rows)',
      ],
      ['Program.cs', 'builder.Build', 'Program.<Main>$(String[] args)'],
    ),
  },
  {
    workload: 'search',
    language: 'rust',
    error: 'index out of bounds: the len is 7 but the index is 7',
    frames: frames(
      'search/src',
      ['index.rs', 'self.postings[position].push', 'search::index::Index::add'],
      ['main.rs', 'index.add(word', 'search::main'],
    ),
  },
];
