import { assert } from 'chai';
import { isOfKind } from '../../../src/activity/entryKind';
import { cleanUpKind } from '../../../src/actions/kinds/cleanUp';
import type { ActivityEntry } from '../../../src/activity/activityEntry';
import type { Fault } from '../../control-plane/faults';
import { type ControlPlane, startControlPlane } from '../../control-plane/server';
import { realClock } from '../api/realClock';
import { testClient } from '../api/testClient';
import { covers } from '../covers';
import { createDisk, openWindow, until, type Window } from '../activity/windows';

/** Faults that happen only after the request ran. */
const faults: readonly Fault[] = [
  { kind: 'stall' },
  { kind: 'reset' },
  { kind: 'cut', afterBytes: 20 },
  { kind: 'status', status: 504, accepted: true },
  { kind: 'status', status: 409, code: 'in_progress', accepted: true },
  { kind: 'status', status: 422, code: 'reused_key', accepted: true },
];

/**
 * The user always selects Send Again, so each clean-up gets a response in the end. One that comes late,
 * such as on a slow machine, says that the clean-up is over; else nothing watches it any longer.
 */
const isAnswered = (entry: ActivityEntry): boolean =>
  isOfKind(entry, cleanUpKind) &&
  entry.operationId !== undefined &&
  (entry.progress.kind === 'left' || entry.progress.kind === 'over');

describe('a clean-up without a response, on a real connection', () => {
  let server: ControlPlane;

  beforeEach(async () => {
    server = await startControlPlane({ live: false, historyRecords: 0 });
  });
  afterEach(() => server.close());

  async function window(): Promise<Window> {
    const client = testClient({
      baseUrl: server.url,
      token: () => server.keys['demo-full'],
      // A slower response is one more failure. This test does not poll operations.
      settings: () => ({ timeoutSeconds: 0.3, own: { operationPath: '' } }),
    });
    const made = openWindow(realClock, createDisk(), client, () => 0);
    made.answer = 'send';
    await made.open();
    return made;
  }

  const posts = (path: string) =>
    server.admin.requests().filter(({ method, url }) => method === 'POST' && url.endsWith(path));

  it(`runs once and is sent again with the same key and bytes ${covers('F43, F65', 'connection')}`, async () => {
    const { id: serverId, name: serverName } = server.world.servers[0]!;
    for (const fault of faults) {
      server.admin.fault({ ...fault, endpoint: 'post_servers_cleanup_orphans' });
    }
    const made = await window();
    const { activity } = made;
    const items = ['b', 'a', '📦 "quoted"', '[x](command:go)'];
    const id = await activity.start(cleanUpKind, { serverId, serverName, items });
    await until(made, id, isAnswered);
    await activity.close();
    const sent = posts('/cleanup-orphans');
    assert.isAtLeast(sent.length, faults.length + 1);
    assert.lengthOf(new Set(sent.map(({ body }) => body)), 1);
    assert.lengthOf(new Set(sent.map(({ headers }) => headers['idempotency-key'])), 1);
    assert.lengthOf(server.admin.operations(), 1);
  });
});
