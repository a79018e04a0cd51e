import { assert } from 'chai';
import * as vscode from 'vscode';
import type { Permission } from '../../../src/api/types';
import type { Fault, ReceivedRequest } from '../../control-plane/server';
import { uiPattern, uiText } from '../../host/texts';
import { covers } from '../../unit/covers';
import { apiRequestsFromNow } from '../begun';
import { enter, nextPick } from '../boxes';
import type { RemoteControlPlane } from '../controlPlane';
import { answerPick, clickInMessage, errorMessages, followedLogs } from '../person';
import { agreeToCleanUp, signOutQuestion, syncQuestion } from '../questions';
import { inWorkspace } from '../environment';
import { cleared, connectAgreeing, known, marker, setScene, shown, theOther } from '../scene';
import { asked, call, carryOut, setToolScene } from '../ai/toolScene';
import { channelDocument, inChannel, run, until } from '../wait';

/** The text of a log line of the first control plane. */
const onlyAtA = 'only at the first control plane';
/** A workload of the first control plane. Its name is known only there. */
const workloadOfA = 'web-of-a';

const permissions: readonly Permission[] = [
  ...(['logs.read', 'alert.read', 'repository.read', 'repository.connect'] as const),
  ...(['repository.sync', 'resource.read', 'secret.list', 'server.remove'] as const),
  'integration.manage',
];

/** Selects a connection in the picker. */
async function switchTo(name: string): Promise<void> {
  answerPick((items) => items.find(({ label }) => label === name));
  await run('switchConnection');
}

/** The result of an action, answered or failed. */
function outcomeOf(work: Thenable<unknown>): Promise<unknown> {
  return Promise.resolve(work).catch((error: unknown) => error);
}

async function requestsAt({ admin }: RemoteControlPlane): Promise<ReceivedRequest[]> {
  // A browser sends a preflight request (OPTIONS) first.
  return (await admin.requests()).filter(({ method }) => method !== 'OPTIONS');
}

/** Where a control plane got the key of another one. */
async function keysReported(admin: RemoteControlPlane['admin']): Promise<string[]> {
  return (await admin.takeReports())
    .filter(({ kind }) => kind === 'foreignKey')
    .map(({ kind, what, request }) => `${kind}: ${request.url} ${what}`);
}

/** The open editors of this extension. */
function openDocuments(): vscode.TextDocument[] {
  return vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme.startsWith('control-plane'));
}

function isEmptied(document: vscode.TextDocument): boolean {
  return [
    uiText('This report is no longer available.'),
    uiText('These logs are no longer available. Run the search again.'),
  ].includes(document.getText());
}

/** Every answer is late, and asks to wait. */
const sleeps: Fault = {
  kind: 'status',
  status: 429,
  headers: { 'retry-after': '30' },
  times: 1000,
};
/** Never answers. */
const waits: Fault = { kind: 'latency', latencyMs: 60_000, times: 1000 };

const logs = /\/logs\/query$/;

/** An action that starts on the first connection. */
interface Use {
  readonly begin: () => Thenable<unknown>;
  /** The request of the action to the first control plane. */
  readonly asks: RegExp;
  readonly fault: Fault;
  /** The result after the switch to the other connection. */
  readonly comesTo: (outcome: unknown) => void;
}

const use = (
  asks: Use['asks'],
  fault: Fault,
  comesTo: Use['comesTo'],
  begin: Use['begin'],
): Use => ({ begin, asks, fault, comesTo });

