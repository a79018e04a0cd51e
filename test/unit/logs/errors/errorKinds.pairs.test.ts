import { assert } from 'chai';
import { patternIds } from '../../../../src/logs/record/patterns';

/** What a framework logs of a fault: with some values, with others, and of another fault. */
type Faults = readonly [one: string, same: string, other: string];

const java = (error: string, cause?: string): string =>
  `${error}\n\tat com.shop.order.OrderService.find(OrderService.java:41)\n\tat jdk.internal.Invoke.run(Invoke.java:5)` +
  (cause === undefined
    ? ''
    : `\nCaused by: ${cause}\n\tat com.shop.db.Pool.take(Pool.java:9)\n\t... 12 more`);
const node = (error: string): string =>
  `${error}\n    at find (/srv/app/orders.js:12:9)\n    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)`;
const python = (error: string): string =>
  `Traceback (most recent call last):\n  File "/srv/app/orders.py", line 12, in find\n    return load(number)\n  File "/srv/app/db.py", line 7, in load\n    raise error\n${error}`;
const go = (error: string): string =>
  `${error}\n\ngoroutine 19 [running]:\nmain.find(0xc000010000)\n\t/srv/app/orders.go:41 +0x1d`;
const dotnet = (error: string, cause?: string): string =>
  `${error}${cause === undefined ? '' : `\n ---> ${cause}\n   at Shop.Db.Take() in /src/Db.cs:line 9\n   --- End of inner exception stack trace ---`}\n   at Shop.Orders.Find(Int32 id) in /src/Orders.cs:line 41`;
const ruby = (error: string): string =>
  `${error}\napp/models/order.rb:41:in \`find'\napp/jobs/a.rb:3:in \`run'`;
const rust = (error: string, thread = 'main'): string =>
  `thread '${thread}' panicked at src/orders.rs:41:9:\n${error}\nstack backtrace:\n   0: rust_begin_unwind`;
const php = (error: string): string =>
  `${error}\nStack trace:\n#0 /var/www/app/Orders.php(41): find(7)\n#1 {main}`;
const elixir = (error: string): string =>
  `${error}\n    (shop 0.1.0) lib/shop/orders.ex:41: Shop.Orders.find/1\n    (elixir 1.17.0) lib/enum.ex:3: Enum.map/2`;

