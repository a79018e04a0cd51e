import { assert } from 'chai';
import {
  statusOfCode,
  ApiError,
  networkError,
  networkProblem,
  networkProblemOf,
  type NetworkProblem,
  withoutSecrets,
} from '../../../src/api/errors';
import { covers } from '../covers';

describe('statusOfCode', () => {
  const codes: [string, number | undefined][] = [
    ['BAD_REQUEST', 400],
    ['invalidRequest', 400],
    ['UNAUTHENTICATED', 401],
    ['bad-api-key', 401],
    ['PermissionDenied', 403],
    ['FORBIDDEN', 403],
    ['workload_not_found', 404],
    ['NOTFOUND', 404],
    ['request_timeout', 408],
    ['conflict', 409],
    ['conflicting_filters', undefined],
    ['cursor_expired', 410],
    ['CursorInvalid', 422],
    ['payloadTooLarge', 413],
    ['UNPROCESSABLE_ENTITY', 422],
    ['rateLimited', 429],
    ['too-many-requests', 429],
    ['migrate_limited', undefined],
    ['internal_error', 500],
    ['InternalServerError', 500],
    ['service_unavailable', 503],
    ['GATEWAYTIMEOUT', 504],
    ['surprise', undefined],
    ['', undefined],
  ];
  for (const [code, status] of codes) {
    it(`is ${status} for "${code}"`, () => assert.equal(statusOfCode(code), status));
  }
});

it(`withoutSecrets replaces secrets, also as JSON escapes them ${covers('F50', 'unit')}`, () => {
  const text = String.raw`k/"1 k/\"1 k\/\"1 k/ k`;
  assert.equal(withoutSecrets(text, ['k/"1', 'k/', '']), '*** *** *** *** k');
});

it('a refusal of the web page that sends a request is none of the key', () => {
  const refused = (message: string, code = 'FORBIDDEN', status = 403): string =>
    new ApiError({ kind: 'http', status, code, message }).meaning;
  assert.equal(refused('The origin of the request is not allowed.'), 'refused');
  assert.equal(refused('Not allowed.', 'ORIGIN_NOT_ALLOWED'), 'refused');
  assert.equal(refused('The original is yours alone.'), 'missingPermission');
  assert.equal(refused('The permission is required.'), 'missingPermission');
  assert.equal(refused('No such origin.', 'NOT_FOUND', 404), 'notFound');
});

/** An error as the fetch of Node.js throws it. */
function fetchFailed(code: string, message = `something ${code}`): TypeError {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) });
}

