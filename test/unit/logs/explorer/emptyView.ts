import type { View } from '../../../../src/logs/explorer/protocol/view';

/** What the page shows before the first search. */
export const emptyView: View = {
  epoch: 0,
  state: 'idle',
  query: '',
  canGoBack: false,
  older: { text: '', canLoad: false },
  newer: { text: '', canLoad: false },
  serverNow: 0,
  cannotFollow: '',
  notices: [],
  summary: '',
};
