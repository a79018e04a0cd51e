import { assert } from 'chai';
import { patternIds } from '../../../../src/logs/record/patterns';

/** Two faults of a framework. `{7|912}` is 7 in one error of a fault, and 912 in another one. */
type Faults = readonly [one: string, other: string];

interface Runtime {
  /** What it logs of an error: with a stack. */
  readonly logged: (error: string) => string;
  readonly frameworks: Readonly<Record<string, Faults>>;
}

const panic = (thread: string): string => `thread '${thread}' panicked at src/orders.rs:41:9:\n`;

function onTheJvm(error: string): string {
  const [first, cause] = error.split('\nCaused by: ');
  const stack = `${first}\n\tat com.shop.order.OrderService.find(OrderService.java:41)\n\tat jdk.internal.Invoke.run(Invoke.java:5)`;
  if (cause === undefined) return stack;
  return `${stack}\nCaused by: ${cause}\n\tat com.shop.db.Pool.take(Pool.java:9)\n\t... 12 more`;
}

const runtimes: Readonly<Record<string, Runtime>> = {
  Java: {
    logged: onTheJvm,
    frameworks: {
      'no framework': [
        'Exception in thread "pool-{1|2}-thread-{3|9}" java.lang.IllegalStateException: order {7|812} is closed',
        'Exception in thread "pool-1-thread-3" java.lang.IllegalStateException: cart 7 is empty',
      ],
      Spring: [
        'Servlet.service() for servlet [dispatcherServlet] in context with path [] threw exception\njava.lang.NullPointerException: Cannot invoke "{Order|Cart}.getId()" because "{order|cart}" is null',
        'Servlet.service() for servlet [dispatcherServlet] in context with path [] threw exception\njava.lang.IllegalArgumentException: no such currency',
      ],
      Quarkus: [
        'HTTP Request to /orders/{7|81} failed, error id: {6|7}c2b3f91-1d2e-4f30-9b4c-5d6e7f809102-{1|3}\njava.lang.RuntimeException: no stock of item {7|9}',
        'HTTP Request to /orders/7 failed, error id: 6c2b3f91-1d2e-4f30-9b4c-5d6e7f809102-1\njava.net.ConnectException: Connection refused',
      ],
      Hibernate: [
        'org.hibernate.exception.JDBCConnectionException: could not open a connection\nCaused by: java.net.SocketTimeoutException: Read timed out after {3000 ms|12 s}',
        'org.hibernate.exception.JDBCConnectionException: could not open a connection\nCaused by: java.net.UnknownHostException: db.shop.internal',
      ],
      Kafka: [
        'Error processing record at offset {912|7} of orders-{3|11}\norg.apache.kafka.common.errors.SerializationException: Unknown magic byte {7|0}',
        'Error processing record at offset 7 of orders-11\norg.apache.kafka.common.errors.RebalanceInProgressException: The group is rebalancing',
      ],
    },
  },
  Kotlin: {
    logged: onTheJvm,
    frameworks: {
      'no framework': [
        'kotlin.UninitializedPropertyAccessException: lateinit property cart of session {7|99} is missing',
        'java.util.NoSuchElementException: List is empty.',
      ],
      Ktor: [
        'Unhandled: GET - /orders/{7|912}\nio.ktor.server.plugins.NotFoundException: order {7|912}',
        'Unhandled: GET - /orders/7\nio.ktor.server.plugins.BadRequestException: order 7',
      ],
      coroutines: [
        'kotlinx.coroutines.TimeoutCancellationException: Timed out waiting for {3000|50} ms',
        'kotlinx.coroutines.JobCancellationException: Parent job is Cancelling',
      ],
      Exposed: [
        "Transaction attempt #{1|3} failed\njava.sql.SQLException: Deadlock found; order '{7|52}'",
        "Transaction attempt #1 failed\njava.sql.SQLException: Too many connections; order '7'",
      ],
      Android: [
        'FATAL EXCEPTION: main\njava.lang.OutOfMemoryError: Failed to allocate a {1048576|64} byte allocation',
        'FATAL EXCEPTION: main\njava.lang.SecurityException: Permission denied',
      ],
    },
  },
  'Node.js': {
    logged: (error) =>
      `${error}\n    at find (/srv/app/orders.js:12:9)\n    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)`,
    frameworks: {
      'no framework': [
        'Uncaught Error: order {7|912} is closed',
        'Uncaught Error: order 7 has no items',
      ],
      Express: [
        "TypeError: Cannot read properties of undefined (reading '{id|name}')",
        'TypeError: callback is not a function',
      ],
      NestJS: [
        '[ExceptionsHandler] Request failed\nError: connect ECONNREFUSED {10.0.0.7|10.1.4.9}:5432',
        '[ExceptionsHandler] Request failed\nError: self-signed certificate in chain',
      ],
      Prisma: [
        'PrismaClientKnownRequestError: Unique constraint failed on the fields: (`{email|name}`)',
        'PrismaClientInitializationError: Can not reach database server at `db:5432`',
      ],
      axios: [
        'AxiosError: Request failed with status code {503|404}',
        'AxiosError: timeout of 3000 ms exceeded',
      ],
    },
  },
  Python: {
    // The traceback is before the last line.
    logged: (error) =>
      error.replace(
        /.*$/,
        'Traceback (most recent call last):\n  File "/srv/app/orders.py", line 12, in find\n    return load(number)\n  File "/srv/app/db.py", line 7, in load\n    raise error\n$&',
      ),
    frameworks: {
      'no framework': ["KeyError: 'order-{7|912}'", 'ZeroDivisionError: division by zero'],
      Django: [
        'Internal Server Error: /orders/{7|66}/\nshop.models.Order.DoesNotExist: Order matching query {7|66} does not exist.',
        'Internal Server Error: /orders/7/\ndjango.db.utils.OperationalError: server closed the connection',
      ],
      Flask: [
        'Exception on /orders/{7|9} [GET]\nValueError: invalid literal for int() with base 10: "{x7|abc}"',
        'Exception on /orders/7 [GET]\nwerkzeug.routing.BuildError: Could not build url',
      ],
      FastAPI: [
        'Exception in ASGI application\npydantic.ValidationError: {2|5} validation errors for Order',
        'Exception in ASGI application\nasyncio.TimeoutError: pool is exhausted',
      ],
      Celery: [
        'Task shop.send[{6|7}c2b3f91-1d2e-4f30-9b4c-5d6e7f809102] raised unexpected\nConnectionResetError: [Errno 104] Connection reset by peer',
        'Task shop.send[6c2b3f91-1d2e-4f30-9b4c-5d6e7f809102] raised unexpected\nMemoryError: out of memory',
      ],
    },
  },
  Go: {
    logged: (error) =>
      `${error}\n\ngoroutine 19 [running]:\nmain.find(0xc000010000)\n\t/srv/app/orders.go:41 +0x1d`,
    frameworks: {
      'no framework': [
        'panic: runtime error: index out of range [{7|12}] with length {3|9}',
        'panic: runtime error: invalid memory address or nil pointer dereference',
      ],
      'net/http': [
        'http: panic serving {10.0.0.7:52114|10.9.8.7:1207}: order {7|912} is closed',
        'http: panic serving 10.0.0.7:52114: cart 7 is empty',
      ],
      gin: [
        '[Recovery] 2026/11/{20 - 12:00:00|21 - 02:10:30} panic recovered:\nGET /orders/7 HTTP/1.1\nassignment to entry in nil map',
        'http: Accept error: accept tcp: too many open files; retrying in 5ms',
      ],
      gRPC: [
        'rpc error: code = DeadlineExceeded desc = context deadline exceeded after {3s|100ms}',
        'rpc error: code = Unavailable desc = connection refused',
      ],
      pgx: [
        'failed to connect to host={10.0.0.7|db-2} user=shop: dial error: timeout: {3|10}s',
        'ERROR: duplicate key value violates unique constraint "orders_pkey" (SQLSTATE 23505)',
      ],
    },
  },
  Ruby: {
    logged: (error) => `${error}\napp/models/order.rb:41:in \`find'\napp/jobs/a.rb:3:in \`run'`,
    frameworks: {
      'no framework': [
        "/app/orders.rb:3:in 'Orders#find': order {7|912} is closed (RuntimeError)",
        "/app/orders.rb:3:in 'Orders#find': undefined method for nil (NoMethodError)",
      ],
      Rails: [
        "ActiveRecord::RecordNotFound (Couldn't find Order with 'id'={7|912}):",
        'ActionController::RoutingError (No route matches [GET] "/x"):',
      ],
      Sidekiq: [
        'Job {9f86d081884c7d65a2feaa0c|1f86d081884c7d65a2feaa0d} failed: Net::ReadTimeout with {3|12} s',
        'Job 9f86d081884c7d65a2feaa0c failed: Redis::CannotConnectError',
      ],
      Puma: [
        'Puma caught this error: stream closed in another thread (IOError) #{1234|9}',
        'Puma caught this error: Broken pipe (Errno::EPIPE) #1234',
      ],
      Faraday: [
        'Faraday::ServerError: the server responded with status {503|500} for /orders/{7|8}',
        'Faraday::SSLError: certificate verify failed for /orders/7',
      ],
    },
  },
  'C#': {
    logged(error) {
      const [first, inner] = error.split('\n ---> ');
      const stack = '   at Shop.Orders.Find(Int32 id) in /src/Orders.cs:line 41';
      if (inner === undefined) return `${first}\n${stack}`;
      return `${first}\n ---> ${inner}\n   at Shop.Db.Take() in /src/Db.cs:line 9\n   --- End of inner exception stack trace ---\n${stack}`;
    },
    frameworks: {
      'no framework': [
        'Unhandled exception. System.InvalidOperationException: order {7|912} is closed',
        'Unhandled exception. System.InvalidOperationException: Sequence contains no elements',
      ],
      'ASP.NET Core': [
        'An unhandled exception has occurred while executing the request.\nSystem.NullReferenceException: no cart {7|81}',
        'An unhandled exception has occurred while executing the request.\nSystem.FormatException: no cart 7',
      ],
      'Entity Framework': [
        "Microsoft.EntityFrameworkCore.DbUpdateException: An error occurred while saving the changes.\n ---> Npgsql.PostgresException: 23505: duplicate key '{a|bc}'",
        'Microsoft.EntityFrameworkCore.DbUpdateException: An error occurred while saving the changes.\n ---> Npgsql.NpgsqlException: The connection pool has been exhausted',
      ],
      HttpClient: [
        'System.Net.Http.HttpRequestException: Connection refused ({10.0.0.7|payments}:443)',
        'System.Threading.Tasks.TaskCanceledException: The request was canceled',
      ],
      Hangfire: [
        'Failed to process the job {7|912}: an exception occurred.\nSystem.TimeoutException: after {3|9} s',
        'Failed to process the job 7: an exception occurred.\nSystem.IO.IOException: disk is full',
      ],
    },
  },
  Rust: {
    logged: (error) => `${error}\nstack backtrace:\n   0: rust_begin_unwind`,
    frameworks: {
      'no framework': [
        `${panic('{main|worker-2}')}index out of bounds: the len is {3|9} but the index is {7|12}`,
        `${panic('main')}called \`Option::unwrap()\` on a \`None\` value`,
      ],
      tokio: [
        `${panic('tokio-runtime-worker')}order {7|912} is closed`,
        `${panic('tokio-runtime-worker')}cart 7 is empty`,
      ],
      anyhow: [
        'Error: cannot load order {7|81}\n\nCaused by:\n    no such row\n',
        'Error: cannot parse the settings\n\nCaused by:\n    no such row\n',
      ],
      sqlx: [
        `${panic('main')}called \`Result::unwrap()\` on an \`Err\` value: PoolTimedOut after {3|12}s`,
        `${panic('main')}called \`Result::unwrap()\` on an \`Err\` value: RowNotFound`,
      ],
      actix: [
        `${panic('actix-rt:{7|11}')}arbiter is stopped, worker {7|11}`,
        `${panic('actix-rt:7')}there is no reactor running, worker 7`,
      ],
    },
  },
  PHP: {
    logged: (error) => `${error}\nStack trace:\n#0 /var/www/app/Orders.php(41): find(7)\n#1 {main}`,
    frameworks: {
      'no framework': [
        'PHP Fatal error:  Uncaught TypeError: find(): Argument #1 ($id) must be of type int, string given, called in /var/www/{a.php on line 41|b/c.php on line 3}',
        'PHP Fatal error:  Allowed memory size of 134217728 bytes exhausted in /var/www/a.php on line 41',
      ],
      Laravel: [
        'production.ERROR: No query results for model [App\\Models\\Order] {7|912} {"userId":{7|81}}',
        'production.ERROR: Unauthenticated. {"userId":7}',
      ],
      Symfony: [
        'Uncaught PHP Exception NotFoundHttpException: "No route for /{x/7|y/8}" at RouterListener.php line {135|156}',
        'Uncaught PHP Exception AccessDeniedHttpException: "Access denied" at ExceptionListener.php line 102',
      ],
      Doctrine: [
        'An exception occurred while executing a query: SQLSTATE[23000]: Duplicate entry {7|912}',
        'An exception occurred in the driver: SQLSTATE[HY000]: Connection refused',
      ],
      Guzzle: [
        'cURL error 28: Operation timed out after {3001|10000} milliseconds for https://{a.example/orders/7|b.example/x}',
        'cURL error 6: Could not resolve host for https://a.example/orders/7',
      ],
    },
  },
  Elixir: {
    logged: (error) =>
      `${error}\n    (shop 0.1.0) lib/shop/orders.ex:41: Shop.Orders.find/1\n    (elixir 1.17.0) lib/enum.ex:3: Enum.map/2`,
    frameworks: {
      'no framework': [
        '** (KeyError) key :id not found in order {7|912}',
        '** (ArithmeticError) bad argument in arithmetic expression',
      ],
      GenServer: [
        'GenServer Shop.Worker terminating\n** (RuntimeError) order {7|912} is closed',
        'GenServer Shop.Worker terminating\n** (MatchError) no match of right hand side value',
      ],
      Phoenix: [
        '#PID<0.{512|99}.0> running Shop.Endpoint terminated\n** (Ecto.NoResultsError) expected one result, 0 for {7|8}',
        '#PID<0.512.0> running Shop.Endpoint terminated\n** (Phoenix.ActionClauseError) no function clause',
      ],
      Ecto: [
        '** (DBConnection.ConnectionError) tcp recv: timed out after {3|15}000ms',
        '** (Postgrex.Error) ERROR 23505 duplicate key',
      ],
      Oban: [
        'Job {7|912} of queue mail failed\n** (Shop.MailError) no answer in {3|12} s',
        'Job 7 of queue mail failed\n** (Shop.TemplateError) no answer in 3 s',
      ],
    },
  },
};

