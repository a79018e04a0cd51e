import type { View } from '../../src/logs/explorer/panel/view';
import { element, setText } from './dom';

interface LiveRegion {
  readonly element: HTMLElement;
  show(view: View): void;
}

/**
 * Creates the element that screen readers announce: the start, waits and result of a search, and changes
 * of following. Counts that grow meanwhile are not announced.
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

/** The text to announce; undefined if there is none. */
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
  // A quick search ends before its progress is shown.
  if (before.progress === undefined && before.epoch === epoch) return undefined;
  // A failure is announced as an alert.
  return failure === undefined ? summary : '';
}
