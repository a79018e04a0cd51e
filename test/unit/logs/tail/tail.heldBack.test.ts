import { assert } from 'chai';
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { buffer } from 'node:stream/consumers';
import type { ApiError } from '../../../../src/api/errors';
import type { TailState } from '../../../../src/logs/tail/types';
import { newCertificate, systemAuthority } from '../../api/certificates';
import { editorNetwork } from '../../api/editorNetwork';
import { createProxy, hostBehindProxy, loopbackServers, tunnel } from '../../api/loopbackServers';
import { fastClock } from '../../api/realClock';
import { testClient } from '../../api/testClient';
import { covers } from '../../covers';
import { loopbackTails, type LoopbackTail } from './loopbackTails';

const speed = 500;
const clock = fastClock(speed);
/** Real seconds until headers arrive, even on a busy machine. */
const busyMachine = 5;

/** What a proxy holds back until an answer has ended. */
type HoldsBack = 'nothing' | 'bodies' | 'answers';

/** What the user is shown of a problem. */
function reasonOf(state: TailState): ApiError | undefined {
  if (state.kind === 'reconnecting') return state.why;
  return state.kind === 'live' ? state.silence : undefined;
}

describe(`a tail behind an inspecting proxy ${covers('F61', 'connection')}`, () => {
  const servers = loopbackServers();
  const loopback = loopbackTails(0.01);
  let holdsBack: HoldsBack;
  /** Real seconds, which pass fast on the clock of the tail. */
  let headersWithin: number;
  let recorded: LoopbackTail;

  function passOn(request: IncomingMessage, response: ServerResponse): void {
    const { method, url, headers } = request;
    const answered = async (answer: IncomingMessage): Promise<void> => {
      const held = holdsBack;
      if (held === 'answers') answer.pause();
      const body = held === 'nothing' ? undefined : buffer(answer);
      if (held === 'answers') await body;
      response.writeHead(answer.statusCode ?? 502, answer.headers).flushHeaders();
      if (body === undefined) answer.pipe(response);
      else response.end(await body);
    };
    const onward = httpRequest(new URL(url ?? '', loopback.server.url), { method, headers });
    onward.on('response', (answer) => void answered(answer).catch(() => response.destroy()));
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  }

  beforeEach(async () => {
    // Such a proxy has its own certificate for every host, from an authority that the system trusts.
    const network = editorNetwork();
    const { key, cert } = await newCertificate(await systemAuthority());
    const reader = createHttpsServer({ key, cert }, passOn);
    await servers.listen(reader);
    const proxy = createProxy((socket) => tunnel(socket, reader));
    network.proxy = `http://127.0.0.1:${await servers.listen(proxy)}`;
    const client = testClient({
      baseUrl: `https://${hostBehindProxy}`,
      token: () => loopback.server.keys['demo-full'],
      fetch: network.fetch,
      clock,
      random: () => 0.5,
      settings: () => ({ timeoutSeconds: headersWithin * speed }),
    });
    recorded = loopback.follow({ client, clock });
  });

  afterEach(() => servers.close());

  const isSilent = (): boolean =>
    recorded.tail.state.kind === 'live' && recorded.tail.state.silence !== undefined;
  const hasAll = (): boolean =>
    recorded.ids.at(-1) === loopback.server.admin.emitted().eventIds.at(-1);

  it('notices by the idle limit that bodies are held back, and shows it until something arrives', async () => {
    holdsBack = 'bodies';
    headersWithin = busyMachine;
    loopback.server.admin.emit(3);
    recorded.tail.start();
    await recorded.until(isSilent);
    loopback.server.admin.emit(3);
    await recorded.until(
      () => recorded.states.filter(({ kind }) => kind === 'reconnecting').length === 3,
    );
    const [connecting, live, ...later] = recorded.states;
    assert.deepEqual([connecting, live], [{ kind: 'connecting' }, { kind: 'live' }]);
    for (const state of later) {
      assert.deepInclude(reasonOf(state), {
        kind: 'timeout',
        code: 'silentStream',
        message: 'The log stream sent nothing for 90 s.',
      });
    }
    assert.lengthOf(recorded.ids, 3);

    holdsBack = 'nothing';
    await recorded.until(() => recorded.tail.state.kind === 'live' && !isSilent());
    await recorded.until(hasAll);
    assert.deepEqual(recorded.ids, loopback.server.admin.emitted().eventIds);
  });

  it('shows a time-out if whole answers are held back', async () => {
    holdsBack = 'answers';
    // No headers arrive, and the test should not wait for them.
    headersWithin = 0.3;
    loopback.server.admin.emit(3);
    recorded.tail.start();
    await recorded.until(
      () => recorded.states.filter(({ kind }) => kind === 'reconnecting').length === 2,
    );
    const [connecting, ...later] = recorded.states;
    assert.deepEqual(connecting, { kind: 'connecting' });
    for (const state of later) {
      assert.deepInclude(reasonOf(state), { kind: 'timeout', code: 'timeout' });
    }
    holdsBack = 'nothing';
    headersWithin = busyMachine;
    loopback.server.admin.emit(3);
    await recorded.until(hasAll);
    assert.deepEqual(recorded.ids, loopback.server.admin.emitted().eventIds);
  });
});
