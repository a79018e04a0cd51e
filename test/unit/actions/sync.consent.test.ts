import { assert } from 'chai';
import { canGiveConsent, SyncConsent } from '../../../src/actions/sync';

const target = {
  sourceId: '0b7d1c1e-4a52-4c1b-9f67-2d2a7f1f9a01',
  environmentId: '0b7d1c1e-4a52-4c1b-9f67-2d2a7f1f9a02',
};
const request = {
  target,
  environmentName: 'staging',
  isPicked: true,
  isRunning: false,
  isNamedByFolder: false,
};

function consentOf(name: string, storage = new Map<string, unknown>()) {
  const connection = { name, baseUrl: 'https://control.example' };
  return new SyncConsent(
    { state: { kind: 'signedOut', connection } as never },
    {
      get: (key) => storage.get(key),
      update: (key, value) => Promise.resolve(void storage.set(key, value)),
    },
  );
}

describe('A sync', () => {
  it('asks until the user wants no question for the environment', () => {
    const consent = consentOf('one');
    assert.isFalse(consent.isGiven(request));
    consent.give(target);
    assert.isTrue(consent.isGiven(request));
    const other = { ...target, environmentId: target.sourceId };
    assert.isFalse(consent.isGiven({ ...request, target: other }), 'another environment');
  });

  it('asks again in all environments of the connection after the user took that back', () => {
    const storage = new Map<string, unknown>();
    const [one, two] = [consentOf('one', storage), consentOf('two', storage)];
    const told: boolean[] = [];
    one.onDidChange(() => told.push(one.isAny));
    assert.isFalse(one.isAny);
    one.give(target);
    one.give({ ...target, environmentId: target.sourceId });
    two.give(target);
    assert.isTrue(one.covers(target));
    one.takeBack();
    assert.isFalse(one.isGiven(request));
    assert.isFalse(one.covers(target));
    assert.deepEqual(told, [true, true, false]);
    assert.isTrue(two.isGiven(request), 'another connection');
  });

  it('asks again in the environment that is the oldest of more than a hundred', () => {
    const consent = consentOf('one');
    const environment = (index: number) => ({ ...target, environmentId: String(index) });
    for (let index = 0; index < 100; index++) consent.give(environment(index));
    for (let times = 0; times < 100; times++) consent.give(environment(1));
    assert.isTrue(consent.covers(environment(0)), 'once for each environment');
    consent.give(environment(100));
    assert.isFalse(consent.covers(environment(0)));
    assert.isTrue(consent.covers(environment(1)));
  });

  it('asks on another connection', () => {
    const storage = new Map<string, unknown>();
    consentOf('one', storage).give(target);
    assert.isTrue(consentOf('one', storage).isGiven(request));
    assert.isFalse(consentOf('two', storage).isGiven(request));
  });

  it('asks if what is stored is not valid', () => {
    const storage = new Map<string, unknown>([['syncsWithoutQuestion', 'all']]);
    assert.isFalse(consentOf('one', storage).isGiven(request));
  });

  for (const [why, change] of [
    ['if an argument names the environment', { isPicked: false }],
    ['if another one is running', { isRunning: true }],
    ['if a folder names the source', { isNamedByFolder: true }],
    ['if the name of the environment is not known', { environmentName: undefined }],
    ...['production', 'Prod', 'eu-prod-1', 'PRD', 'live', 'live_2', 'main', 'shop/master'].map(
      (environmentName) => [`in ${environmentName}`, { environmentName }] as const,
    ),
  ] as const) {
    it(`always asks ${why}`, () => {
      const consent = consentOf('one');
      consent.give(target);
      assert.isFalse(consent.isGiven({ ...request, ...change }));
      assert.isFalse(canGiveConsent({ ...request, ...change }));
    });
  }

  for (const environmentName of ['staging', 'delivery', 'domain', 'test', 'mainframe']) {
    it(`can be sent without a question in ${environmentName}`, () => {
      assert.isTrue(canGiveConsent({ ...request, environmentName }));
    });
  }
});
