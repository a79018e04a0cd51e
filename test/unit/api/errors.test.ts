import { assert } from 'chai';
import { statusOfCode } from '../../../src/api/errors';

describe('statusOfCode', () => {
  const codes: [string, number | undefined][] = [
    ['BAD_REQUEST', 400],
    ['invalidRequest', 400],
    ['UNAUTHENTICATED', 401],
    ['bad-api-key', 401],
    ['PermissionDenied', 403],
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
