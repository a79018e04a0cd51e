import { assert } from 'chai';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { menuContext, shownBody } from '../../../../media/logExplorer/listElements';
import type { LogRow } from '../../../../src/logs/explorer/panel/view';
import { rows } from './rows';

/** The menus of package.json that are of pages. */
interface Manifest {
  readonly contributes: {
    readonly menus: {
      readonly 'webview/context': readonly { readonly command: string; readonly when: string }[];
    };
  };
}

const file = path.resolve(__dirname, '../../../../package.json');
const { contributes } = JSON.parse(readFileSync(file, 'utf8')) as Manifest;

/** The commands that the menu of a row offers. */
function offered(rest: Partial<LogRow>): string[] {
  const [row] = rows(0, 1, rest);
  assert.isDefined(row);
  const context = menuContext(row);
  return contributes.menus['webview/context']
    .filter(({ when }) =>
      when.split(' && ').every((part) => {
        const [key = '', value] = part.split(' == ');
        assert.property(context, key, 'the page says nothing of it');
        return value === undefined ? context[key] === true : context[key] === value;
      }),
    )
    .map(({ command }) => command.replace(/^controlPlane\./, ''));
}

const copies = ['copyRecordLine', 'copyRecordJson'];

describe('menu of a row', () => {
  it('contains the commands that its record supports', () => {
    const all = ['showRecordTrace', 'showRecordContext', ...copies];
    assert.deepEqual(offered({ hasTrace: true, hasContext: true }), all);
    assert.deepEqual(offered({ hasTrace: false, hasContext: true }), all.slice(1));
    assert.deepEqual(offered({ hasTrace: false, hasContext: false }), copies);
  });
});

describe('body of a row', () => {
  it('keeps the place of its spans when it is on one line', () => {
    const body = 'Error: no\n    at main\nend';
    const { text, at } = shownBody(body, false);
    for (const word of ['Error', 'at main', 'end']) {
      assert.equal(at(body.indexOf(word)), text.indexOf(word));
    }
    assert.equal(shownBody('x'.repeat(2000), false).at(1500), 1001);
  });

  it('is on one line with signs for line breaks, or unchanged when lines wrap', () => {
    assert.equal(
      shownBody('Error: no\n    at main\r\nend', false).text,
      'Error: no ↵ at main ↵ end',
    );
    assert.equal(shownBody('Error: no\n    at main', true).text, 'Error: no\n    at main');
  });

  it('is cut at a maximum length', () => {
    assert.equal(shownBody('x'.repeat(2000), false).text, `${'x'.repeat(1000)}…`);
    assert.equal(shownBody('x'.repeat(5000), true).text, `${'x'.repeat(4000)}…`);
    assert.equal(shownBody('x'.repeat(1000), false).text, 'x'.repeat(1000));
  });
});
