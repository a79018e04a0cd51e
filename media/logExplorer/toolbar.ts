import type { Request } from '../../src/logs/explorer/panel/messages';
import type { View } from '../../src/logs/explorer/panel/view';
import { element, setText, toolButton, toolbarButton } from './dom';
import { createMenu } from './menu';
import type { Strings } from './strings';

interface Toolbar {
  readonly element: HTMLElement;
  show(view: View): void;
  /** The patterns were opened or closed. */
  update(): void;
}

/** The requests of its buttons. */
type ToolbarRequest = Extract<
  Request['kind'],
  Exclude<FollowAction, 'resume'> | 'back' | 'save' | 'copyLink' | 'export' | 'openAsText'
>;

export interface ToolbarHost {
  readonly strings: Strings;
  readonly request: (kind: ToolbarRequest) => void;
  /** Long lines: whether they wrap. */
  readonly wrap: { readonly isOn: () => boolean; readonly toggle: () => void };
  readonly patterns: { readonly isOpen: () => boolean; readonly toggle: () => void };
  /** Opens the find bar. */
  readonly openFind: () => void;
  /** Selects the next or the previous error in the list. */
  readonly toError: (direction: 1 | -1) => void;
  /** Focuses the list. */
  readonly focusList: () => void;
  /** Shows why an action is not possible. */
  readonly explain: (why: string) => void;
}

/**
 * Creates the toolbar.
 *
 * @param filters are shown at its start.
 */
export function createToolbar(host: ToolbarHost, filters: readonly HTMLElement[]): Toolbar {
  const { strings, request, explain } = host;
  let cannotFollow = '';
  const follow: Readonly<Record<FollowAction, HTMLElement>> = {
    follow: toolButton('play', strings('toolbar.follow'), strings('toolbar.followHint'), () => {
      if (cannotFollow === '') request('follow');
      else explain(cannotFollow);
    }),
    pause: toolButton('debug-pause', strings('toolbar.pause'), strings('toolbar.pause'), () =>
      request('pause'),
    ),
    resume: toolButton('debug-continue', strings('toolbar.resume'), strings('toolbar.resume'), () =>
      request('follow'),
    ),
    stop: toolButton('debug-stop', strings('toolbar.stop'), strings('toolbar.stop'), () =>
      request('stop'),
    ),
  };
  const state = element('span', { class: 'follow-state' });
  const back = toolButton('arrow-left', strings('toolbar.back'), strings('toolbar.backHint'), () =>
    request('back'),
  );
  const title = element('h2', { class: 'title' });
  const patterns = toolButton(
    'group-by-ref-type',
    strings('toolbar.patterns'),
    strings('toolbar.patternsHint'),
    host.patterns.toggle,
  );
  const errors = element(
    'span',
    { class: 'errors', attributes: { role: 'group', 'aria-label': strings('toolbar.errors') } },
    toolbarButton('arrow-up', strings('toolbar.previousError'), () => host.toError(-1)),
    toolbarButton('arrow-down', strings('toolbar.nextError'), () => host.toError(1)),
  );
  const more = createMenu(strings('toolbar.more'), () => [
    { icon: 'save', label: strings('toolbar.save'), run: () => request('save') },
    { icon: 'link', label: strings('toolbar.copyLink'), run: () => request('copyLink') },
    { icon: 'export', label: strings('toolbar.export'), run: () => request('export') },
    { icon: 'go-to-file', label: strings('toolbar.openAsText'), run: () => request('openAsText') },
    {
      icon: 'word-wrap',
      label: strings('toolbar.wrap'),
      run: host.wrap.toggle,
      isChecked: host.wrap.isOn,
    },
  ]);
  const root = element(
    'div',
    { class: 'tools', attributes: { role: 'group', 'aria-label': strings('toolbar.label') } },
    back,
    title,
    ...filters,
    ...Object.values(follow),
    state,
    patterns,
    element('span', { class: 'gap' }),
    toolbarButton('search', strings('findLabel'), host.openFind),
    errors,
    more,
  );
  root.hidden = true;

  const update = (): void => void (patterns.ariaPressed = String(host.patterns.isOpen()));

  return {
    element: root,
    update,
    show(view) {
      root.hidden = view.state === 'notConnected' || view.state === 'signedOut';
      ({ cannotFollow } = view);
      const had = Object.values(follow).find((button) => button === document.activeElement);
      const choices = followChoices(view.following?.state);
      for (const [action, button] of Object.entries(follow)) {
        button.hidden = !choices.some((one) => one === action);
      }
      // The focus moves from a button that disappears to the one that replaces it.
      if (had?.hidden === true) follow[choices[0] ?? 'follow'].focus();
      follow.follow.classList.toggle('unavailable', cannotFollow !== '');
      follow.follow.ariaDisabled = String(cannotFollow !== '');
      follow.follow.title = cannotFollow === '' ? strings('toolbar.followHint') : cannotFollow;
      setText(state, view.following?.text ?? '');
      // When Back disappears, the focus moves to the list.
      if (!view.canGoBack && back === document.activeElement) host.focusList();
      back.hidden = !view.canGoBack;
      setText(title, view.title ?? '');
      title.hidden = view.title === undefined;
    },
  };
}

/** The actions for following. */
type FollowAction = 'follow' | 'pause' | 'resume' | 'stop';

/** The possible actions in a state, the most likely first; undefined means not following. */
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
