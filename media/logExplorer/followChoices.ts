import type { View } from '../../src/logs/explorer/panel/messages';

/** What can be asked for while logs are followed, or are not. */
export type FollowAction = 'follow' | 'pause' | 'resume' | 'stop';

/** What makes sense in a state, the most likely first; undefined stands for nothing being followed. */
export function followChoices(
  state: NonNullable<View['following']>['state'] | undefined,
): readonly FollowAction[] {
  switch (state) {
    case 'live':
    case 'waiting':
      return ['pause', 'stop'];
    case 'paused':
      return ['resume', 'stop'];
    case 'ended':
    case undefined:
      return ['follow'];
  }
}
