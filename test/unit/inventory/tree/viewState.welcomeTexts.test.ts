import { assert } from 'chai';
import manifest from '../../../../package.json';
import texts from '../../../../package.nls.json';

const outage = ['refresh', 'checkConnection', 'showOutput'];
const elsewhere = ['connect', 'checkConnection'];

/** How the text begins that stands in place of rows, and its buttons, for each state of each view. */
const expected: Readonly<Record<string, Readonly<Record<string, readonly [string, ...string[]]>>>> =
  {
    sources: {
      'missingPermission repository.read': [
        'Your API key lacks the permission repository.read: environments, apps, jobs and deployments are hidden.',
        ...elsewhere,
      ],
      'missingPermission secret.list': [
        'Your API key lacks the permission secret.list: the key names of secrets are hidden.',
        ...elsewhere,
      ],
      notConnected: ['Connect to a control plane to see what runs where.', 'connect'],
      empty: ['No source is known yet.', 'discover', 'addSource'],
      noMatch: ['Nothing matches the filter.', 'resetSourcesFilter', 'changeSourcesFilter'],
    },
    servers: {
      'missingPermission alert.read': [
        'Your API key lacks the permission alert.read: alert rules, workloads and destinations are hidden.',
        ...elsewhere,
      ],
      notConnected: ['Connect to a control plane to see what is watched where.', 'connect'],
      empty: ['No server is known yet.', 'discover', 'addServer'],
      noMatch: ['Nothing matches the filter.', 'resetServersFilter', 'changeServersFilter'],
    },
    integrations: {
      'missingPermission integration.manage': [
        'Your API key lacks the permissions integration.manage and repository.connect: integrations and repositories are hidden.',
        ...elsewhere,
      ],
      notConnected: ['Connect to a control plane to see integrations and repositories.', 'connect'],
      noMatch: [
        'Nothing matches the filter.',
        'resetIntegrationsFilter',
        'changeIntegrationsFilter',
      ],
    },
  };

/** What every view says alike. */
const alike: Readonly<Record<string, readonly [string, ...string[]]>> = {
  signedOut: [
    'You are signed out: there is no API key for this connection.',
    'connect',
    'switchConnection',
  ],
  'unreachable network': ['The control plane cannot be reached.', ...outage],
  'unreachable key': ['The control plane does not accept the API key.', 'connect', ...outage],
  'unreachable busy': ['The control plane asks to wait: there were too many requests.', ...outage],
  'unreachable server': ['The control plane failed to answer.', ...outage],
  'unreachable answer': ['The control plane did not answer as it should.', ...outage],
};

/** The texts that a view shows in a state; VS Code shows all that apply, one below the other. */
function shown(view: string, state: string): string[] {
  const key = `controlPlane.${view}.state`;
  const value = state.includes(' ') ? `'${state}'` : state;
  return manifest.contributes.viewsWelcome
    .filter((one) => one.view === `controlPlane.${view}` && one.when === `${key} == ${value}`)
    .map(({ contents }) => (texts as Record<string, string>)[contents.slice(1, -1)] ?? '');
}

describe('what stands in place of the rows of a tree', () => {
  for (const [view, own] of Object.entries(expected)) {
    for (const [state, [begin, ...buttons]] of Object.entries({ ...alike, ...own })) {
      it(`says in ${view} why, and what helps: ${state}`, () => {
        const [text = '', ...others] = shown(view, state);
        assert.isEmpty(others);
        assert.isTrue(text.startsWith(begin), text);
        assert.deepEqual(
          [...text.matchAll(/^\[[^\]]+\]\(command:controlPlane\.(\w+)\)$/gm)].map(([, id]) => id),
          buttons,
        );
      });
    }

    it(`has no text for a state that ${view} has not, but for the time before there is one`, () => {
      const [first, ...others] = manifest.contributes.viewsWelcome.filter(
        (one) => one.view === `controlPlane.${view}`,
      );
      assert.equal(first?.when, `!controlPlane.${view}.state`);
      assert.lengthOf(others, Object.keys({ ...alike, ...own }).length);
    });
  }
});
