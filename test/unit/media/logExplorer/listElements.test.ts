import { assert } from 'chai';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { menuContext } from '../../../../media/logExplorer/listElements';
import type { LogRow } from '../../../../src/logs/explorer/protocol/view';
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

/** What every record supports. */
const copies = ['copyRecordLink', 'copyRecordLine', 'copyRecordJson'];
const always = ['goToLogStatement', ...copies];

describe('menu of a row', () => {
  it('contains the commands that its record supports', () => {
    const placed = ['goToLogStatement', 'togglePin', ...copies];
    const all = ['showRecordTrace', 'showRecordContext', ...placed];
    assert.deepEqual(offered({ trace: 't', hasContext: true }), all);
    assert.deepEqual(offered({ hasContext: true }), all.slice(1));
    assert.deepEqual(offered({ hasContext: false }), always);
  });
});
