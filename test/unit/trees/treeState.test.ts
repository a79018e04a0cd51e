import { assert } from 'chai';
import { ApiError, type ApiErrorKind } from '../../../src/api/errors';
import {
  type KeyProblem,
  viewMessage,
  treeState,
  type ViewState,
  welcomeKey,
  accessibilityHelp,
} from '../../../src/trees/treeState';
import type { SessionState } from '../../../src/connection/connections';
import type { CacheKey, Store } from '../../../src/data/store';
import manifest from '../../../package.json';
import texts from '../../../package.nls.json';
import { availabilityText } from '../../../src/trees/placeholderNodes';
import { uiText } from '../../host/texts';
import { covers } from '../covers';
import { httpError } from '../data/fakeClient';
import { scene, uuid } from './treeText';

describe('The state of a view', () => {
  const key = { kind: 'integrations', id: '' } as const;
  function stateOf(
    store: Store,
    {
      session = 'signedIn',
      cacheKeys = [key],
      essential = [key],
      shown = 1,
      all = 1,
    }: {
      readonly session?: SessionState['kind'];
      readonly cacheKeys?: readonly CacheKey[];
      readonly essential?: readonly CacheKey[];
      readonly shown?: number;
      readonly all?: number;
    } = {},
  ): ViewState {
    return treeState(session, store, cacheKeys, essential, { shown, all });
  }

  it('has a name in each case', async () => {
    let error: ApiError | undefined = undefined;
    const { store, load } = scene({
      listIntegrations: () => (error === undefined ? Promise.resolve({}) : Promise.reject(error)),
    });
    const state = (given?: Parameters<typeof stateOf>[1]): ViewState => stateOf(store, given);
    assert.deepEqual(state({ session: 'none' }), { kind: 'notConnected' });
    assert.deepEqual(state({ session: 'signedOut' }), { kind: 'signedOut' });
    assert.deepEqual(state({ all: 0, shown: 0 }), { kind: 'empty' });
    assert.deepEqual(state(), { kind: 'loading' });
    error = httpError(403, 'forbidden');
    await load(key);
    assert.deepEqual(state(), { kind: 'missingPermission', permission: 'integration.manage' });
    error = httpError(404, 'gone');
    await load(key);
    assert.deepEqual(state(), { kind: 'unreachable', error });
    error = undefined;
    await load(key);
    assert.deepEqual(state(), { kind: 'shown', problems: [] });
    assert.deepEqual(state({ shown: 0 }), { kind: 'noMatch' });
  });

  it('shows what another connection knows, with rows that say so and no error above them', async () => {
    const sources: CacheKey[] = [uuid(1), uuid(2)].map((id) => ({ kind: 'resources', id }));
    const { store, context, load } = scene({
      listResources: () => Promise.reject(httpError(404, 'not_found')),
    });
    await load(...sources);
    const state = stateOf(store, { cacheKeys: sources, essential: sources, shown: 2, all: 2 });
    assert.equal(state.kind, 'shown');
    assert.notProperty(viewMessage(state), 'error');
    assert.equal(
      availabilityText(store.entry(sources[0]!), context),
      uiText('not known on this connection'),
    );
  });

  it('keeps old rows, and has the problems, their permission and the age', async () => {
    let error: ApiError | undefined = undefined;
    const { store, load, clock } = scene({
      listIntegrations: () => (error === undefined ? Promise.resolve({}) : Promise.reject(error)),
    });
    await load(key);
    const at = clock.now();
    await clock.advance(60_000);
    error = httpError(403, 'forbidden');
    await load(key);
    assert.deepEqual(stateOf(store), {
      kind: 'shown',
      problems: [{ key, error, permission: 'integration.manage', at }],
    });
  });

  it('shows rows from the settings in spite of failures', async () => {
    const { store, load } = scene({});
    await load(key);
    const state = stateOf(store, { essential: [] });
    assert.equal(state.kind, 'shown');
  });

  it(`blames the API key only if several objects were refused and none was allowed ${covers('F75', 'unit')}`, async () => {
    const refused = httpError(403, 'forbidden');
    const secret = new Set([uuid(1)]);
    const { store, load } = scene({
      listResources: ({ sourceId: id }) =>
        secret.has(id) ? Promise.reject(refused) : Promise.resolve({}),
    });
    const cacheKeys = [1, 2].map((n) => ({ kind: 'resources', id: uuid(n) }) as const);
    const problems = async () => {
      for (const one of cacheKeys) await load(one);
      const state = stateOf(store, { cacheKeys, essential: [] });
      return state.kind === 'shown' ? state.problems : assert.fail(state.kind);
    };
    assert.deepEqual(await problems(), [
      { key: cacheKeys[0]!, error: refused, refused: 'repository.read' },
    ]);
    // Keys that are not visible count too.
    const [first] = cacheKeys;
    const closed = stateOf(store, { cacheKeys: [first!], essential: cacheKeys });
    assert.deepEqual(closed.kind === 'shown' && closed.problems.map(({ refused }) => refused), [
      'repository.read',
    ]);
    secret.add(uuid(2));
    assert.deepEqual(
      (await problems()).map(({ permission }) => permission),
      ['repository.read', 'repository.read'],
    );
  });

  it(`does not blame the API key if the only source was refused, and shows its row ${covers('F75', 'unit')}`, async () => {
    const error = httpError(403, 'forbidden');
    const { store, load } = scene({
      listResources: () => Promise.reject(error),
      listSecrets: () => Promise.reject(error),
    });
    const sourceId = uuid(1);
    const essential = [
      { kind: 'resources', id: sourceId },
      { kind: 'secrets', id: sourceId },
    ] as const;
    for (const one of essential) await load(one);
    assert.deepEqual(stateOf(store, { cacheKeys: essential, essential }), {
      kind: 'shown',
      problems: [
        { key: essential[0], error, refused: 'repository.read' },
        { key: essential[1], error, refused: 'secret.list' },
      ],
    });
  });
});