describe('switching the connection during a request', () => {
  const scene = setScene(
    { historyRecords: 30, operationSeconds: 1 },
    {
      settings: (world) => ({ ...known.shop(world), ...known.fra(world), 'ai.enabled': true }),
    },
  );
  let other: RemoteControlPlane;
  /** Documents of other tests. VS Code keeps them for a while after they are closed. */
  let earlier = new Set<vscode.TextDocument>();
  /** The URLs of the requests since the first connection was left. */
  let begun: () => string[];
  const { showSaveDialog } = vscode.window;

  beforeEach(async () => {
    earlier = new Set(openDocuments());
    // With the same seed, so that both have the same ids.
    other = await scene.startOther();
    const { url, admin } = scene.controlPlane;
    await scene.emit({ body: onlyAtA, workloadName: workloadOfA });
    for (const [name, baseUrl, apiKey] of [
      [theOther, other.url, await other.admin.addKey('b', permissions, 'key-of-b')],
      [scene.name, url, await admin.addKey('a', permissions, 'key-of-a')],
    ]) {
      assert.isTrue(await connectAgreeing({ name: name!, baseUrl: baseUrl!, apiKey: apiKey! }));
    }
    Object.assign(vscode.window, {
      showSaveDialog: () => Promise.resolve(inWorkspace('exported in mid-air')),
    });
  });
  afterEach(() => {
    Object.assign(vscode.window, { showSaveDialog });
  });

  const source = () => scene.controlPlane.world.sources[0]!;
  const server = () => scene.controlPlane.world.servers[0]!;
  const target = () => ({ sourceId: source().id, environmentId: source().environmentId });
  const nothing = (outcome: unknown): void => assert.isUndefined(outcome);
  const no = (outcome: unknown): void => assert.isFalse(outcome);
  const changed = (outcome: unknown): void =>
    assert.match(String(outcome), /^Not done: the user changed the connection in the meantime/);

  const sent = (outcome: unknown): void =>
    assert.equal(outcome, 'Sent. The connection was changed since then.');

  const uses: Readonly<Record<string, Use>> = {
    'a check': use(logs, sleeps, nothing, () => run('checkConnection')),
    'a check without an answer': use(logs, waits, nothing, () => run('checkConnection')),
    'a discovery': use(/\/monitor-alerts$/, { ...sleeps, skip: 1 }, nothing, () => run('discover')),
    'an export': use(logs, sleeps, nothing, async () => {
      const done = run('exportLogs', 'last:1h');
      await nextPick();
      await enter();
      await done;
    }),
    'logs as text': use(logs, waits, no, () => run('openLogsAsText', 'last:1h')),
    'the lookup of a name to follow': use(logs, sleeps, no, () =>
      run('followLogs', `workload:${workloadOfA}`),
    ),
    'the box of Follow Logs': use(logs, waits, no, () => run('followLogs')),
    'the lookup of a name to search for': use(logs, sleeps, no, () =>
      run('exportLogs', `workload:${workloadOfA}`),
    ),
    'a refresh': use(/\/monitor-alerts$/, sleeps, nothing, async () => {
      await vscode.commands.executeCommand('controlPlane.servers.focus');
      await run('refreshServers');
    }),
    'a sync before its question': use(/\/resources$/, sleeps, nothing, () =>
      run('syncEnvironment', target()),
    ),
    'the suggestions of a clean-up': use(/\/monitor-alerts$/, sleeps, nothing, () =>
      run('cleanUpOrphans', { serverId: server().id }),
    ),
    'the tool searchLogs': use(logs, sleeps, changed, () => call('searchLogs', { query: '' })),
    'the tool summariseLogs': use(logs, waits, changed, () =>
      call('summariseLogs', { query: `workload:${workloadOfA}` }),
    ),
    'the tool listResources': use(/\/resources$/, sleeps, changed, () => call('listResources', {})),
    'the tool listDeployments': use(/\/deployments$/, waits, changed, () =>
      call('listDeployments', { resourceId: source().id }),
    ),
    'the tool listAlertRules': use(/\/monitor-alerts$/, sleeps, changed, () =>
      call('listAlertRules', {}),
    ),
    'the tool listSecretKeys': use(/\/secrets/, sleeps, changed, () =>
      call('listSecretKeys', { sourceId: source().id, environment: 'production' }),
    ),
    'the tool syncEnvironment': use(
      /\/syncs$/,
      { ...sleeps, endpoint: 'post_sources_environments_syncs' },
      sent,
      () => {
        clickInMessage(syncQuestion, 'Sync');
        return call('syncEnvironment', target());
      },
    ),
    'the tool cleanUpOrphans': use(/\/cleanup-orphans$/, sleeps, sent, () => {
      agreeToCleanUp();
      return call('cleanUpOrphans', { serverId: server().id, items: ['old-api'] });
    }),
  };

  /** Switches to the other connection. From now on the first one must not receive requests. */
  async function leaveTheFirst(): Promise<void> {
    await switchTo(theOther);
    begun = apiRequestsFromNow();
  }

  /** Starts an action, and switches when it has sent this request. */
  async function leaveIn({ begin, asks, fault }: Omit<Use, 'comesTo'>): Promise<unknown> {
    const a = scene.controlPlane;
    await a.admin.fault(fault);
    const before = (await requestsAt(a)).length;
    let ended: { readonly outcome: unknown } | undefined;
    void outcomeOf(begin()).then((outcome) => (ended = { outcome }));
    await until('it is under way', async () =>
      (await requestsAt(a))
        .slice(before)
        .some(
          ({ url, status }) => asks.test(url) && status === (fault === waits ? undefined : 429),
        ),
    );
    await leaveTheFirst();
    // Long before a retry or an answer.
    const { outcome } = await until('it has ended', () => ended);
    await until('nothing is open at the first', async () =>
      (await requestsAt(a)).every(({ isOver }) => isOver),
    );
    return outcome;
  }

  /** Asserts that the other connection works, and only that. */
  async function onlyTheOther(): Promise<void> {
    const a = scene.controlPlane;
    await run('openLogsAsText', 'last:1d');
    const text = vscode.window.activeTextEditor?.document.getText() ?? '';
    assert.isNotEmpty(text);
    for (const { admin } of [a, other]) assert.deepEqual(await keysReported(admin), []);
    assert.isNotEmpty(begun());
    assert.isEmpty(begun().filter((url) => !url.startsWith(other.url)));
    const own = openDocuments().filter((one) => !earlier.has(one));
    for (const document of own.concat(channelDocument('logs') ?? [])) {
      const shown = document.getText();
      assert.notInclude(shown, onlyAtA);
      assert.notInclude(shown, workloadOfA);
      assert.notInclude(shown, a.url);
    }
    assert.isEmpty(await followedLogs());
    assert.isEmpty(await errorMessages());
  }

  for (const [name, one] of Object.entries(uses)) {
    it(`ends ${name}, and neither control plane gets the key of the other ${covers('F63', 'editor')}`, async () => {
      one.comesTo(await leaveIn(one));
      await onlyTheOther();
      const requests = (await requestsAt(other)).map(({ method, url }) => `${method} ${url}`);
      assert.isEmpty(requests.filter((one) => /cleanup-orphans|syncs|retry-preview/.test(one)));
    });
  }

  it(`ends a tail that waits, and removes what it has shown ${covers('F63', 'editor')}`, async () => {
    const a = scene.controlPlane;
    await scene.follow();
    await scene.tailIs('live');
    await shown(1, onlyAtA);
    await a.admin.fault({ ...sleeps, endpoint: 'post_logs_tail' });
    await a.admin.restart(0);
    await scene.tailIs(uiPattern('rate limited {0} s'));
    await leaveTheFirst();
    await cleared();
    await onlyTheOther();
  });

  it(`ends a search in the Log Explorer ${covers('F63', 'editor')}`, async () => {
    await leaveIn({ begin: () => run('searchLogs', ''), asks: logs, fault: waits });
    await onlyTheOther();
  });

  it(`stops watching a clean-up, which continues later with its own key ${covers('F63', 'editor')}`, async () => {
    await scene.set('activity.notify', true);
    agreeToCleanUp();
    await leaveIn({
      begin: () => run('cleanUpOrphans', { serverId: server().id, items: ['old-api'] }),
      asks: /\/operations\//,
      fault: { ...sleeps, endpoint: 'get_operation' },
    });
    await onlyTheOther();
    await scene.controlPlane.admin.reset();
    await switchTo(scene.name);
    await until('it is watched', async () =>
      (await requestsAt(scene.controlPlane)).some(({ url }) => url.includes('/operations/')),
    );
    assert.deepEqual(await keysReported(scene.controlPlane.admin), []);
    assert.isEmpty((await requestsAt(other)).filter(({ url }) => url.includes('/operations/')));
  });

  it(`removes documents and the text of the log channel ${covers('F79', 'editor')}`, async () => {
    /** Opens a document and keeps its editor open. */
    const opened = async (name: string, show: () => Thenable<unknown>) => {
      await show();
      const document = await until(name, () =>
        vscode.workspace.textDocuments.find(({ uri }) => uri.path.startsWith(`/${name}`)),
      );
      await vscode.commands.executeCommand('workbench.action.keepEditor');
      return document;
    };
    await scene.follow();
    await shown(1, onlyAtA);
    agreeToCleanUp();
    clickInMessage(uiPattern('Clean up {0} on {1}', 'old-api', 'fra: succeeded'), 'Show Details');
    const cleanUp = { serverId: server().id, items: ['old-api'] };
    const documents = [
      await opened(uiText('Connection'), () => run('checkConnection')),
      await opened(uiText('Logs'), () => run('openLogsAsText', '')),
      await opened(uiText('Clean-up of {0} – result', 'fra'), () => run('cleanUpOrphans', cleanUp)),
    ];
    await switchTo(theOther);
    await cleared();
    await until('all are empty', () => documents.every(isEmptied));
  });
});

