import { openSettings } from '../../../src/api/generated/descriptionForms';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { assert } from 'chai';
import manifest from '../../../package.json';
import texts from '../../../package.nls.json';
import { settings } from '../../../.config/settings';
import {
  commands,
  contextKeys,
  extensionId,
  notifySettings,
  viewFilteredKey,
  views,
  viewStateKey,
} from '../../../src/vscode/contributions';
import { covers } from '../covers';

const root = path.resolve(__dirname, '../../..');
const sources = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.includes('generated'))
  .map((file) => readFileSync(path.join(root, 'src', file), 'utf8'));
const contributed = manifest.contributes;
const declaredCommands = contributed.commands.map(({ command }) => command);

describe('contributions', () => {
  it('package.json and the code have the same extension id', () => {
    assert.equal(extensionId, `${manifest.publisher}.${manifest.name}`);
  });

  it('AI tools are off by default, and a setting that only the user can change enables them', () => {
    assert.deepInclude(settings['controlPlane.ai.enabled'], {
      default: false,
      scope: 'application',
    });
    for (const { name, when } of contributed.languageModelTools) {
      assert.equal(when, 'config.controlPlane.ai.enabled', name);
    }
  });

  it('the code uses every command', () => {
    const templates = sources.flatMap((text) => [
      ...text.matchAll(/commands\[`(\w*)\$\{\w+\}(\w*)`\]/g),
    ]);
    for (const name of Object.keys(commands)) {
      const isOfTemplate = templates.some(
        ([, start = '', end = '']) => name.startsWith(start) && name.endsWith(end),
      );
      assert.isTrue(
        isOfTemplate || sources.some((text) => text.includes(`commands.${name}`)),
        name,
      );
    }
  });

  it('package.json and the code have the same settings', () => {
    const names = Object.keys(settings).map((id) => id.replace('controlPlane.', ''));
    const reader = sources.filter((text) => text.includes('getConfiguration('));
    assert.lengthOf(reader, 1, 'src/vscode/settings.ts only');
    const readers = sources.filter((text) => /getConfiguration\(|\/vscode\/settings'/.test(text));
    const read = reader.flatMap((text) =>
      [
        ...text.matchAll(/\b(?:get|inspect|ownValue|integer|choice|text)(?:<\w+>)?\('([\w.]+)'/g),
      ].map(([, name]) => name),
    );
    assert.isAbove(read.length, 15);
    assert.includeMembers(names, read);
    const texts = readers.join('');
    for (const name of names) {
      assert.isTrue(
        new RegExp(`['.]${name}'`).test(texts) ||
          /^(sources|servers)$/.test(name) ||
          Object.hasOwn(openSettings, name.replace('api.', '')),
        name,
      );
    }
  });

  it(`neither a folder nor a remote can change connections, notifications, and how often and how long requests run ${covers('F53, F70', 'unit')}`, () => {
    for (const name of [
      ...['connections', 'alerts.notify', 'errors.notify', 'activity.notify'],
      ...['refresh.intervalSeconds', 'api.timeoutSeconds'],
    ]) {
      assert.equal(settings[`controlPlane.${name}`]?.scope, 'application', name);
    }
    const { untrustedWorkspaces } = manifest.capabilities;
    const restricted: readonly string[] = untrustedWorkspaces.restrictedConfigurations;
    for (const [name, { scope }] of Object.entries(settings)) {
      if (scope === 'application' || name.startsWith('controlPlane.logs.')) continue;
      assert.include(restricted, name, 'only a trusted folder may set it');
    }
  });

  it('five views are visible at first', () => {
    const hidden = contributed.views.controlPlane.filter(
      (view) => 'visibility' in view && view.visibility === 'hidden',
    );
    assert.deepEqual(
      hidden.map(({ id }) => id),
      [views.integrations],
    );
    assert.lengthOf(contributed.views.controlPlane, 5 + hidden.length);
  });

  it('when clauses use context keys that the code sets', () => {
    const { logs: _logs, ...trees } = views;
    const known = new Set<string>([
      ...Object.values(contextKeys),
      ...Object.values(trees).flatMap((view) => [viewStateKey(view), viewFilteredKey(view)]),
      ...Object.values(views),
    ]);
    const clauses = [...whenClauses(manifest), ...completions()];
    assert.isNotEmpty(clauses);
    for (const clause of clauses) {
      for (const [key] of clause.matchAll(/(?<!\bconfig\.)\bcontrolPlane\.[\w.]+/g)) {
        assert.isTrue(known.has(key), `${key} in ${clause}`);
      }
      for (const [, setting = ''] of clause.matchAll(/\bconfig\.([\w.]+)/g)) {
        assert.property(settings, setting);
      }
    }
  });

  it('the palette offers a command only where it can do something', () => {
    /** These always can: the first two connect on the way. */
    const always = [
      ...[commands.followLogs, commands.searchLogs, commands.connect],
      ...[commands.showOutput, commands.copyDiagnostics, commands.accessibilityHelp],
    ];
    const whenOf = new Map(
      contributed.menus.commandPalette.map(({ command, when }) => [command, when]),
    );
    const without = contributed.commands
      .filter(({ command, ...rest }) => !('enablement' in rest) && !whenOf.has(command))
      .map(({ command }) => command);
    assert.sameMembers(without, always);
  });

  it('filters and orders of views are in their titles, not in the palette', () => {
    const inPalette = contributed.menus.commandPalette
      .filter(({ when }) => when !== 'false')
      .map(({ command }) => command);
    const ofViews = Object.values(commands).filter((id) =>
      /^controlPlane\.(?:filter|sort|change\w+Filter|reset\w+Filter)/.test(id),
    );
    assert.lengthOf(ofViews, 16);
    for (const command of ofViews) {
      assert.notInclude(inPalette, command);
      assert.isTrue(
        contributed.menus['view/title'].some((item) => item.command === command),
        command,
      );
    }
  });

  describe('keys', () => {
    /**
     * What VS Code 1.139 and its built-in extensions bind on Linux, Windows or macOS after Ctrl+K or Cmd+K, and
     * with F8: *Open Default Keyboard Shortcuts (JSON)* in a window in a browser, whose user agent names the system.
     * `cmd` stands here as `ctrl`. Of the ten most installed
     * extensions, the manifests of Python, Jupyter and its keys, C/C++, ESLint, Prettier, Live Server, Copilot and
     * Containers bind none of these, and so do those of GitLens, Java and C#. Pylance and Remote - SSH have no public
     * manifest.
     */
    const reserved =
      `c ctrl+, ctrl+- ctrl+. ctrl+/ ctrl+0 ctrl+1 ctrl+2 ctrl+3 ctrl+4 ctrl+5 ctrl+6 ctrl+7 ctrl+8 ctrl+9
      ctrl+= ctrl+[ ctrl+\\ ctrl+] ctrl+a ctrl+alt+c ctrl+alt+down ctrl+alt+left ctrl+alt+right ctrl+alt+s ctrl+alt+up
      ctrl+b ctrl+c ctrl+d ctrl+down ctrl+e ctrl+f ctrl+f12 ctrl+h ctrl+i ctrl+j ctrl+k ctrl+l ctrl+left ctrl+m ctrl+n
      ctrl+o ctrl+p ctrl+pagedown ctrl+pageup ctrl+q ctrl+r ctrl+right ctrl+s ctrl+shift+\\ ctrl+shift+alt+c
      ctrl+shift+c ctrl+shift+l ctrl+shift+left ctrl+shift+n ctrl+shift+right ctrl+shift+s ctrl+shift+w ctrl+t ctrl+u
      ctrl+up ctrl+w ctrl+x d down e enter f f12 f2 i left m n o p right s shift+enter shift+n shift+o t u up v w y z`
        .split(/\s+/)
        .map((key) => `ctrl+k ${key}`)
        .concat('f8', 'shift+f8', 'alt+f8', 'shift+alt+f8');

    it('are free on every system', () => {
      for (const { key, mac, command } of contributed.keybindings) {
        // Another first key must be looked up, too.
        assert.match(key, /^ctrl\+k \S+$|^\S*\bf8$/, command);
        assert.notInclude(reserved, key, command);
        assert.sameMembers(mac.replace('cmd', 'ctrl').split(/[ +]/), key.split(/[ +]/), command);
      }
    });

    it('do something only where their commands can', () => {
      for (const { command, when } of contributed.keybindings) {
        assert.match(when, /^controlPlane\.\w+/, command);
      }
    });

    it('leave Cmd+K alone where it clears a terminal or the debug console on macOS', () => {
      const chords = contributed.keybindings.filter(({ key }) => key.includes(' '));
      assert.lengthOf(chords, 5);
      for (const { command, when } of chords) {
        assert.include(when, '!terminalFocus && !accessibleViewIsShown', command);
        assert.include(when, "focusedView != 'workbench.panel.repl.view'", command);
      }
    });
  });

  it('links in texts open commands and settings that exist', () => {
    const links = [...JSON.stringify(texts).matchAll(/\]\(command:([^)?]+)(?:\?([^)]*))?\)/g)];
    assert.isAbove(links.length, 20);
    for (const [, command = '', argument = ''] of links) {
      if (command !== 'workbench.action.openSettings') {
        assert.include(declaredCommands, command);
        continue;
      }
      for (const setting of JSON.parse(decodeURIComponent(argument)) as string[]) {
        assert.property(settings, setting);
      }
    }
  });

  it('steps of the walkthrough are completed by a context key or by a command that exists', () => {
    for (const { id, completionEvents } of contributed.walkthroughs.flatMap(({ steps }) => steps)) {
      for (const event of completionEvents) {
        const [kind = '', what = ''] = event.split(':');
        assert.isTrue(
          kind === 'onContext' || (kind === 'onCommand' && declaredCommands.includes(what)),
          id,
        );
      }
    }
  });

  it('no button in an empty view changes a server', () => {
    const changing = [
      commands.syncEnvironment,
      commands.cleanUpOrphans,
      commands.retryPreviewReporting,
    ];
    for (const [key, text] of Object.entries<string>(texts)) {
      // VS Code makes a button of a link with a line of its own.
      const buttons = [...text.matchAll(/^\[[^\]]*\]\(command:([\w.]+)[^)]*\)$/gm)];
      if (!key.startsWith('welcome.')) continue;
      for (const [, command] of buttons) assert.notInclude(changing, command, key);
    }
  });

  it('menus contain only existing commands and submenus', () => {
    const submenus = contributed.submenus.map(({ id }) => id);
    for (const items of Object.values(contributed.menus)) {
      for (const item of items) {
        if ('submenu' in item) assert.include(submenus, item.submenu);
        else assert.isTrue(declaredCommands.includes(item.command), item.command);
      }
    }
  });

  it('each view has the menu of the connection', () => {
    const items = contributed.menus['view/title'].filter((item) => 'submenu' in item);
    const [, pattern = ''] = /^view =~ \/(.*)\/ && /.exec(items[0]?.when ?? '') ?? [];
    assert.lengthOf(items, 1);
    for (const id of Object.values(views)) assert.match(id, new RegExp(pattern));
  });

  it('every text of package.json is in package.nls.json, and each one there is used', () => {
    const used = JSON.stringify(manifest).matchAll(/%([\w.]+)%/g);
    assert.sameMembers([...new Set([...used].map(([, key]) => key))], Object.keys(texts));
  });

  it('settings are in five sections, connections first, each in its order', () => {
    const { configuration } = contributed;
    const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);
    assert.lengthOf(configuration, 5);
    assert.equal(configuration[0]?.id, 'controlPlane.connections');
    assert.deepEqual(
      configuration.map(({ order }) => order),
      numbers(5),
    );
    for (const { title, properties } of configuration) {
      const own = Object.keys(properties).map((name) => settings[name]?.order);
      assert.deepEqual(own, numbers(own.length), title);
    }
  });

  it('settings for a special API are advanced, and those that send to other services say so', () => {
    for (const [name, { tags = [] }] of Object.entries(settings)) {
      assert.equal(tags.includes('advanced'), name.startsWith('controlPlane.api.'), name);
      assert.equal(tags.includes('usesOnlineServices'), name.startsWith('controlPlane.ai.'), name);
    }
  });

  it('settings are described in Markdown, whose links open settings and commands that exist', () => {
    const words: Readonly<Record<string, string>> = texts;
    const described = Object.values(settings).map(
      ({ markdownDescription }) => words[markdownDescription.replaceAll('%', '')] ?? '',
    );
    const linked = described.flatMap((text) =>
      [...text.matchAll(/`#([^`]+)#`/g)].map(([, name = '']) => name),
    );
    assert.isNotEmpty(linked);
    for (const name of linked) assert.property(settings, name);
    // A command is a link, not its name in italics.
    for (const text of described) assert.notMatch(text, /\*[^*]*…\*/);
  });

  it('each setting that asks for notifications can be turned off', () => {
    const asking = Object.keys(settings).filter((name) => name.endsWith('.notify'));
    assert.sameMembers(
      Object.keys(notifySettings).map((name) => `controlPlane.${name}`),
      asking,
    );
    for (const [name, off] of Object.entries(notifySettings)) {
      const values: readonly unknown[] = settings[`controlPlane.${name}`]?.enum ?? [true, false];
      assert.include(values, off, name);
    }
  });

  it('no setting can contain an API key', () => {
    for (const name of Object.keys(settings)) {
      assert.notMatch(name, /apiKey|token|password|secret(?!sEnvironment)/i);
    }
  });
});

/** The context keys that complete the steps of the walkthrough. */
function completions(): string[] {
  return contributed.walkthroughs.flatMap(({ steps }) =>
    steps.flatMap(({ completionEvents }) =>
      completionEvents.filter((event) => event.startsWith('onContext:')),
    ),
  );
}

/** Every text of `when` and `enablement`, at any depth. */
function whenClauses(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) =>
    (name === 'when' || name === 'enablement') && typeof inner === 'string'
      ? [inner]
      : whenClauses(inner),
  );
}
