import { assert } from 'chai';
import manifest from '../../../package.json';
import texts from '../../../package.nls.json';

/** The command of the text instead of rows, for each state of each view: a button or, as `inline`, a link. */
const expected: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  sources: {
    'missingPermission repository.read': 'checkConnection',
    'missingPermission secret.list': 'checkConnection',
    empty: 'discover',
    noMatch: 'resetSourcesFilter',
  },
  servers: {
    notConnected: 'inline connect',
    signedOut: 'inline connect',
    'missingPermission alert.read': 'checkConnection',
    empty: 'discover',
    noMatch: 'resetServersFilter',
  },
  integrations: {
    notConnected: 'inline connect',
    signedOut: 'inline connect',
    'missingPermission integration.manage': 'checkConnection',
    noMatch: 'resetIntegrationsFilter',
  },
};

/** The states of all views. */
const shared: Readonly<Record<string, string>> = {
  notConnected: 'connect',
  signedOut: 'connect',
  'unreachable network': 'refresh',
  'unreachable key': 'connect',
  'unreachable busy': 'refresh',
  'unreachable server': 'refresh',
  'unreachable answer': 'checkConnection',
};

/** The welcome texts of a view in a state. VS Code shows all that match. */
function shown(view: string, state: string): string[] {
  const key = `controlPlane.${view}.state`;
  const value = state.includes(' ') ? `'${state}'` : state;
  return manifest.contributes.viewsWelcome
    .filter((one) => one.view === `controlPlane.${view}` && one.when === `${key} == ${value}`)
    .map(({ contents }) => (texts as Record<string, string>)[contents.slice(1, -1)] ?? '');
}

describe('The welcome text of a tree', () => {
  for (const [view, own] of Object.entries(expected)) {
    for (const [state, button] of Object.entries({ ...shared, ...own })) {
      it(`has one paragraph and ${button} in ${view} in the state ${state}`, () => {
        const texts = shown(view, state);
        assert.lengthOf(texts, 1);
        const [text, line, ...others] = texts[0]?.split('\n') ?? [];
        assert.isEmpty(others);
        const link = /\[[^\]]+\]\(command:controlPlane\.(\w+)\)/;
        if (button.startsWith('inline ')) {
          assert.match(text ?? '', /\.$/);
          assert.equal(`inline ${link.exec(text ?? '')?.[1]}`, button);
          assert.isUndefined(line);
          return;
        }
        assert.match(text ?? '', /^[^[\]]+\.$/);
        // VS Code shows a link that is alone on its line as a button.
        assert.equal(new RegExp(`^${link.source}$`).exec(line ?? '')?.[1], button);
        const permission = /^missingPermission (.*)$/.exec(state)?.[1];
        if (permission !== undefined) assert.include(text, permission);
      });
    }

    it(`exists in ${view} only for its states and for the time before the first state`, () => {
      const [first, ...others] = manifest.contributes.viewsWelcome.filter(
        (one) => one.view === `controlPlane.${view}`,
      );
      assert.equal(first?.when, `!controlPlane.${view}.state`);
      assert.lengthOf(others, Object.keys({ ...shared, ...own }).length);
    });
  }
});