describe(`networkProblemOf ${covers('F61', 'unit')}`, () => {
  const codes: [string, NetworkProblem][] = [
    ['ECONNREFUSED', 'refused'],
    ['ENOTFOUND', 'dns'],
    ['EAI_AGAIN', 'dns'],
    ['ECONNRESET', 'reset'],
    ['EPIPE', 'reset'],
    ['UND_ERR_SOCKET', 'reset'],
    ['UND_ERR_BODY_TIMEOUT', 'reset'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'certificate'],
    ['CERT_HAS_EXPIRED', 'certificateExpired'],
    ['CERT_NOT_YET_VALID', 'certificateExpired'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'certificate'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificateHost'],
    ['ENETUNREACH', 'offline'],
    ['EHOSTUNREACH', 'unreachable'],
    ['ETIMEDOUT', 'unreachable'],
    ['UND_ERR_CONNECT_TIMEOUT', 'unreachable'],
    ['UND_ERR_PRX_TLS', 'proxy'],
    ['ESOMETHING', 'unknown'],
  ];
  for (const [code, problem] of codes) {
    it(`returns ${problem} for ${code}`, () => {
      assert.strictEqual(networkProblemOf(fetchFailed(code)), problem);
    });
  }

  const messages: [string, NetworkProblem][] = [
    ['Failed to fetch', 'cors'],
    ['Load failed', 'cors'],
    ['NetworkError when attempting to fetch resource.', 'cors'],
    ['terminated', 'reset'],
    // TLS breaks on an open connection, too, after the request was sent.
    ['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', 'reset'],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'reset'],
    ['net::ERR_SSL_PROTOCOL_ERROR', 'reset'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'noTls'],
    ['net::ERR_CERT_AUTHORITY_INVALID', 'certificate'],
    ['net::ERR_CERT_DATE_INVALID', 'certificateExpired'],
    ['net::ERR_CERT_COMMON_NAME_INVALID', 'certificateHost'],
    ['net::ERR_PROXY_CONNECTION_FAILED', 'proxy'],
    ['net::ERR_TUNNEL_CONNECTION_FAILED', 'proxy'],
    ['net::ERR_NAME_NOT_RESOLVED', 'dns'],
    ['net::ERR_INTERNET_DISCONNECTED', 'offline'],
    ['net::ERR_CONNECTION_REFUSED', 'refused'],
    ['net::ERR_EMPTY_RESPONSE', 'reset'],
    ['Failed to establish a socket connection to proxies: PROXY 127.0.0.1:8888', 'proxy'],
    ['tunneling socket could not be established, statusCode=407', 'proxy'],
    ['something else', 'unknown'],
  ];
  for (const [message, problem] of messages) {
    it(`returns ${problem} for "${message}"`, () => {
      assert.strictEqual(networkProblemOf(new TypeError(message)), problem);
    });
  }

  it('examines the errors of all addresses that were tried', () => {
    const errors = [
      fetchFailed('ESOMETHING'),
      Object.assign(new Error(''), { code: 'ECONNREFUSED' }),
    ];
    const cause = new AggregateError(errors, '');
    assert.strictEqual(networkProblemOf(new TypeError('fetch failed', { cause })), 'refused');
  });

  it('prefers a code to a message, because a host can have any name', () => {
    const error = fetchFailed('ENOTFOUND', 'getaddrinfo ENOTFOUND proxy.control-plane.example');
    assert.strictEqual(networkProblemOf(error), 'dns');
    const tunnel = fetchFailed(
      'UND_ERR_ABORTED',
      'Proxy response (407) !== 200 when HTTP Tunneling',
    );
    assert.strictEqual(networkProblemOf(tunnel), 'proxy');
  });

  const asked: [string, object, NetworkProblem][] = [
    ['https://cp.example', { code: 'ECONNREFUSED', port: 443 }, 'refused'],
    ['https://cp.example', { code: 'ECONNREFUSED', port: 3128 }, 'proxy'],
    ['http://[::1]:8080/team', { code: 'ECONNREFUSED', port: 8080 }, 'refused'],
    ['http://localhost', { code: 'ECONNREFUSED', port: 80 }, 'refused'],
    ['https://cp.example', { code: 'ENOTFOUND', hostname: 'cp.example' }, 'dns'],
    ['https://cp.example', { code: 'ENOTFOUND', hostname: 'gate.example' }, 'proxy'],
    ['https://cp.example', { code: 'ETIMEDOUT', port: 3128 }, 'proxy'],
    ['https://cp.example', { code: 'ECONNREFUSED' }, 'refused'],
    ['https://cp.example', { code: 'ECONNRESET', port: 3128 }, 'reset'],
  ];
  for (const [url, cause, problem] of asked) {
    it(`returns ${problem} for ${JSON.stringify(cause)} and a request to ${url}`, () => {
      const thrown = new TypeError('fetch failed', { cause });
      assert.strictEqual(networkProblemOf(thrown, url), problem);
      assert.strictEqual(networkProblem(networkError(thrown, url)), problem);
    });
  }

  it('handles any thrown value', () => {
    const round: { cause?: unknown; errors: unknown[] } = { errors: [] };
    round.cause = round;
    round.errors.push(round, round);
    for (const thrown of [undefined, null, 'text', 7, round, { code: 7, message: {} }]) {
      assert.strictEqual(networkProblemOf(thrown), 'unknown');
    }
  });
});

describe('networkProblem', () => {
  it('returns the network problem of errors of the client', () => {
    const http = (status: number): ApiError =>
      new ApiError({ kind: 'http', status, code: 'c', message: 'm' });
    const timeout = new ApiError({ kind: 'timeout', code: 'timeout', message: 'm' });
    assert.strictEqual(networkProblem(networkError(fetchFailed('ECONNRESET'))), 'reset');
    assert.strictEqual(networkProblem(http(407)), 'proxy');
    const odd = new ApiError({ kind: 'network', code: 'toString', message: 'm' });
    assert.strictEqual(networkProblem(odd), 'unknown');
    assert.strictEqual(networkProblem(timeout), 'unreachable');
    assert.isUndefined(networkProblem(http(500)));
  });
});