const runtimes: Readonly<Record<string, Readonly<Record<string, Faults>>>> = {
  Java: {
    'no framework': [
      java(
        'Exception in thread "pool-1-thread-3" java.lang.IllegalStateException: order 7 is closed',
      ),
      java(
        'Exception in thread "pool-2-thread-9" java.lang.IllegalStateException: order 812 is closed',
      ),
      java(
        'Exception in thread "pool-1-thread-3" java.lang.IllegalStateException: cart 7 is empty',
      ),
    ],
    Spring: [
      java(
        'Servlet.service() for servlet [dispatcherServlet] in context with path [] threw exception\njava.lang.NullPointerException: Cannot invoke "Order.getId()" because "order" is null',
      ),
      java(
        'Servlet.service() for servlet [dispatcherServlet] in context with path [] threw exception\njava.lang.NullPointerException: Cannot invoke "Cart.getId()" because "cart" is null',
      ),
      java(
        'Servlet.service() for servlet [dispatcherServlet] in context with path [] threw exception\njava.lang.IllegalArgumentException: no such currency',
      ),
    ],
    Quarkus: [
      java(
        'HTTP Request to /orders/7 failed, error id: 6c2b3f91-1d2e-4f30-9b4c-5d6e7f809102-1\njava.lang.RuntimeException: no stock of item 7',
      ),
      java(
        'HTTP Request to /orders/81 failed, error id: 7c2b3f91-1d2e-4f30-9b4c-5d6e7f809102-3\njava.lang.RuntimeException: no stock of item 9',
      ),
      java(
        'HTTP Request to /orders/7 failed, error id: 6c2b3f91-1d2e-4f30-9b4c-5d6e7f809102-1\njava.net.ConnectException: Connection refused',
      ),
    ],
    Hibernate: [
      java(
        'org.hibernate.exception.JDBCConnectionException: could not open a connection',
        'java.net.SocketTimeoutException: Read timed out after 3000 ms',
      ),
      java(
        'org.hibernate.exception.JDBCConnectionException: could not open a connection',
        'java.net.SocketTimeoutException: Read timed out after 12 s',
      ),
      java(
        'org.hibernate.exception.JDBCConnectionException: could not open a connection',
        'java.net.UnknownHostException: db.shop.internal',
      ),
    ],
    Kafka: [
      java(
        'Error processing record at offset 912 of orders-3\norg.apache.kafka.common.errors.SerializationException: Unknown magic byte 7',
      ),
      java(
        'Error processing record at offset 7 of orders-11\norg.apache.kafka.common.errors.SerializationException: Unknown magic byte 0',
      ),
      java(
        'Error processing record at offset 7 of orders-11\norg.apache.kafka.common.errors.RebalanceInProgressException: The group is rebalancing',
      ),
    ],
  },
  Kotlin: {
    'no framework': [
      java(
        'kotlin.UninitializedPropertyAccessException: lateinit property cart of session 7 is missing',
      ),
      java(
        'kotlin.UninitializedPropertyAccessException: lateinit property cart of session 99 is missing',
      ),
      java('java.util.NoSuchElementException: List is empty.'),
    ],
    Ktor: [
      java('Unhandled: GET - /orders/7\nio.ktor.server.plugins.NotFoundException: order 7'),
      java('Unhandled: GET - /orders/912\nio.ktor.server.plugins.NotFoundException: order 912'),
      java('Unhandled: GET - /orders/7\nio.ktor.server.plugins.BadRequestException: order 7'),
    ],
    coroutines: [
      java('kotlinx.coroutines.TimeoutCancellationException: Timed out waiting for 3000 ms'),
      java('kotlinx.coroutines.TimeoutCancellationException: Timed out waiting for 50 ms'),
      java('kotlinx.coroutines.JobCancellationException: Parent job is Cancelling'),
    ],
    Exposed: [
      java("Transaction attempt #1 failed\njava.sql.SQLException: Deadlock found; order '7'"),
      java("Transaction attempt #3 failed\njava.sql.SQLException: Deadlock found; order '52'"),
      java("Transaction attempt #1 failed\njava.sql.SQLException: Too many connections; order '7'"),
    ],
    Android: [
      java(
        'FATAL EXCEPTION: main\njava.lang.OutOfMemoryError: Failed to allocate a 1048576 byte allocation',
      ),
      java(
        'FATAL EXCEPTION: main\njava.lang.OutOfMemoryError: Failed to allocate a 64 byte allocation',
      ),
      java('FATAL EXCEPTION: main\njava.lang.SecurityException: Permission denied'),
    ],
  },
  'Node.js': {
    'no framework': [
      node('Uncaught Error: order 7 is closed'),
      node('Uncaught Error: order 912 is closed'),
      node('Uncaught Error: order 7 has no items'),
    ],
    Express: [
      node("TypeError: Cannot read properties of undefined (reading 'id')"),
      node("TypeError: Cannot read properties of undefined (reading 'name')"),
      node('TypeError: callback is not a function'),
    ],
    NestJS: [
      node('[ExceptionsHandler] Request failed\nError: connect ECONNREFUSED 10.0.0.7:5432'),
      node('[ExceptionsHandler] Request failed\nError: connect ECONNREFUSED 10.1.4.9:5432'),
      node('[ExceptionsHandler] Request failed\nError: self-signed certificate in chain'),
    ],
    Prisma: [
      node('PrismaClientKnownRequestError: Unique constraint failed on the fields: (`email`)'),
      node('PrismaClientKnownRequestError: Unique constraint failed on the fields: (`name`)'),
      node('PrismaClientInitializationError: Can not reach database server at `db:5432`'),
    ],
    axios: [
      node('AxiosError: Request failed with status code 503'),
      node('AxiosError: Request failed with status code 404'),
      node('AxiosError: timeout of 3000 ms exceeded'),
    ],
  },
  Python: {
    'no framework': [
      python("KeyError: 'order-7'"),
      python("KeyError: 'order-912'"),
      python('ZeroDivisionError: division by zero'),
    ],
    Django: [
      `Internal Server Error: /orders/7/\n${python('shop.models.Order.DoesNotExist: Order matching query 7 does not exist.')}`,
      `Internal Server Error: /orders/66/\n${python('shop.models.Order.DoesNotExist: Order matching query 66 does not exist.')}`,
      `Internal Server Error: /orders/7/\n${python('django.db.utils.OperationalError: server closed the connection')}`,
    ],
    Flask: [
      `Exception on /orders/7 [GET]\n${python('ValueError: invalid literal for int() with base 10: "x7"')}`,
      `Exception on /orders/9 [GET]\n${python('ValueError: invalid literal for int() with base 10: "abc"')}`,
      `Exception on /orders/7 [GET]\n${python('werkzeug.routing.BuildError: Could not build url')}`,
    ],
    FastAPI: [
      `Exception in ASGI application\n${python('pydantic.ValidationError: 2 validation errors for Order')}`,
      `Exception in ASGI application\n${python('pydantic.ValidationError: 5 validation errors for Order')}`,
      `Exception in ASGI application\n${python('asyncio.TimeoutError: pool is exhausted')}`,
    ],
    Celery: [
      `Task shop.send[6c2b3f91-1d2e-4f30-9b4c-5d6e7f809102] raised unexpected\n${python('ConnectionResetError: [Errno 104] Connection reset by peer')}`,
      `Task shop.send[7c2b3f91-1d2e-4f30-9b4c-5d6e7f809102] raised unexpected\n${python('ConnectionResetError: [Errno 104] Connection reset by peer')}`,
      `Task shop.send[6c2b3f91-1d2e-4f30-9b4c-5d6e7f809102] raised unexpected\n${python('MemoryError: out of memory')}`,
    ],
  },
  Go: {
    'no framework': [
      go('panic: runtime error: index out of range [7] with length 3'),
      go('panic: runtime error: index out of range [12] with length 9'),
      go('panic: runtime error: invalid memory address or nil pointer dereference'),
    ],
    'net/http': [
      go('http: panic serving 10.0.0.7:52114: order 7 is closed'),
      go(
        'http: panic serving [fe80::1:2:3:4]:1207: order 912 is closed'.replace(
          '[fe80::1:2:3:4]',
          '10.9.8.7',
        ),
      ),
      go('http: panic serving 10.0.0.7:52114: cart 7 is empty'),
    ],
    gin: [
      go(
        '[Recovery] 2026/11/20 - 12:00:00 panic recovered:\nGET /orders/7 HTTP/1.1\nassignment to entry in nil map',
      ),
      go(
        '[Recovery] 2026/11/21 - 02:10:30 panic recovered:\nGET /orders/7 HTTP/1.1\nassignment to entry in nil map',
      ),
      go('http: Accept error: accept tcp: too many open files; retrying in 5ms'),
    ],
    gRPC: [
      go('rpc error: code = DeadlineExceeded desc = context deadline exceeded after 3s'),
      go('rpc error: code = DeadlineExceeded desc = context deadline exceeded after 100ms'),
      go('rpc error: code = Unavailable desc = connection refused'),
    ],
    pgx: [
      go('failed to connect to host=10.0.0.7 user=shop: dial error: timeout: 3s'),
      go('failed to connect to host=db-2 user=shop: dial error: timeout: 10s'),
      go('ERROR: duplicate key value violates unique constraint "orders_pkey" (SQLSTATE 23505)'),
    ],
  },
  Ruby: {
    'no framework': [
      ruby("/app/orders.rb:3:in 'Orders#find': order 7 is closed (RuntimeError)"),
      ruby("/app/orders.rb:3:in 'Orders#find': order 912 is closed (RuntimeError)"),
      ruby("/app/orders.rb:3:in 'Orders#find': undefined method for nil (NoMethodError)"),
    ],
    Rails: [
      ruby("ActiveRecord::RecordNotFound (Couldn't find Order with 'id'=7):"),
      ruby("ActiveRecord::RecordNotFound (Couldn't find Order with 'id'=912):"),
      ruby('ActionController::RoutingError (No route matches [GET] "/x"):'),
    ],
    Sidekiq: [
      ruby('Job 9f86d081884c7d65a2feaa0c failed: Net::ReadTimeout with 3 s'),
      ruby('Job 1f86d081884c7d65a2feaa0d failed: Net::ReadTimeout with 12 s'),
      ruby('Job 9f86d081884c7d65a2feaa0c failed: Redis::CannotConnectError'),
    ],
    Puma: [
      ruby('Puma caught this error: stream closed in another thread (IOError) #1234'),
      ruby('Puma caught this error: stream closed in another thread (IOError) #9'),
      ruby('Puma caught this error: Broken pipe (Errno::EPIPE) #1234'),
    ],
    Faraday: [
      ruby('Faraday::ServerError: the server responded with status 503 for /orders/7'),
      ruby('Faraday::ServerError: the server responded with status 500 for /orders/8'),
      ruby('Faraday::SSLError: certificate verify failed for /orders/7'),
    ],
  },
  'C#': {
    'no framework': [
      dotnet('Unhandled exception. System.InvalidOperationException: order 7 is closed'),
      dotnet('Unhandled exception. System.InvalidOperationException: order 912 is closed'),
      dotnet(
        'Unhandled exception. System.InvalidOperationException: Sequence contains no elements',
      ),
    ],
    'ASP.NET Core': [
      dotnet(
        'An unhandled exception has occurred while executing the request.\nSystem.NullReferenceException: no cart 7',
      ),
      dotnet(
        'An unhandled exception has occurred while executing the request.\nSystem.NullReferenceException: no cart 81',
      ),
      dotnet(
        'An unhandled exception has occurred while executing the request.\nSystem.FormatException: no cart 7',
      ),
    ],
    'Entity Framework': [
      dotnet(
        'Microsoft.EntityFrameworkCore.DbUpdateException: An error occurred while saving the changes.',
        "Npgsql.PostgresException: 23505: duplicate key 'a'",
      ),
      dotnet(
        'Microsoft.EntityFrameworkCore.DbUpdateException: An error occurred while saving the changes.',
        "Npgsql.PostgresException: 23505: duplicate key 'bc'",
      ),
      dotnet(
        'Microsoft.EntityFrameworkCore.DbUpdateException: An error occurred while saving the changes.',
        'Npgsql.NpgsqlException: The connection pool has been exhausted',
      ),
    ],
    HttpClient: [
      dotnet('System.Net.Http.HttpRequestException: Connection refused (10.0.0.7:443)'),
      dotnet('System.Net.Http.HttpRequestException: Connection refused (payments:443)'),
      dotnet('System.Threading.Tasks.TaskCanceledException: The request was canceled'),
    ],
    Hangfire: [
      dotnet(
        'Failed to process the job 7: an exception occurred.\nSystem.TimeoutException: after 3 s',
      ),
      dotnet(
        'Failed to process the job 912: an exception occurred.\nSystem.TimeoutException: after 9 s',
      ),
      dotnet(
        'Failed to process the job 7: an exception occurred.\nSystem.IO.IOException: disk is full',
      ),
    ],
  },
  Rust: {
    'no framework': [
      rust('index out of bounds: the len is 3 but the index is 7'),
      rust('index out of bounds: the len is 9 but the index is 12', 'worker-2'),
      rust('called `Option::unwrap()` on a `None` value'),
    ],
    tokio: [
      rust('order 7 is closed', 'tokio-runtime-worker'),
      rust('order 912 is closed', 'tokio-runtime-worker'),
      rust('cart 7 is empty', 'tokio-runtime-worker'),
    ],
    anyhow: [
      'Error: cannot load order 7\n\nCaused by:\n    no such row\n\nStack backtrace:\n   0: main',
      'Error: cannot load order 81\n\nCaused by:\n    no such row\n\nStack backtrace:\n   0: main',
      'Error: cannot parse the settings\n\nCaused by:\n    no such row\n\nStack backtrace:\n   0: main',
    ],
    sqlx: [
      rust('called `Result::unwrap()` on an `Err` value: PoolTimedOut after 3s'),
      rust('called `Result::unwrap()` on an `Err` value: PoolTimedOut after 12s'),
      rust('called `Result::unwrap()` on an `Err` value: RowNotFound'),
    ],
    actix: [
      rust('arbiter is stopped, worker 7', 'actix-rt:7'),
      rust('arbiter is stopped, worker 11', 'actix-rt:11'),
      rust('there is no reactor running, worker 7', 'actix-rt:7'),
    ],
  },
  PHP: {
    'no framework': [
      php(
        'PHP Fatal error:  Uncaught TypeError: find(): Argument #1 ($id) must be of type int, string given, called in /var/www/a.php on line 41',
      ),
      php(
        'PHP Fatal error:  Uncaught TypeError: find(): Argument #1 ($id) must be of type int, string given, called in /var/www/b/c.php on line 3',
      ),
      php(
        'PHP Fatal error:  Allowed memory size of 134217728 bytes exhausted in /var/www/a.php on line 41',
      ),
    ],
    Laravel: [
      php('production.ERROR: No query results for model [App\\Models\\Order] 7 {"userId":7}'),
      php('production.ERROR: No query results for model [App\\Models\\Order] 912 {"userId":81}'),
      php('production.ERROR: Unauthenticated. {"userId":7}'),
    ],
    Symfony: [
      php(
        'Uncaught PHP Exception NotFoundHttpException: "No route for /x/7" at RouterListener.php line 135',
      ),
      php(
        'Uncaught PHP Exception NotFoundHttpException: "No route for /y/8" at RouterListener.php line 156',
      ),
      php(
        'Uncaught PHP Exception AccessDeniedHttpException: "Access denied" at ExceptionListener.php line 102',
      ),
    ],
    Doctrine: [
      php('An exception occurred while executing a query: SQLSTATE[23000]: Duplicate entry 7'),
      php('An exception occurred while executing a query: SQLSTATE[23000]: Duplicate entry 912'),
      php('An exception occurred in the driver: SQLSTATE[HY000]: Connection refused'),
    ],
    Guzzle: [
      php(
        'cURL error 28: Operation timed out after 3001 milliseconds for https://a.example/orders/7',
      ),
      php('cURL error 28: Operation timed out after 10000 milliseconds for https://b.example/x'),
      php('cURL error 6: Could not resolve host for https://a.example/orders/7'),
    ],
  },
  Elixir: {
    'no framework': [
      elixir('** (KeyError) key :id not found in order 7'),
      elixir('** (KeyError) key :id not found in order 912'),
      elixir('** (ArithmeticError) bad argument in arithmetic expression'),
    ],
    GenServer: [
      elixir('GenServer Shop.Worker terminating\n** (RuntimeError) order 7 is closed'),
      elixir('GenServer Shop.Worker terminating\n** (RuntimeError) order 912 is closed'),
      elixir(
        'GenServer Shop.Worker terminating\n** (MatchError) no match of right hand side value',
      ),
    ],
    Phoenix: [
      elixir(
        '#PID<0.512.0> running Shop.Endpoint terminated\n** (Ecto.NoResultsError) expected one result, 0 for 7',
      ),
      elixir(
        '#PID<0.99.0> running Shop.Endpoint terminated\n** (Ecto.NoResultsError) expected one result, 0 for 8',
      ),
      elixir(
        '#PID<0.512.0> running Shop.Endpoint terminated\n** (Phoenix.ActionClauseError) no function clause',
      ),
    ],
    Ecto: [
      elixir('** (DBConnection.ConnectionError) tcp recv: timed out after 3000ms'),
      elixir('** (DBConnection.ConnectionError) tcp recv: timed out after 15000ms'),
      elixir('** (Postgrex.Error) ERROR 23505 duplicate key'),
    ],
    Oban: [
      elixir('Job 7 of queue mail failed\n** (Shop.MailError) no answer in 3 s'),
      elixir('Job 912 of queue mail failed\n** (Shop.MailError) no answer in 12 s'),
      elixir('Job 7 of queue mail failed\n** (Shop.TemplateError) no answer in 3 s'),
    ],
  },
};