describe('leaving a connection permanently', () => {
  const scene = setScene({}, { withoutConnections: true });

  /** What a bug report says about the key of a connection. */
  async function keyOf(name: string): Promise<string> {
    await run('copyDiagnostics');
    const copied = await vscode.env.clipboard.readText();
    return copied.split(`\n  ${name} · `)[1]?.split(' · ')[1]?.split(/[,\n]/)[0] ?? 'not known';
  }
  const setConnections = async (...all: object[]): Promise<void> => {
    const settings = vscode.workspace.getConfiguration('controlPlane');
    await settings.update('connections', all, vscode.ConfigurationTarget.Global);
  };

  const elsewhere = 'http://127.0.0.1:9';
  const ways: Readonly<Record<string, () => Promise<unknown>>> = {
    'its removal': () => setConnections(),
    'another origin': () => setConnections({ name: scene.name, baseUrl: elsewhere }),
  };
  for (const [way, leave] of Object.entries(ways)) {
    it(`deletes the key and clears the view: ${way} ${covers('F79', 'editor')}`, async () => {
      await scene.connect();
      await scene.emit('a line');
      await scene.follow();
      await shown(1);
      await run('openLogsAsText', '');
      const document = vscode.window.activeTextEditor!.document;
      assert.equal(await keyOf(scene.name), 'has a key');
      await leave();
      await cleared();
      await until('the document is empty', () => isEmptied(document));
      await setConnections({ name: scene.name, baseUrl: scene.controlPlane.url });
      await until('it is known again', async () => (await keyOf(scene.name)) !== 'not known');
      assert.equal(await keyOf(scene.name), 'no key');
      await until(
        'no stream is open',
        async () => (await scene.controlPlane.admin.streams()) === 0,
      );
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    });
  }

  it(`leaves only its own message in the channel after a sign-out ${covers('F79', 'editor')}`, async () => {
    await scene.connect();
    await scene.emit('a line');
    await scene.follow();
    await shown(1);
    clickInMessage(signOutQuestion, 'Sign Out');
    await run('signOut');
    await marker(uiText('Signed out of {0}.', scene.name));
    await inChannel('logs', (text) => !text.includes('a line') || undefined);
    assert.equal(await keyOf(scene.name), 'no key');
  });
});

describe('an AI tool that the user has confirmed', () => {
  const { scene, source } = setToolScene();

  it(`does nothing on another connection than the confirmed one ${covers('F63', 'editor')}`, async () => {
    const input = { sourceId: source().id, environmentId: source().environmentId };
    const { confirmationMessages } = await asked('syncEnvironment', input);
    assert.isDefined(confirmationMessages);
    const other = await scene.startOther();
    assert.isTrue(await scene.connectToOther());
    const answer = await carryOut('syncEnvironment', input);
    assert.match(answer, /^Not done: the user changed the connection in the meantime/);
    assert.isEmpty(await scene.requests('/syncs'));
    assert.isEmpty((await requestsAt(other)).filter(({ url }) => url.endsWith('/syncs')));
  });
});
