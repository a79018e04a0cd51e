import type { View } from '../../../../src/logs/explorer/protocol/view';

/** A view of results with default members, except these. */
export function viewWith(rest: Partial<View> = {}): View {
  return {
    epoch: 1,
    state: 'ready',
    serverNow: 0,
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
