import { assert } from 'chai';
import { newsOf } from '../../../../media/logExplorer/notices';
import type { View } from '../../../../src/logs/explorer/protocol/view';
import { viewWith } from './views';

/** What is said as these come one after the other; the first was there before. */
function said(...views: View[]): (string | undefined)[] {
  return views.slice(1).map((one, index) => newsOf(views[index]!, one));
}

const nothing = undefined;

describe('announcements of a search', () => {
  it('say that it starts and what it found, not each page', () => {
    const shown = said(
      viewWith({ epoch: 0 }),
      viewWith({ progress: 'Searching…' }),
      viewWith({ progress: '10 records from 1 page…', summary: '10 records' }),
      viewWith({ progress: '20 records from 2 pages…', summary: '20 records' }),
      viewWith({ summary: '25 records' }),
      viewWith({ summary: '25 records' }),
    );
    assert.deepEqual(shown, ['Searching…', nothing, nothing, '25 records', nothing]);
  });

  it('say that it waits and for how long, once per wait', () => {
    const waits = viewWith({ progress: '0 records. Wait until 12:00:20.', isWaiting: true });
    const shown = said(
      viewWith({ epoch: 0 }),
      viewWith({ progress: 'Searching…' }),
      waits,
      waits,
      viewWith({ progress: 'Searching…' }),
      waits,
      viewWith({ summary: '25 records' }),
    );
    const news = '0 records. Wait until 12:00:20.';
    assert.deepEqual(shown, ['Searching…', news, nothing, nothing, news, '25 records']);
  });

  it('say what a quick search found', () => {
    assert.deepEqual(said(viewWith(), viewWith({ epoch: 2, summary: '1 record' })), ['1 record']);
  });

  it('are empty for a failure, which is an alert', () => {
    const failure: View['failure'] = { message: 'No network', help: 'diagnostics' };
    assert.deepEqual(said(viewWith({ progress: 'Searching…' }), viewWith({ failure })), ['']);
  });

  it('say that following waits or continues, not each record or second', () => {
    const following = (state: 'live' | 'waiting', text: string, newRecords = 0): View =>
      viewWith({ following: { state, text, newRecords }, summary: `${newRecords} records` });
    const shown = said(
      viewWith(),
      following('live', 'live'),
      following('live', 'live', 5),
      following('waiting', 'reconnecting in 2 s', 5),
      following('waiting', 'reconnecting in 1 s', 5),
      following('live', 'live', 5),
      viewWith(),
    );
    assert.deepEqual(shown, ['live', nothing, 'reconnecting in 2 s', nothing, 'live', nothing]);
  });
});
