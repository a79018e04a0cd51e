import { assert } from 'chai';
import { ApiError } from '../../../../src/api/errors';
import { tailMeaning } from '../../../../src/logs/tail/reconnectPolicy';
import { covers } from '../../covers';

function httpError(status: number, message = 'No.'): ApiError {
  return new ApiError({ kind: 'http', status, code: `code_${status}`, message });
}

describe('the meaning of an error', () => {
  for (const [error, meaning] of [
    [new ApiError({ kind: 'network', code: 'reset', message: '' }), 'passing'],
    [new ApiError({ kind: 'protocol', code: 'notJson', message: '' }), 'passing'],
    [new ApiError({ kind: 'timeout', code: 'timeout', message: '' }), 'passing'],
    [new ApiError({ kind: 'redirect', code: 'redirect', message: '', status: 302 }), 'refused'],
    [new ApiError({ kind: 'signedOut', code: 'noKey', message: '' }), 'signedOut'],
    [httpError(400), 'refused'],
    [httpError(400, 'The cursor is too old.'), 'lostCursor'],
    [httpError(401), 'unknownKey'],
    [httpError(403), 'missingPermission'],
    [httpError(404), 'notFound'],
    [httpError(407), 'refused'],
    [httpError(408), 'passing'],
    [httpError(409), 'lostCursor'],
    [httpError(410), 'lostCursor'],
    [httpError(413), 'refused'],
    [httpError(422), 'lostCursor'],
    [httpError(425), 'passing'],
    [httpError(429), 'rateLimited'],
    [httpError(500), 'passing'],
    [httpError(504), 'passing'],
  ] as const) {
    const { kind, status } = error;
    it(`is ${meaning} for ${kind} ${status ?? ''} ${error.message} ${covers('F19, F20, F21, F22, F24', 'unit')}`, () => {
      assert.equal(tailMeaning(error), meaning);
    });
  }

  for (const [code, meaning] of [
    ['migrate_failed', 'passing'],
    ['generateLimitsFailed', 'passing'],
    ['operation_rate_unknown', 'passing'],
    ['rate_limited', 'rateLimited'],
    ['apiRateLimit', 'rateLimited'],
    ['RATE-LIMIT-EXCEEDED', 'rateLimited'],
    ['TooManyRequests', 'rateLimited'],
    ['request_throttled', 'rateLimited'],
    ['cursorExpired', 'lostCursor'],
    ['invalidApiKey', 'unknownKey'],
    ['access_denied', 'missingPermission'],
    ['stream.notFound', 'notFound'],
  ] as const) {
    it(`is ${meaning} for an event with the code ${code} ${covers('F25', 'unit')}`, () => {
      const error = new ApiError({ kind: 'http', code, message: '' });
      assert.equal(tailMeaning(error), meaning);
    });
  }
});