/** The three errors of each framework: of a fault, of the same one with other values, and of the other one. */
const all = Object.entries(runtimes).flatMap(([runtime, { logged, frameworks }]) =>
  Object.entries(frameworks).map(([framework, [before, now]]) => ({
    name: `${runtime}, ${framework}`,
    errors: [
      ...['$1', '$2'].map((value) => logged(before.replace(/\{([^{}|]+)\|([^{}|]+)\}/g, value))),
      logged(now),
    ],
  })),
);

describe('Kinds of errors of ten runtimes with five frameworks each', () => {
  it('are fifty', () => {
    assert.equal(Object.keys(runtimes).length, 10);
    assert.equal(all.length, 50);
  });

  it('are the same for other values and others for another fault, in at least 95 of 100 pairs', () => {
    const ids = patternIds(all.flatMap(({ errors }) => errors));
    const wrong: string[] = [];
    /** The name of each fault by its pattern: a kind of one framework is none of another one. */
    const faults = new Map<string, string>();
    for (const [index, { name }] of all.entries()) {
      const [one = '', same = '', other = ''] = ids.slice(3 * index);
      if (one !== same) wrong.push(`${name}: ${one} ≠ ${same}`);
      if (one === other) wrong.push(`${name}: ${one} = another fault`);
      for (const [id, fault] of [
        [one, name],
        [same, name],
        [other, `${name}, other`],
      ] as const) {
        assert.equal(faults.get(id) ?? fault, fault, id);
        faults.set(id, fault);
      }
    }
    assert.isAtMost(wrong.length, 0.05 * 2 * all.length, wrong.join('\n'));
  });
});
