import type {
  ComparedSideView,
  ComparisonView,
  SideName,
} from '../../src/logs/explorer/protocol/comparisonMessages';
import { element, icon, setText, toolButton } from '../logExplorer/dom';
import type { Strings } from '../logExplorer/panel';
import { createApart } from './apart';
import type { ComparisonHost } from './panel';

/** Everything above the patterns: what is compared, how far it was read, and what sets it apart. */
export interface ComparisonHead {
  readonly element: HTMLElement;
  show(view: ComparisonView): void;
  /** Shows an error until the next action. */
  readonly fail: (error: unknown) => void;
}

export function createHead(ask: ComparisonHost['ask'], strings: Strings): ComparisonHead {
  const refusal = element('div', { class: 'notice failure', attributes: { role: 'alert' } });
  const fail = (error: unknown): void => {
    refusal.replaceChildren(icon('error'), error instanceof Error ? error.message : String(error));
  };
  const request = (
    kind: 'choose' | 'read' | 'cancel' | 'openAsText' | 'copyLink' | 'askChat',
  ): void => {
    refusal.replaceChildren();
    ask(kind, {}).catch(fail);
  };
  const button = (name: string, label: string, kind: Parameters<typeof request>[0]): HTMLElement =>
    toolButton(name, label, label, () => request(kind));
  const more = button('arrow-down', strings('comparison.more'), 'read');
  const cancel = button('debug-stop', strings('query.cancel'), 'cancel');
  const chat = button('comment-discussion', strings('comparison.askChat'), 'askChat');
  const text = button('go-to-file', strings('toolbar.openAsText'), 'openAsText');
  const link = button('link', strings('toolbar.copyLink'), 'copyLink');
  const sides = element('dl', {
    class: 'sides',
    attributes: { 'aria-label': strings('comparison.sides') },
  });
  const status = element('div', { class: 'summary', attributes: { role: 'status' } });
  const failure = element('div', { class: 'notice failure', attributes: { role: 'alert' } });
  const notices = element('ul', { class: 'notes', attributes: { role: 'list' } });
  const apart = createApart(strings);
  const root = element(
    'header',
    { class: 'head' },
    element('h1', { class: 'unseen', text: strings('comparison.title') }),
    element(
      'div',
      {
        class: 'tools',
        attributes: { role: 'toolbar', 'aria-label': strings('comparison.title') },
      },
      button('git-compare', strings('comparison.choose'), 'choose'),
      more,
      cancel,
      element('span', { class: 'gap' }),
      text,
      chat,
      link,
    ),
    sides,
    failure,
    refusal,
    notices,
    status,
    apart.element,
  );
  let shown = '';

  const side = (which: SideName, { name, text: words, query }: ComparedSideView): HTMLElement =>
    element(
      'div',
      { class: `side ${which}` },
      element(
        'dt',
        {},
        element('span', { class: 'swatch', attributes: { 'aria-hidden': 'true' } }),
        element('button', {
          class: 'link',
          text: name,
          attributes: {
            type: 'button',
            title: query,
            'aria-label': strings('comparison.showSide', name),
          },
          onClick: () => ask('records', { side: which }).catch(fail),
        }),
      ),
      element('dd', { text: words }),
    );

  return {
    element: root,
    fail,
    show(view) {
      const isReading = view.progress !== undefined;
      more.hidden = isReading || !view.canRead;
      const label = view.state === 'failed' ? 'comparison.again' : 'comparison.more';
      const name = more.querySelector('.name');
      if (name !== null) setText(name, strings(label));
      more.title = more.ariaLabel = strings(label);
      if (view.state === 'failed') more.hidden = false;
      cancel.hidden = !isReading;
      chat.hidden = !view.hasChat || view.state !== 'ready';
      text.hidden = view.state !== 'ready';
      link.hidden = view.sides === undefined;
      setText(status, statusOf(view, strings));
      // What is the same is not made again, so that the focus stays.
      const key = JSON.stringify([view.sides, view.failure, view.notices, view.apart, view.state]);
      if (key === shown) return;
      shown = key;
      const { now, before } = view.sides ?? {};
      const focused = document.activeElement?.closest('.side')?.className;
      sides.replaceChildren(...(now && before ? [side('now', now), side('before', before)] : []));
      if (focused !== undefined) {
        const again = [...sides.children].find(({ className }) => className === focused);
        again?.querySelector<HTMLElement>('button')?.focus();
      }
      failure.replaceChildren(...failureParts(view));
      notices.replaceChildren(
        ...view.notices.map((note) =>
          element('li', {}, icon('info'), element('span', { text: note })),
        ),
      );
      notices.hidden = view.notices.length === 0;
      apart.show(view.state === 'ready' ? view.apart : []);
    },
  };

  function failureParts({ state, failure: failed }: ComparisonView): (Node | string)[] {
    const isOut = state === 'notConnected' || state === 'signedOut';
    if (failed === undefined && !isOut) return [];
    const help = failed?.help ?? 'connect';
    const message = failed?.message ?? strings(isOut ? `empty.${state}` : 'empty.signedOut');
    return [
      icon(failed === undefined ? 'plug' : 'error'),
      element('span', { class: 'text', text: message }),
      element('vscode-button', {
        text: strings(`notices.${help}`),
        onClick: () => ask('help', { action: help }).catch(fail),
      }),
    ];
  }
}

function statusOf({ state, progress, summary, rows }: ComparisonView, strings: Strings): string {
  if (progress !== undefined) return `${strings('comparison.working')} ${progress}`;
  if (state === 'idle') return strings('comparison.idle');
  return state === 'ready' && rows.length === 0 ? strings('comparison.none') : summary;
}
