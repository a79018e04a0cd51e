import { assert } from 'chai';
import * as fc from 'fast-check';
import manifest from '../../../package.json';
import { ApiError } from '../../../src/api/errors';
import { settings } from '../../../.config/settings';
import {
  changedSettings,
  type DiagnosticFacts,
  diagnosticsReport,
} from '../../../src/connection/diagnosticsReport';
import type { LogFilter } from '../../../src/logs/query/fields';
import { tailReport } from '../../../src/logs/tail/tailReport';
import type { TailState } from '../../../src/logs/tail/tailState';
import { canary, filters, harness, json, queryAnswer, uuid } from '../api/cannedAnswers';
import { covers } from '../covers';
import { anyText } from '../logs/anyText';
import { sampleRecord } from '../logs/sampleRecord';

const { configuration } = manifest.contributes;

const nothing: DiagnosticFacts = {
  takenAt: Date.UTC(2026, 10, 20, 12),
  about: [['Deployment Control Plane', '1.2.3']],
  connections: [],
  settings: [],
  server: [],
  tails: [],
  requests: [],
  keys: [],
};

const request: DiagnosticFacts['requests'][number] = {
  at: Date.UTC(2026, 10, 20, 11, 59),
  method: 'GET',
  path: '/v1/api/integrations',
  status: 200,
  milliseconds: 12.4,
  requestId: undefined,
  date: undefined,
  failure: undefined,
  leftOut: [],
};

function tail(state: TailState, filter: LogFilter = {}): string {
  return tailReport({
    rate: 2.5,
    tail: {
      filter,
      state,
      counters: { received: 9, streamed: 7, read: 8, dropped: 1, repeated: 2, connects: 3 },
    },
  });
}

/** An error whose texts all contain something that a report must not contain. */
const error = new ApiError({
  kind: 'http',
  code: 'validation_failed',
  message: 'canary-body of a log',
  status: 422,
  requestId: 'req_0123456789ab',
});