const forbidden = httpError(403, 'forbidden');
const broken = httpError(500, 'broken');

function problem(error: unknown, members: Partial<KeyProblem> = {}): KeyProblem {
  return { key: { kind: 'resources', id: uuid(1) }, error, ...members };
}

const hidden = problem(forbidden, { permission: 'repository.read' });

describe('The message above the rows of a view', () => {
  it('is empty if there is no problem, or if the welcome text has everything', () => {
    assert.isUndefined(viewMessage({ kind: 'shown', problems: [] }));
    assert.isUndefined(viewMessage({ kind: 'missingPermission', permission: 'alert.read' }));
    assert.isUndefined(viewMessage({ kind: 'unreachable', error: broken }));
    for (const kind of ['notConnected', 'signedOut', 'loading', 'empty', 'noMatch'] as const) {
      assert.isUndefined(viewMessage({ kind }), kind);
    }
  });

  it('has the age of the oldest visible data, and the first of the reasons', () => {
    const problems = [
      problem(broken, { at: 3000 }),
      problem(httpError(502, 'other'), { at: 2000 }),
      problem(httpError(503, 'never had')),
    ];
    assert.deepEqual(viewMessage({ kind: 'shown', problems }), {
      staleSince: 2000,
      error: broken,
      missing: [],
      refused: [],
    });
  });

  it('names each missing permission once, and whether it hides anything', () => {
    const stale = problem(forbidden, { permission: 'alert.read', at: 1000 });
    assert.deepEqual(viewMessage({ kind: 'shown', problems: [hidden, stale, hidden] }), {
      staleSince: 1000,
      missing: [
        { permission: 'repository.read', isHiding: true },
        { permission: 'alert.read', isHiding: false },
      ],
      refused: [],
    });
    const both = [stale, problem(forbidden, { permission: 'alert.read' })];
    assert.deepEqual(viewMessage({ kind: 'shown', problems: both })?.missing, [
      { permission: 'alert.read', isHiding: true },
    ]);
  });

  it(`says what was refused, with its permission, and does not blame the key ${covers('F75', 'unit')}`, () => {
    const one = problem(forbidden, { refused: 'repository.read' });
    const other = problem(forbidden, {
      key: { kind: 'resources', id: uuid(2) },
      refused: 'repository.read',
    });
    assert.deepEqual(viewMessage({ kind: 'shown', problems: [one, other] }), {
      missing: [],
      refused: [{ permission: 'repository.read', cacheKeys: [one.key, other.key] }],
    });
  });

  it('leaves to the status bar that nothing can be reached', () => {
    const offline = problem(
      new ApiError({ kind: 'network', code: 'network', message: 'no answer' }),
      { at: 1000 },
    );
    assert.isUndefined(viewMessage({ kind: 'shown', problems: [offline] }));
    assert.equal(
      viewMessage({ kind: 'shown', problems: [offline, problem(broken)] })?.error,
      broken,
    );
  });

  it('names a permission and another failure together', () => {
    const notice = viewMessage({ kind: 'shown', problems: [hidden, problem(broken)] });
    assert.equal(notice?.error, broken);
    assert.lengthOf(notice?.missing ?? [], 1);
  });
});

describe('The key of a welcome text', () => {
  it('says why there is no data', () => {
    const keyFor = (error: unknown): string => welcomeKey({ kind: 'unreachable', error });
    const failure = (kind: ApiErrorKind): ApiError =>
      new ApiError({ kind, code: kind, message: kind });
    assert.equal(keyFor(failure('network')), 'unreachable network');
    assert.equal(keyFor(failure('timeout')), 'unreachable network');
    assert.equal(keyFor(failure('signedOut')), 'unreachable key');
    assert.equal(keyFor(httpError(401, 'unauthorized')), 'unreachable key');
    assert.equal(keyFor(httpError(429, 'slow')), 'unreachable busy');
    assert.equal(keyFor(broken), 'unreachable server');
    assert.equal(keyFor(httpError(404, 'unknown')), 'unreachable answer');
    assert.equal(keyFor(failure('protocol')), 'unreachable answer');
    assert.equal(keyFor(new Error('of ours')), 'unreachable answer');
  });

  it('is the kind of the state, with the missing permission', () => {
    assert.equal(welcomeKey({ kind: 'noMatch' }), 'noMatch');
    assert.equal(
      welcomeKey({ kind: 'missingPermission', permission: 'secret.list' }),
      'missingPermission secret.list',
    );
  });
});

