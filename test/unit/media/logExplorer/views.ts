import type { View } from '../../../../src/logs/explorer/protocol/view';
import { emptyView } from '../../logs/explorer/emptyView';

/** A view of results, of which older ones can be loaded, except for these members. */
export function viewWith(rest: Partial<View> = {}): View {
  return { ...emptyView, epoch: 1, state: 'ready', older: { text: '', canLoad: true }, ...rest };
}
