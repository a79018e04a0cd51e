import type { View } from '../../src/logs/explorer/protocol/view';
import { element, icon, setText } from './dom';
import type { Panel, Strings } from './panel';

export interface Notices {
  readonly element: HTMLElement;
  /** @param longer searches a longer range, if there is one. */
  show(view: View, longer?: NextStep): void;
  /** Shows an error until it is dismissed. */
  fail(error: unknown): void;
  /** Shows why the logs cannot be followed, as long as that is true. */
  explain(why: string): void;
  /** Removes errors and explanations of earlier actions. */
  forget(): void;
}

export interface NextStep {
  readonly label: string;
  readonly run: () => unknown;
}

type Help = NonNullable<View['failure']>['help'];

/** Creates the notices: failures, notes about the records, and hints if there are none. */
export function createNotices(ask: Panel['ask'], strings: Strings): Notices {
  const list = element('ul', {
    class: 'notice-list',
    attributes: { role: 'list', 'aria-label': strings('notices.label') },
  });
  // Screen readers announce changes only in elements that exist already.
  const status = element('div', { attributes: { role: 'status' } }, list);
  const failure = element('div', { class: 'failure', attributes: { role: 'alert' } });
  const refusal = element('div', { class: 'failure', attributes: { role: 'alert' } });
  const hint = element('div', { class: 'hint', attributes: { role: 'status' } });
  const explanation = element('div', { class: 'hint', attributes: { role: 'status' } });
  const root = element(
    'div',
    { class: 'notice-parts' },
    failure,
    refusal,
    explanation,
    status,
    hint,
  );

  const help = (action: Help): HTMLElement =>
    element('vscode-button', {
      text: strings(`notices.${action}`),
      onClick: () => ask('help', { action }).catch(fail),
    });
  const fail = (error: unknown): void => {
    refusal.replaceChildren(icon('error'), ...dismissible(refusal, messageOf(error)));
  };
  const dismissible = (place: HTMLElement, text: string): HTMLElement[] => {
    const before = document.activeElement;
    return [
      element('span', { class: 'text', text }),
      element('button', {
        class: 'icon-button codicon codicon-close',
        attributes: { type: 'button', 'aria-label': strings('notices.dismiss') },
        onClick() {
          place.replaceChildren();
          // The focus goes back to where it was.
          if (before instanceof HTMLElement) before.focus();
        },
      }),
    ];
  };
  let explained = '';
  let shownFailure = '';
  let shownNotices = '';
  let shownHint = '';

  const showFailure = (view: View): void => {
    const key = JSON.stringify(view.failure ?? null);
    if (key === shownFailure) return;
    shownFailure = key;
    failure.replaceChildren(
      ...(view.failure === undefined
        ? []
        : [
            icon('error'),
            element('span', { class: 'text', text: view.failure.message }),
            help(view.failure.help),
          ]),
    );
  };
  const showNotices = ({ notices }: View): void => {
    const key = JSON.stringify(notices);
    if (key === shownNotices) return;
    shownNotices = key;
    list.replaceChildren(
      ...notices.map(({ level, text }) =>
        element(
          'li',
          { class: level },
          icon(level),
          ...(level === 'warning'
            ? [element('span', { class: 'unseen', text: `${strings('notices.warning')}: ` })]
            : []),
          element('span', { class: 'text', text }),
        ),
      ),
    );
  };
  const showHint = (view: View, longer: NextStep | undefined): void => {
    const key = `${view.state} ${view.failure?.help ?? ''} ${longer?.label ?? ''} ${isNothing(view)}`;
    if (key === shownHint) return;
    shownHint = key;
    hint.replaceChildren(...hintParts(view, longer));
  };
  const hintParts = (view: View, longer: NextStep | undefined): HTMLElement[] => {
    const { state, failure: failed } = view;
    if (state === 'notConnected' || state === 'signedOut') {
      return [
        icon('plug'),
        element('span', { class: 'text', text: strings(`empty.${state}`) }),
        // The failure already has this button.
        ...(failed?.help === 'connect' ? [] : [help('connect')]),
      ];
    }
    if (!isNothing(view)) return [];
    return [
      icon('lightbulb'),
      element('span', { class: 'text', text: strings('empty.nothing') }),
      ...(longer === undefined
        ? []
        : [
            element('vscode-button', {
              text: longer.label,
              attributes: { secondary: '' },
              onClick: longer.run,
            }),
          ]),
    ];
  };
  return {
    element: root,
    show(view, longer) {
      if (view.cannotFollow !== explained) explanation.replaceChildren();
      showFailure(view);
      showNotices(view);
      showHint(view, longer);
    },
    fail,
    explain(why) {
      explained = why;
      explanation.replaceChildren(icon('info'), ...dismissible(explanation, why));
    },
    forget() {
      refusal.replaceChildren();
      explanation.replaceChildren();
    },
  };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether a search ended without records and no more are expected. */
function isNothing({ state, histogram, progress, following, title }: View): boolean {
  return (
    state === 'ready' &&
    histogram === undefined &&
    progress === undefined &&
    following === undefined &&
    title === undefined
  );
}

/**
 * Creates the element that screen readers announce: the start, waits and result of a search, and changes
 * of following. Counts that grow meanwhile are not announced.
 */
export function createLiveRegion() {
  const root = element('div', { class: 'unseen', attributes: { role: 'status' } });
  let before: Before = { epoch: -1 };
  return {
    element: root,
    show(view: View): void {
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
