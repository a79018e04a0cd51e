import type { Request } from '../../src/logs/explorer/panel/messages';
import type { View } from '../../src/logs/explorer/panel/view';
import { type Button, element, icon, setText, toolbarButton } from './dom';
import type { Strings } from './strings';

interface Toolbar {
  readonly element: HTMLElement;
  show(view: View): void;
  setWrap(wrap: boolean): void;
}

/** The requests of its buttons. */
type ToolbarRequest = Extract<
  Request['kind'],
  Exclude<FollowAction, 'resume'> | 'back' | 'save' | 'copyLink' | 'export' | 'openAsText'
>;

export interface ToolbarHost {
  readonly strings: Strings;
  readonly request: (kind: ToolbarRequest) => void;
  readonly toggleWrap: () => void;
  /** Opens the find bar. */
  readonly openFind: () => void;
  /** Selects the next or the previous error in the list. */
  readonly toError: (direction: 1 | -1) => void;
  /** Focuses the list. */
  readonly focusList: () => void;
  /** Shows why an action is not possible. */
  readonly explain: (why: string) => void;
}

/** Creates the toolbar. */
export function createToolbar(host: ToolbarHost): Toolbar {
  const { strings, request, toggleWrap, explain } = host;
  const tool = (icon: string, label: string, hint: string, onClick: () => unknown): Button => {
    const button = element(
      'vscode-button',
      { class: 'tool', attributes: { secondary: '', icon, title: hint } },
      element('span', { class: 'label', text: label }),
    );
    button.addEventListener('click', () => void onClick());
    return button;
  };
  const simple = (icon: string, kind: ToolbarRequest, label: string, hint = label): Button =>
    tool(icon, label, hint, () => request(kind));

  let cannotFollow = '';
  const follow: Readonly<Record<FollowAction, Button>> = {
    follow: tool('play', strings('toolbar.follow'), strings('toolbar.followHint'), () => {
      if (cannotFollow === '') request('follow');
      else explain(cannotFollow);
    }),
    pause: simple('debug-pause', 'pause', strings('toolbar.pause')),
    resume: simple('debug-continue', 'follow', strings('toolbar.resume')),
    stop: simple('debug-stop', 'stop', strings('toolbar.stop')),
  };
  const state = element('span', { class: 'follow-state' });
  const back = simple('arrow-left', 'back', strings('toolbar.back'), strings('toolbar.backHint'));
  const title = element('h2', { class: 'title' });
  const wrap = tool('word-wrap', strings('toolbar.wrap'), strings('toolbar.wrap'), toggleWrap);
  const ofResults = [
    simple('save', 'save', strings('toolbar.save'), strings('toolbar.saveHint')),
    simple('link', 'copyLink', strings('toolbar.copyLink')),
    simple('export', 'export', strings('toolbar.export'), strings('toolbar.exportHint')),
    simple('go-to-file', 'openAsText', strings('toolbar.openAsText')),
  ];
  for (const button of [...ofResults, wrap]) button.classList.add('brief');
  const errors = element(
    'span',
    { class: 'errors', attributes: { role: 'group', 'aria-label': strings('toolbar.errors') } },
    icon('error'),
    toolbarButton('arrow-up', strings('toolbar.previousError'), () => host.toError(-1)),
    toolbarButton('arrow-down', strings('toolbar.nextError'), () => host.toError(1)),
  );
  const root = element(
    'div',
    { class: 'tools', attributes: { role: 'group', 'aria-label': strings('toolbar.label') } },
    back,
    title,
    ...Object.values(follow),
    state,
    element('span', { class: 'gap' }),
    ...ofResults,
    wrap,
    element(
      'span',
      { class: 'in-list' },
      toolbarButton('search', strings('findLabel'), host.openFind),
      errors,
    ),
  );
  root.hidden = true;

  return {
    element: root,
    show(view) {
      const isConnected = view.state !== 'notConnected' && view.state !== 'signedOut';
      root.hidden = !isConnected;
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
    setWrap(isOn) {
      wrap.ariaPressed = String(isOn);
      wrap.classList.toggle('pressed', isOn);
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