describe('Kinds of errors of ten runtimes with five frameworks each', () => {
  const all = Object.entries(runtimes).flatMap(([runtime, frameworks]) =>
    Object.entries(frameworks).map(([framework, faults]) => ({
      name: `${runtime}, ${framework}`,
      faults,
    })),
  );

  it('are fifty', () => {
    assert.equal(Object.keys(runtimes).length, 10);
    assert.equal(all.length, 50);
  });

  it('are the same for other values and others for another fault, in at least 95 of 100 pairs', () => {
    const ids = patternIds(all.flatMap(({ faults }) => faults));
    const wrong: string[] = [];
    const faultOf = (index: number): string =>
      `${all[Math.floor(index / 3)]?.name ?? ''}, ${index % 3 === 2 ? 'other' : 'one'}`;
    let pairs = 0;
    for (const [index, { name }] of all.entries()) {
      const [one, same, other] = ids.slice(3 * index, 3 * index + 3);
      pairs += 2;
      if (one !== same) wrong.push(`${name}: ${one ?? ''} ≠ ${same ?? ''}`);
      if (one === other) wrong.push(`${name}: ${one ?? ''} = another fault`);
    }
    assert.isAtMost(wrong.length, 0.05 * pairs, wrong.join('\n'));
    // A kind of one framework is none of another one.
    const faults = new Map<string, string>();
    for (const [index, id] of ids.entries()) {
      assert.equal(faults.get(id) ?? faultOf(index), faultOf(index), id);
      faults.set(id, faultOf(index));
    }
  });
});
