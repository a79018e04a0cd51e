import type { Request } from '../../src/logs/explorer/protocol/messages';
import { type RowSeverity, severities, type View } from '../../src/logs/explorer/protocol/view';
import { element, menuButton, setText, severityIcon, toolbarButton, toolButton } from './dom';
import type { Histogram } from './histogram';
import type { Notices } from './notices';
import type { PageContext } from './pageQuery';
import type { Results } from './results';
import { rove } from './roving';
import { bySeverity, countsOf } from './stackedBars';

const times = ['absolute', 'relative', 'both'] as const;

/** The requests of its buttons. */
type ToolbarRequest = Extract<
  Request['kind'],
  | Exclude<FollowAction, 'resume'>
  | 'back'
  | 'save'
  | 'copyLink'
  | 'export'
  | 'openAsText'
  | 'pickColumns'
>;

interface ToolbarHost {
  readonly results: Results;
  readonly notices: Notices;
  readonly histogram: Pick<Histogram, 'outer'>;
  /** The button for the query conditions. */
  readonly conditions: HTMLElement;
}

export function createToolbar(
  context: PageContext,
  { results, notices, histogram, conditions }: ToolbarHost,
) {
  const { ask, strings, report, search, layout, wrap } = context;
  const severityFilter = createSeverityFilter(context);
  const request = (kind: ToolbarRequest): void => {
    if (kind === 'save' || kind === 'copyLink') void search.use((text) => ask(kind, { text }));
    else ask(kind, {}).catch(report);
  };
  let cannotFollow = '';
  const follow: Readonly<Record<FollowAction, HTMLElement>> = {
    follow: toolButton('play', strings('toolbar.follow'), strings('toolbar.followHint'), () => {
      if (cannotFollow === '') request('follow');
      else notices.explain(cannotFollow);
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
    () => results.patterns.toggle(),
  );
  const byTrace = toolButton(
    'type-hierarchy',
    strings('toolbar.byTrace'),
    strings('toolbar.byTraceHint'),
    () => {
      results.patterns.close();
      layout.change({ isByTrace: !layout.now.isByTrace });
    },
  );
  const compare = toolButton(
    'git-compare',
    strings('toolbar.compare'),
    strings('toolbar.compareHint'),
    () => {
      const { outer } = histogram;
      void search.use((text) =>
        ask('compare', { text, ...(outer === undefined ? {} : { outer }) }),
      );
    },
  );
  const errors = element(
    'span',
    { class: 'errors', attributes: { role: 'group', 'aria-label': strings('toolbar.errors') } },
    toolbarButton('arrow-up', strings('toolbar.previousError'), () => results.toError(-1)),
    toolbarButton('arrow-down', strings('toolbar.nextError'), () => results.toError(1)),
  );
  const more = menuButton(strings('toolbar.more'), () => [
    { icon: 'save', label: strings('toolbar.save'), run: () => request('save') },
    { icon: 'link', label: strings('toolbar.copyLink'), run: () => request('copyLink') },
    { icon: 'export', label: strings('toolbar.export'), run: () => request('export') },
    { icon: 'go-to-file', label: strings('toolbar.openAsText'), run: () => request('openAsText') },
    {
      icon: 'word-wrap',
      label: strings('toolbar.wrap'),
      run: wrap.toggle,
      isChecked: wrap.isOn,
    },
    { icon: 'list-selection', label: strings('columns.pick'), run: () => request('pickColumns') },
    ...times.map((time) => ({
      icon: 'blank',
      label: strings(`time.${time}`),
      run: () => layout.change({ time }),
      isChecked: () => layout.now.time === time,
      isChoice: true,
    })),
  ]);
  const root = element(
    'div',
    { class: 'tools', attributes: { role: 'toolbar', 'aria-label': strings('toolbar.label') } },
    back,
    title,
    severityFilter.element,
    conditions,
    ...Object.values(follow),
    state,
    patterns,
    byTrace,
    compare,
    element('span', { class: 'gap' }),
    toolbarButton('search', strings('findLabel'), () => results.openFind()),
    errors,
    more,
  );
  root.hidden = true;
  const roving = rove(root, () => [root]);

  const showPatterns = (): void => void (patterns.ariaPressed = String(results.patterns.isOpen));
  results.patterns.onToggle(showPatterns);
  const showByTrace = (): void => void (byTrace.ariaPressed = String(layout.now.isByTrace));
  layout.onChange(showByTrace);
  showByTrace();

  return {
    element: root,
    show(view: View): void {
      severityFilter.show(view);
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
      if (!view.canGoBack && back === document.activeElement) results.focus();
      back.hidden = !view.canGoBack;
      setText(title, view.title ?? '');
      title.hidden = view.title === undefined;
      roving.update();
    },
  };
}

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

/**
 * Creates a toggle button for each severity, with its number of loaded records. If none is pressed, all
 * severities are searched for.
 */
function createSeverityFilter({ search, strings, locale }: PageContext) {
  const numbers = new Intl.NumberFormat(locale);
  const buttons = bySeverity.map((severity) => {
    const name = strings(`severity.${severity}`);
    const count = element('span', { class: 'count' });
    const button = element(
      'button',
      {
        class: `toggle severity ${severity}`,
        attributes: { type: 'button', 'aria-pressed': 'false', 'aria-label': name },
        onClick: () =>
          search.narrow((query) => ({
            kind: 'severities',
            severities: toggled(query.severities, severity),
          })),
      },
      severityIcon(severity),
      element('span', { class: 'name', text: name }),
      ' ',
      count,
    );
    button.dataset['severity'] = severity;
    return { severity, name, button, count };
  });
  const draw = (): void => {
    for (const { severity, button } of buttons) {
      button.setAttribute('aria-pressed', String(search.parsed.severities.includes(severity)));
    }
  };
  search.onChange(draw);
  draw();
  return {
    element: element(
      'div',
      {
        class: 'severities',
        attributes: { role: 'group', 'aria-label': strings('severities.label') },
      },
      ...buttons.map(({ button }) => button),
    ),
    show({ histogram }: View): void {
      const counts = countsOf(histogram);
      for (const { severity, name, button, count } of buttons) {
        const records = counts.get(severity) ?? 0;
        setText(count, records === 0 ? '' : numbers.format(records));
        button.classList.toggle('empty', records === 0);
        button.title = button.ariaLabel = strings('severities.count', name, records);
      }
    },
  };
}

function toggled(chosen: readonly RowSeverity[], one: RowSeverity): RowSeverity[] {
  const next = severities.filter((other) => chosen.includes(other) !== (other === one));
  return next.length === severities.length ? [] : next;
}
