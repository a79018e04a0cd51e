import type { View } from '../../src/logs/explorer/panel/messages';
import { element, setText } from './dom';

interface LiveRegion {
  readonly element: HTMLElement;
  show(view: View): void;
}

/**
 * What a screen reader says by itself: that a search begins, waits, and what it came to, and that following
 * goes on, waits or ends. The numbers that grow meanwhile are for whoever looks at them.
 */
export function createLiveRegion(): LiveRegion {
  const root = element('div', { class: 'unseen', attributes: { role: 'status' } });
  let before: Before = { epoch: -1 };
  return {
    element: root,
    show(view) {
      const text = newsOf(before, view);
      before = view;
      if (text !== undefined) setText(root, text);
    },
  };
}

type Before = Pick<View, 'epoch' | 'progress' | 'isWaiting' | 'following'>;

/** What has changed that is worth a sentence; undefined where nothing has. */
export function newsOf(
  before: Before,
  { epoch, progress, isWaiting, summary, failure, following }: View,
): string | undefined {
  if (before.following?.state !== following?.state && following !== undefined) {
    return following.text;
  }
  if (progress !== undefined) {
    const begins = before.progress === undefined || (isWaiting === true && !before.isWaiting);
    return begins ? progress : undefined;
  }
  // A quick search was over before its progress was shown.
  if (before.progress === undefined && before.epoch === epoch) return undefined;
  // A failure is an alert of its own.
  return failure === undefined ? summary : '';
}
