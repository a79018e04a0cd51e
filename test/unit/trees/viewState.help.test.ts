import { assert } from 'chai';
import manifest from '../../../package.json';
import texts from '../../../package.nls.json';
import { accessibilityHelp } from '../../../src/trees/viewState';

describe('The accessibility help', () => {
  const views = Object.values(manifest.contributes.views).flat();

  it('exists for each view, and names commands of the editor that have keys', () => {
    assert.isNotEmpty(views);
    for (const { id, accessibilityHelpContent } of views) {
      const text = (texts as Record<string, string>)[accessibilityHelpContent.replaceAll('%', '')];
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
