import { assert } from 'chai';
import type { LogRecord } from '../../../../src/api/types';
import {
  hasSeverityOfBody,
  shownSeverity,
  withShownSeverity,
} from '../../../../src/logs/record/shownSeverity';
import { sampleRecord } from '../sampleRecord';

const onStderr = { severity: 'error', stream: 'stderr' } as const;

const shown = (body: string, changes: Partial<LogRecord> = onStderr): string =>
  shownSeverity(sampleRecord({ body, ...changes }), 'body');

describe('shown severity', () => {
  it('is the level of a structured body where that of the server only repeats the stream', () => {
    const body = '{"level":"debug","msg":"x"}';
    assert.equal(shown(body), 'debug');
    assert.equal(shown(body, { severity: 'unknown', stream: 'stdout' }), 'debug');
    assert.equal(shown(body, { severity: 'info', stream: 'stdout' }), 'debug');
    assert.equal(shown('level=warn msg="slow query"'), 'warn');
  });

  it('is that of the server where it says more than the stream, or a setting says so', () => {
    const body = '{"level":"debug","msg":"x"}';
    assert.equal(shown(body, { severity: 'error', stream: 'stdout' }), 'error');
    assert.equal(shown(body, { severity: 'warn', stream: 'stderr' }), 'warn');
    assert.equal(shown(body, { severity: 'unknown', severityText: 'notice' }), 'unknown');
    assert.equal(shownSeverity(sampleRecord({ body, ...onStderr }), 'server'), 'error');
  });

  it('is that of the server if the body has no level, or one that nobody knows', () => {
    for (const body of ['it failed', '{"msg":"x"}', '{"level":"odd","msg":"x"}', '{"level":{}}'])
      assert.equal(shown(body), 'error', body);
  });

  it('reads levels by the numbers of their loggers', () => {
    const levels: readonly (readonly [string, string])[] = [
      ['{"level":30,"msg":"pino"}', 'info'],
      ['{"level":60,"msg":"pino"}', 'fatal'],
      ['{"levelno":30,"message":"Python"}', 'warn'],
      ['{"levelno":50,"message":"Python"}', 'fatal'],
      ['{"severityNumber":9,"body":"OpenTelemetry"}', 'info'],
      ['{"short_message":"GELF","level":4}', 'warn'],
      ['{"PRIORITY":"6","MESSAGE":"journald"}', 'info'],
      ['{"level":{"name":"WARNING","no":30},"message":"loguru"}', 'warn'],
      ['{"level":1000000,"msg":"x"}', 'error'],
      ['{"level":-1,"msg":"x"}', 'error'],
    ];
    for (const [body, severity] of levels) assert.equal(shown(body), severity, body);
  });

  it('makes another record only if it differs', () => {
    const info = sampleRecord({ body: '{"level":"info","msg":"x"}', ...onStderr });
    assert.deepEqual(withShownSeverity(info, 'body'), { ...info, severity: 'info' });
    assert.isTrue(hasSeverityOfBody(info, 'body'));
    const error = sampleRecord({ body: '{"level":"error","msg":"x"}', ...onStderr });
    assert.strictEqual(withShownSeverity(error, 'body'), error);
    assert.isFalse(hasSeverityOfBody(error, 'body'));
  });
});