/** The command of the text instead of rows, for each state of each view: a button or, as `inline`, a link. */
const expected: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // The only view without a connection.
  sources: {
    notConnected: 'connect',
    signedOut: 'connect',
    'missingPermission repository.read': 'checkConnection',
    'missingPermission secret.list': 'checkConnection',
    empty: 'discover',
    noMatch: 'resetSourcesFilter',
  },
  servers: {
    'missingPermission alert.read': 'checkConnection',
    empty: 'discover',
    noMatch: 'resetServersFilter',
  },
  integrations: {
    'missingPermission integration.manage': 'checkConnection',
    noMatch: 'resetIntegrationsFilter',
  },
};

/** The states of all views. */
const shared: Readonly<Record<string, string>> = {
  'unreachable network': 'refresh',
  'unreachable key': 'connect',
  'unreachable busy': 'refresh',
  'unreachable server': 'refresh',
  'unreachable answer': 'checkConnection',
};

const ourTexts: Readonly<Record<string, string>> = texts;

/** What a welcome text of one paragraph offers, as in `expected`. */
function offerOf(text: string): string | undefined {
  const link = String.raw`\[[^\]]+\]\(command:controlPlane\.(\w+)\)`;
  // VS Code shows a link that is alone on its line as a button.
  const button = new RegExp(String.raw`^[^[\]\n]+\.\n${link}$`).exec(text)?.[1];
  const inline = new RegExp(String.raw`^[^\n]*${link}[^\n]*\.$`).exec(text)?.[1];
  return button ?? (inline && `inline ${inline}`);
}

describe('The views', () => {
  it('are hidden until there is a connection, except the one that offers it, also before a window has started', () => {
    const { controlPlane: views } = manifest.contributes.views;
    // Before the extension runs, only the setting is known.
    const when =
      "config.controlPlane.connections != '[]' && " +
      'controlPlane.session != none && controlPlane.session != signedOut';
    const always = views.filter((view) => !('when' in view) || view.when !== when);
    assert.deepEqual(
      always.map(({ id }) => id),
      ['controlPlane.sources'],
    );
  });
});

describe('The welcome text of a tree', () => {
  for (const [view, own] of Object.entries(expected)) {
    it(`has one paragraph and a command for each state of ${view}, and for the time before the first`, () => {
      const [first, ...others] = manifest.contributes.viewsWelcome.filter(
        (one) => one.view === `controlPlane.${view}`,
      );
      const state = `controlPlane.${view}.state`;
      assert.equal(first?.when, `!${state}`);
      const offers = others.map(({ when, contents }) => {
        const text = ourTexts[contents.slice(1, -1)] ?? '';
        const permission = /'missingPermission (.*)'/.exec(when)?.[1];
        if (permission !== undefined) assert.include(text, permission);
        return [when, offerOf(text)];
      });
      // VS Code shows all that match.
      assert.sameDeepMembers(
        offers,
        Object.entries({ ...shared, ...own }).map(([kind, offer]) => [
          `${state} == ${kind.includes(' ') ? `'${kind}'` : kind}`,
          offer,
        ]),
      );
    });
  }
});

describe('The accessibility help', () => {
  const views = Object.values(manifest.contributes.views).flat();

  it('exists for each view, and names commands of the editor that have keys', () => {
    assert.isNotEmpty(views);
    for (const { id, accessibilityHelpContent } of views) {
      const text = ourTexts[accessibilityHelpContent.replaceAll('%', '')];
      assert.isDefined(text, id);
      for (const [, command = ''] of text.matchAll(/<keybinding:([^>]*)>/g)) {
        assert.match(
          command,
          /^(list\.(expand|collapse|showHover)|(editor|workbench)\.action\.\w+)$/,
        );
      }
      // Every opened bracket is closed.
      assert.equal(text.split('<').length, text.split('<keybinding:').length, id);
    }
  });

  it('is one document for all views, without placeholders that only the editor can fill in', () => {
    const help = accessibilityHelp({
      contributes: {
        views: {
          controlPlane: [
            { name: 'Logs', accessibilityHelpContent: 'It lists.\n- Open <keybinding:a.b>.\n- Go' },
            { name: 'No help' },
          ],
        },
      },
    });
    assert.equal(help, '# Logs\n\nIt lists.\n\n- Open.\n- Go\n');
    assert.equal(accessibilityHelp(undefined), '');
  });
});
