import { assert } from 'chai';
import {
  errorOf,
  failureMeaning,
  type FailureMeaning,
  problemOf,
} from '../../../src/actions/sendAction';
import {
  ApiError,
  type ApiErrorKind,
  InvalidRequestError,
  localizableMessage,
} from '../../../src/api/errors';

const invalid = new InvalidRequestError(
  'items',
  localizableMessage('is empty'),
  localizableMessage('1 to 100'),
);

function failure(kind: ApiErrorKind, status?: number, code = 'some_code'): ApiError {
  const by = status === undefined ? {} : { status };
  return new ApiError({ kind, code, message: 'Why.', requestId: 'r-1', ...by });
}

function network(code: string): ApiError {
  return new ApiError({ kind: 'network', code, message: 'No.' });
}

describe('failureMeaning', () => {
  const cases: readonly (readonly [FailureMeaning, string, unknown])[] = [
    ['refused', 'an invalid value', invalid],
    ['refused', 'no key', failure('signedOut')],
    ['unknown', 'a time-out', failure('timeout')],
    ['unknown', 'a redirect', failure('redirect')],
    ['unknown', 'a response that violates the contract', failure('protocol')],
    ['unknown', 'an error of this client', new Error('What?')],
    ['unknown', 'a text', 'thrown'],
    ['refused', 'a port without a listener', network('refused')],
    ['refused', 'a name without an address', network('dns')],
    ['refused', 'an expired certificate', network('certificateExpired')],
    ['unknown', 'a reset connection', network('reset')],
    ...[400, 401, 403, 404, 405, 406, 411, 413, 414, 415, 429, 431].map(
      (status) => ['refused', `status ${status}`, failure('http', status)] as const,
    ),
    ...[408, 500, 502, 503, 504].map(
      (status) => ['unknown', `status ${status}`, failure('http', status)] as const,
    ),
    ...[402, 409, 410, 422, 451].map(
      (status) => ['open', `status ${status}`, failure('http', status)] as const,
    ),
    ...['invalid_items', 'validationFailed', 'malformed-body', 'UNSUPPORTED.item'].map(
      (code) => ['refused', `422 ${code}`, failure('http', 422, code)] as const,
    ),
    ...['invalid_idempotency_key', 'invalidated', 'in_progress', ''].map(
      (code) => ['open', `422 ${code}`, failure('http', 422, code)] as const,
    ),
  ];
  for (const [meaning, what, error] of cases) {
    it(`is ${meaning} for ${what}`, () => assert.equal(failureMeaning(error), meaning));
  }
});

describe('problemOf and errorOf', () => {
  it('keep everything that the server sent', () => {
    for (const kind of [
      'http',
      'network',
      'timeout',
      'redirect',
      'protocol',
      'signedOut',
    ] as const) {
      const problem = problemOf(failure(kind, 418));
      assert.deepEqual(problem, {
        ...{ kind, status: 418, code: 'some_code' },
        ...{ message: 'Why.', requestId: 'r-1' },
      });
      const again = errorOf(problem);
      assert.instanceOf(again, ApiError);
      assert.deepEqual(problemOf(again), problem);
    }
  });

  it('add no members', () => {
    const bare = new ApiError({ kind: 'network', code: 'reset', message: '' });
    assert.hasAllKeys(problemOf(bare), ['kind', 'code', 'message']);
    assert.deepEqual(problemOf(new Error('Full.')), { kind: 'other', message: 'Full.' });
    assert.deepEqual(problemOf('full'), { kind: 'other', message: 'full' });
    assert.equal(problemOf(invalid).kind, 'invalid');
  });

  it('keep the message of any other error', () => {
    const error = errorOf({ kind: 'other', message: 'Full.' });
    assert.notInstanceOf(error, ApiError);
    assert.equal(error.message, 'Full.');
    assert.propertyVal(errorOf({ kind: 'http', message: '' }), 'code', '');
  });
});