describe('The report of Copy Diagnostics', () => {
  it('has what a bug report needs', () => {
    const report = diagnosticsReport({
      ...nothing,
      connections: [{ name: 'production', origin: 'https://api.example.com', is: 'has a key' }],
      settings: [{ name: 'controlPlane.logs.maxLines', where: 'user', value: '5000' }],
      server: ['describes version 2.0.46', 'segments.repositories = "gitplace" (server)'],
      tails: [tail({ kind: 'failed', why: { kind: 'refused', error } }, { severities: ['error'] })],
      requests: [
        request,
        {
          ...request,
          status: 422,
          failure: 'validation_failed',
          requestId: 'req_0123456789ab',
          leftOut: ['items.0.name'],
        },
        { ...request, status: undefined, failure: 'timeout' },
      ],
    });
    assert.equal(
      report,
      `\`\`\`text
Deployment Control Plane: 1.2.3
Taken at: 2026-11-20T12:00:00.000Z

Connections:
  production · https://api.example.com · has a key

Settings that differ from their defaults:
  controlPlane.logs.maxLines = 5000 (user)

The server of the current connection:
  describes version 2.0.46
  segments.repositories = "gitplace" (server)

Tails:
  failed: refused (http validation_failed 422 req_0123456789ab) · filters: severities · 2.5 lines/s · received 9, of those streamed 7 · read 8, left out 1, repeated 2 · connects 3

Last requests:
  2026-11-20T11:59:00.000Z GET /v1/api/integrations 200 12 ms
  2026-11-20T11:59:00.000Z GET /v1/api/integrations 422 12 ms req_0123456789ab validation_failed (1 members left out)
  2026-11-20T11:59:00.000Z GET /v1/api/integrations - 12 ms timeout
\`\`\`
`,
    );
  });

  it('says if there is nothing to report', () => {
    assert.include(diagnosticsReport(nothing), 'Tails:\n  none\n\nLast requests:\n  none\n');
  });

  it(`contains no key, no name of a secret, no label, no log text and no message ${covers('F50', 'unit')}`, () => {
    const filter = { text: 'canary-search', attributes: [{ key: 'canary-name', value: 'canary' }] };
    const states: TailState[] = [
      { kind: 'failed', why: { kind: 'refused', error } },
      { kind: 'reconnecting', retryAt: 0, why: error },
      { kind: 'live', silence: error },
      { kind: 'paused', newRecords: 4 },
      { kind: 'rateLimited', retryAt: 0 },
    ];
    const report = diagnosticsReport({
      ...nothing,
      connections: [{ name: 'mine, key canary-key', origin: 'https://x.example', is: 'has a key' }],
      tails: states.map((state) => tail(state, filter)),
      requests: [
        { ...request, failure: 'canary key=DATABASE_URL', requestId: 'canary body' },
        { ...request, leftOut: ['canary-secret'] },
        { ...request, requestId: 'canary-key' },
        // Where a long line is cut.
        ...Array.from({ length: 40 }, (_, at) => ({
          ...request,
          path: `/${'x'.repeat(330 + at)}canary-key`,
        })),
      ],
      keys: ['canary-key', ''],
    });
    assert.notInclude(report, 'canary');
    assert.notInclude(report, 'DATABASE_URL');
    assert.include(report, 'filters: text, attributes');
    assert.include(report, 'mine, key ***');
  });

  it(`contains only URLs and codes of requests and answers ${covers('F50', 'unit')}`, async () => {
    const secret = 'SECRET_NAME_OF_SOMEBODY';
    const body = 'a logged text';
    const record = sampleRecord({ body });
    const error = {
      code: 'permission_denied',
      message: `no key ${canary}`,
      requestId: `req ${body}`,
    };
    const { client, entries, signal } = harness([
      json({ secrets: [{ key: secret }, { key: 7 }], localization: {} }),
      json({ ...queryAnswer, records: [record] }),
      json({ ...queryAnswer, records: [{ ...record, severity: body }] }),
      json({ error }, { status: 403 }),
      json({ error: { ...error, code: `${secret} ${body}`, requestId: canary } }, { status: 422 }),
    ]);
    const once = { signal, priority: 'person', retries: false } as const;
    const asked = { filters: { ...filters, search: body }, limit: 5 } as const;
    await client.listSecrets({ ownerId: uuid, environment: 'somebodys' }, once);
    await client.queryLogs(asked, once);
    for (let i = 0; i < 3; i++) await client.queryLogs(asked, once).catch(() => undefined);
    assert.lengthOf(entries, 5);
    const report = diagnosticsReport({
      ...nothing,
      requests: entries.map((entry) => ({ ...entry, at: 0 })),
      keys: [canary],
    });
    assert.include(report, `GET /v1/api/sources/${uuid}/secrets 200 `);
    assert.include(report, 'POST /v1/api/logs/query 422 ');
    assert.notInclude(report, canary);
    assert.notInclude(report, body);
    assert.notInclude(report, 'somebodys');
    assert.notInclude(report, secret);
  });

  it('stays inside its fence and on its lines, whatever the texts are', () => {
    const lines = diagnosticsReport({
      ...nothing,
      connections: [{ name: '', origin: '', is: '' }],
      requests: [request],
    }).split('\n').length;
    fc.assert(
      fc.property(anyText(300), (text) => {
        const report = diagnosticsReport({
          ...nothing,
          about: [['x', text]],
          connections: [{ name: text, origin: text, is: '' }],
          requests: [{ ...request, path: text, requestId: text, failure: text }],
        });
        assert.equal(report.split('\n').length, lines);
        assert.lengthOf(report.match(/`/g) ?? [], 6);
      }),
    );
  });
});

describe('Settings in diagnostics', () => {
  const changed = (name: string, values: { globalValue?: unknown; workspaceValue?: unknown }) =>
    changedSettings(configuration, (asked) => (asked === name ? values : undefined)).map(
      ({ where, value }) => `${where}: ${value}`,
    );

  it('are those that differ from the default, with their scope', () => {
    assert.deepEqual(
      changed('controlPlane.logs.maxLines', { globalValue: 5000, workspaceValue: 20000 }),
      ['user: 5000'],
    );
    assert.deepEqual(changed('controlPlane.logs.timeZone', { workspaceValue: 'utc' }), [
      'workspace: "utc"',
    ]);
    assert.deepEqual(changed('controlPlane.api.segments.repositories', { globalValue: 'git' }), [
      'user: "git"',
    ]);
  });

  it('contain only text that the manifest allows, and no contents of lists and maps', () => {
    const canary = 'canary of a person';
    const connections = [{ name: canary, baseUrl: `https://me:${canary}@x.example` }];
    assert.deepEqual(changed('controlPlane.connections', { globalValue: connections }), [
      'user: a list of 1',
    ]);
    assert.deepEqual(changed('controlPlane.logs.pathMappings', { globalValue: { a: canary } }), [
      'user: a map of 1',
    ]);
    // The values in a settings file can have any type.
    for (const name of Object.keys(settings)) {
      for (const value of [canary, [canary], { [canary]: canary }, null]) {
        assert.notInclude(changed(name, { globalValue: value }).join(), 'canary', name);
      }
    }
  });

  it('do not depend on the manifest', () => {
    assert.deepEqual(
      changedSettings(undefined, () => ({ globalValue: 1 })),
      [],
    );
  });
});
