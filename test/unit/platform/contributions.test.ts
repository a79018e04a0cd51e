import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { assert } from 'chai';
import manifest from '../../../package.json';
import texts from '../../../package.nls.json';
import {
  commands,
  contextKeys,
  extensionId,
  tools,
  viewFilteredKey,
  views,
  viewStateKey,
} from '../../../src/platform/contributions';

const root = path.resolve(__dirname, '../../..');
const sources = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.includes('generated'))
  .map((file) => readFileSync(path.join(root, 'src', file), 'utf8'));
const contributed = manifest.contributes;

describe('contributions', () => {
  it('package.json and the code name the same extension', () => {
    assert.equal(extensionId, `${manifest.publisher}.${manifest.name}`);
  });

  it('package.json and the code name the same commands', () => {
    const declared = contributed.commands.map(({ command }) => command);
    assert.sameMembers(Object.values(commands), declared);
  });

  it('every command is registered, once and by the table', () => {
    for (const name of Object.keys(commands)) {
      const uses = sources.filter((text) => text.includes(`commands.${name}`));
      assert.isNotEmpty(uses, name);
    }
    const literals = sources.filter((text) => /'controlPlane\.(?!log|api)\w+'/.test(text));
    assert.lengthOf(literals, 1, 'ids stand in contributions.ts alone');
  });

  it('package.json and the code name the same views', () => {
    const declared = Object.values(contributed.views).flatMap((list) => list.map(({ id }) => id));
    assert.sameMembers(Object.values(views), declared);
  });

  it('when clauses read context keys that the code sets', () => {
    const trees = [views.sources, views.servers, views.activity, views.integrations];
    const known = new Set<string>([
      ...Object.values(contextKeys),
      ...trees.flatMap((view) => [viewStateKey(view), viewFilteredKey(view)]),
      ...Object.values(views),
    ]);
    const clauses = [...whenClauses(manifest), ...completions()];
    assert.isNotEmpty(clauses);
    for (const clause of clauses) {
      for (const [key] of clause.matchAll(/(?<!\bconfig\.)\bcontrolPlane\.[\w.]+/g)) {
        assert.isTrue(known.has(key), `${key} in ${clause}`);
      }
      for (const [, setting = ''] of clause.matchAll(/\bconfig\.([\w.]+)/g)) {
        assert.property(contributed.configuration.properties, setting);
      }
    }
  });

  it('package.json and the code name the same AI tools, each behind the setting', () => {
    const declared = contributed.languageModelTools;
    assert.sameMembers(
      Object.values(tools),
      declared.map(({ name }) => name),
    );
    for (const tool of declared) {
      const { name, when, canBeReferencedInPrompt, toolReferenceName } = tool;
      assert.equal(when, 'config.controlPlane.ai.enabled', name);
      assert.isTrue(canBeReferencedInPrompt, name);
      assert.match(toolReferenceName, /^controlPlane\w+$/, name);
      // What people and models read of it.
      assert.match(tool.displayName, /^%tool\.\w+%$/, name);
      assert.match(tool.userDescription, /^%tool\.\w+\.description%$/, name);
      assert.match(tool.modelDescription, /^[A-Z].{80,}\.$/, name);
      assert.match(tool.icon, /^\$\([a-z-]+\)$/, name);
    }
    const references = declared.map(({ toolReferenceName }) => toolReferenceName);
    assert.lengthOf(new Set(references), declared.length);
  });

  it('AI tools are off until a person switches them on: no workspace may', () => {
    const setting = contributed.configuration.properties['controlPlane.ai.enabled'];
    assert.isFalse(setting.default);
    assert.equal(setting.scope, 'application');
  });

  it('keys are bound in our own views alone', () => {
    const bound = (contributed as { keybindings?: { command: string; when?: string }[] })
      .keybindings;
    for (const { command, when = '' } of bound ?? []) {
      assert.match(when, /\b(?:focusedView|activeWebviewPanelId) ==? '?controlPlane\.\w+/, command);
    }
  });

  it('each step of the walkthrough is done by something that happens, not by a click on it', () => {
    const steps = contributed.walkthroughs.flatMap((walkthrough) => walkthrough.steps);
    assert.deepEqual(
      steps.map(({ id }) => id),
      ['connect', 'discover', 'follow', 'search', 'act'],
    );
    for (const event of completions()) assert.match(event, /^onContext:controlPlane\.\w+/);
    for (const { id, completionEvents } of steps) assert.isNotEmpty(completionEvents, id);
  });

  it('links in its texts lead to commands and a walkthrough that exist', () => {
    const declared = new Set(contributed.commands.map(({ command }) => command));
    const links = [...JSON.stringify(texts).matchAll(/\]\(command:([^)?]+)(?:\?([^)]*))?\)/g)];
    assert.isAbove(links.length, 20);
    for (const [, command = '', argument] of links) {
      if (command === 'workbench.action.openWalkthrough') {
        const id = contributed.walkthroughs[0]?.id;
        assert.equal(decodeURIComponent(argument ?? ''), `"${extensionId}#${id}"`);
      } else assert.isTrue(declared.has(command) || !command.startsWith('controlPlane.'), command);
    }
  });

  it('menus name commands that exist', () => {
    const declared = new Set(contributed.commands.map(({ command }) => command));
    for (const items of Object.values(contributed.menus)) {
      for (const { command } of items) assert.isTrue(declared.has(command), command);
    }
  });

  it('every text of package.json is in package.nls.json, and none there is unused', () => {
    const used = JSON.stringify(manifest).matchAll(/%([\w.]+)%/g);
    assert.sameMembers([...new Set([...used].map(([, key]) => key))], Object.keys(texts));
  });

  it('F53: connections are a setting that neither a workspace nor a remote may set', () => {
    const { scope } = contributed.configuration.properties['controlPlane.connections'];
    assert.equal(scope, 'application');
  });

  it('no setting can hold an API key', () => {
    for (const name of Object.keys(contributed.configuration.properties)) {
      assert.notMatch(name, /apiKey|token|password|secret(?!sEnvironment)/i);
    }
  });
});

/** What completes the steps of the walkthrough. */
function completions(): string[] {
  return contributed.walkthroughs.flatMap(({ steps }) =>
    steps.flatMap(({ completionEvents }) => completionEvents),
  );
}

/** Every text under `when` and `enablement`, wherever it stands. */
function whenClauses(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) =>
    (name === 'when' || name === 'enablement') && typeof inner === 'string'
      ? [inner]
      : whenClauses(inner),
  );
}
