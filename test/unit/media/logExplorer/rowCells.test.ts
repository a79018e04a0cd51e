import { assert } from 'chai';
import { createAgo, shownBody, textsOf } from '../../../../media/logExplorer/rowCells';
import { defaultLayout } from '../../../../src/logs/explorer/panel/view';
import { rows } from './rows';

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

describe('relative time of a row', () => {
  it('has the largest unit that is not zero, and counts down to a time in the future', () => {
    const ago = createAgo('en');
    const now = Date.parse('2026-11-20T12:00:00Z');
    const texts: [seconds: number, text: string][] = [
      [0, '0s ago'],
      [0.9, '0s ago'],
      [59.9, '59s ago'],
      [60, '1m ago'],
      [3599, '59m ago'],
      [3600, '1h ago'],
      [86_400, '1d ago'],
      [800 * 86_400, '800d ago'],
      [-0.5, '0s ago'],
      [-90, 'in 1m'],
    ];
    for (const [seconds, text] of texts) {
      assert.equal(ago(now - seconds * 1000, now), text, String(seconds));
    }
    assert.equal(createAgo('de')(now - 5000, now), 'vor 5 s');
  });
});

describe('texts of a row that can be found', () => {
  it('are those that are shown', () => {
    const [row] = rows(1, 1, { values: { 'attr.user': '42', server: 'eu-1' } });
    assert.isDefined(row);
    const layout = {
      ...defaultLayout,
      columns: [...defaultLayout.columns, { field: 'attr.user' }],
    };
    assert.sameMembers(textsOf(row, layout), ['body 1', '12:00:1', '', 'web-api', '42']);
    const relative = { ...layout, time: 'relative' as const, columns: [{ field: 'timestamp' }] };
    assert.sameMembers(textsOf(row, relative), ['body 1', '']);
  });
});
