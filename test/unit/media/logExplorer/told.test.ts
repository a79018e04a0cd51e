import { assert } from 'chai';
import { newsOf } from '../../../../media/logExplorer/told';
import type { View } from '../../../../src/panels/logExplorer/messages';

function view(rest: Partial<View> = {}): View {
  return {
    life: 1,
    state: 'ready',
    query: '',
    canGoBack: false,
    older: { text: '', canLoad: true },
    newer: { text: '', canLoad: false },
    cannotFollow: '',
    notices: [],
    summary: '',
    ...rest,
  };
}

/** What is said as these come one after the other; the first was there before. */
function said(...views: View[]): (string | undefined)[] {
  return views.slice(1).map((one, index) => newsOf(views[index]!, one));
}

const nothing = undefined;

describe('what a screen reader says of a search', () => {
  it('is that it begins and what it came to, not each page in between', () => {
    const told = said(
      view({ life: 0 }),
      view({ progress: 'Searching…' }),
      view({ progress: '10 records from 1 page…', summary: '10 records' }),
      view({ progress: '20 records from 2 pages…', summary: '20 records' }),
      view({ summary: '25 records' }),
      view({ summary: '25 records' }),
    );
    assert.deepEqual(told, ['Searching…', nothing, nothing, '25 records', nothing]);
  });

  it('is what it came to where that was quick', () => {
    assert.deepEqual(said(view(), view({ life: 2, summary: '1 record' })), ['1 record']);
  });

  it('is nothing where it fails, which is an alert', () => {
    const failure: View['failure'] = { message: 'No network', help: 'diagnostics' };
    assert.deepEqual(said(view({ progress: 'Searching…' }), view({ failure })), ['']);
  });

  it('is that following waits or goes on, not how many records come or seconds pass', () => {
    const following = (state: 'live' | 'waiting', text: string, newRecords = 0): View =>
      view({ following: { state, text, newRecords }, summary: `${newRecords} records` });
    const told = said(
      view(),
      following('live', 'live'),
      following('live', 'live', 5),
      following('waiting', 'reconnecting in 2 s', 5),
      following('waiting', 'reconnecting in 1 s', 5),
      following('live', 'live', 5),
      view(),
    );
    assert.deepEqual(told, ['live', nothing, 'reconnecting in 2 s', nothing, 'live', nothing]);
  });
});
