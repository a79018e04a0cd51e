import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { Request } from '../../src/logs/explorer/protocol/messages';
import { type RowSeverity, severities, type View } from '../../src/logs/explorer/protocol/view';
import { builderId, type ConditionBuilder } from './builder';
import type { Histogram } from './histogram';
import { Menu, type MenuItem } from './menu';
import type { Notices } from './notices';
import { PagePart } from './pagePart';
import type { PageContext } from './pageQuery';
import type { Results } from './results';
import { rove } from './roving';
import { bySeverity, countsOf } from './stackedBars';
import {
  severityIconTemplate,
  toolbarButtonTemplate,
  type ToolbarTool,
  toolTemplate,
} from './templates';

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
  readonly builder: ConditionBuilder;
}

/**
 * The toolbar. Its buttons keep their places: what changes with following has one of its own, and what does not fit is in
 * the menu.
 */
export class Toolbar extends PagePart {
  static override readonly properties = { view: { state: true } };

  declare private view: View | undefined;
  private readonly menu: Menu;
  private readonly roving: ReturnType<typeof rove>;
  /** The tools that do not fit, first the one that was the first to go. */
  private hiddenTools: readonly HTMLElement[] = [];

  constructor(
    private readonly context: PageContext,
    private readonly host: ToolbarHost,
  ) {
    super();
    const { strings, search, layout } = context;
    this.className = 'tools';
    this.role = 'toolbar';
    this.ariaLabel = strings('toolbar.label');
    this.hidden = true;
    this.menu = new Menu(strings('toolbar.more'));
    this.roving = rove(this, () => [this]);
    const update = (): void => this.requestUpdate();
    host.results.patterns.onToggle(update);
    host.builder.addEventListener('toggle', update);
    layout.onChange(update);
    search.onChange(update);
    new ResizeObserver(() => this.fit()).observe(this);
  }

  show(view: View): void {
    this.view = view;
    this.hidden = view.state === 'notConnected' || view.state === 'signedOut';
  }

  protected override willUpdate(changed: PropertyValues): void {
    const before = changed.get('view') as View | undefined;
    const focused = document.activeElement;
    if (focused === null || !this.contains(focused)) return;
    // The focus moves from a button that disappears.
    if (before?.canGoBack === true && this.view?.canGoBack !== true) {
      if (focused.classList.contains('back')) this.host.results.focus();
    }
    const hasStop = followChoices(this.view?.following?.state).includes('stop');
    if (!hasStop && focused.classList.contains('stop')) this.button('follow')?.focus();
  }

  protected override updated(): void {
    this.fit();
    this.roving.update();
  }

  protected override render(): TemplateResult {
    const { strings } = this.context;
    const { results } = this.host;
    const { canGoBack = false, title } = this.view ?? {};
    const back = {
      icon: 'arrow-left',
      name: 'back',
      label: strings('toolbar.back'),
      hint: strings('toolbar.backHint'),
      run: () => this.request('back'),
    };
    return html`${canGoBack ? toolTemplate(back) : nothing}
      ${title === undefined ? nothing : html`<h2 class="title">${title}</h2>`}${this.severities()}
      ${this.lists().map(toolTemplate)}
      <span class="gap"></span>
      ${this.follow()}
      ${toolbarButtonTemplate('search', strings('findLabel'), () => results.openFind())}
      <span class="errors" role="group" aria-label=${strings('toolbar.errors')}
        >${this.error('arrow-up', strings('toolbar.previousError'), -1)}${this.error(
          'arrow-down',
          strings('toolbar.nextError'),
          1,
        )}</span
      >
      ${this.more()}`;
  }

  /** The severities, with their numbers of loaded records. If none is pressed, all are searched for. */
  private severities(): TemplateResult {
    const { strings } = this.context;
    const counts = countsOf(this.view?.histogram);
    return html`<div class="severities" role="group" aria-label=${strings('severities.label')}>
      ${bySeverity.map((severity) => this.severity(severity, counts.get(severity) ?? 0))}
    </div>`;
  }

  private severity(severity: RowSeverity, records: number): TemplateResult {
    const { strings, search, locale } = this.context;
    const name = strings(`severity.${severity}`);
    const label = strings('severities.count', name, records);
    const toggle = (): unknown =>
      search.narrow((query) => ({
        kind: 'severities',
        severities: toggled(query.severities, severity),
      }));
    return html`<button
      class="toggle severity ${severity} ${records === 0 ? 'empty' : ''}"
      type="button"
      title=${label}
      aria-label=${label}
      aria-pressed=${search.parsed.severities.includes(severity)}
      data-severity=${severity}
      @click=${toggle}
    >
      ${severityIconTemplate(severity)}<span class="name">${name}</span>
      <span class="count">${records === 0 ? '' : shortCount(records, locale)}</span>
    </button>`;
  }

  /** What the list shows: records of some conditions, patterns, traces, and what its records are compared with. */
  private lists(): readonly ToolbarTool[] {
    const { ask, strings, search, layout } = this.context;
    const { results, histogram, builder } = this.host;
    return [
      {
        icon: 'filter',
        label: strings('builder.toggle'),
        opens: { id: builderId, isOpen: builder.isOpen },
        run: () => builder.toggle(),
      },
      {
        icon: 'group-by-ref-type',
        label: strings('toolbar.patterns'),
        hint: strings('toolbar.patternsHint'),
        isPressed: results.patterns.isOpen,
        run: () => results.patterns.toggle(),
      },
      {
        icon: 'type-hierarchy',
        label: strings('toolbar.byTrace'),
        hint: strings('toolbar.byTraceHint'),
        isPressed: layout.now.isByTrace,
        run() {
          results.patterns.close();
          layout.change({ isByTrace: !layout.now.isByTrace });
        },
      },
      {
        icon: 'git-compare',
        label: strings('toolbar.compare'),
        hint: strings('toolbar.compareHint'),
        run() {
          const { outer } = histogram;
          void search.use((text) =>
            ask('compare', { text, ...(outer === undefined ? {} : { outer }) }),
          );
        },
      },
      // The last one: it comes and goes with the results, and moves no other.
      ...(this.view?.isTrace === true ? [this.waterfall()] : []),
    ];
  }

  private waterfall(): ToolbarTool {
    const { strings, layout } = this.context;
    return {
      icon: 'list-tree',
      label: strings('toolbar.waterfall'),
      hint: strings('toolbar.waterfallHint'),
      isPressed: layout.now.hasWaterfall,
      run: () => layout.change({ hasWaterfall: !layout.now.hasWaterfall }),
    };
  }

  /** Follows, pauses and goes on in one place, before which it stops: what comes and goes does not move it. */
  private follow(): TemplateResult {
    const { strings } = this.context;
    const { following, cannotFollow = '' } = this.view ?? {};
    const [action = 'follow', ...others] = followChoices(following?.state);
    const isUnavailable = action === 'follow' && cannotFollow !== '';
    const hint = action === 'follow' ? strings('toolbar.followHint') : strings(`toolbar.${action}`);
    const stop: ToolbarTool = {
      icon: 'debug-stop',
      name: 'stop',
      label: strings('toolbar.stop'),
      run: () => this.request('stop'),
    };
    const first: ToolbarTool = {
      icon: { follow: 'play', pause: 'debug-pause', resume: 'debug-continue', stop: '' }[action],
      name: isUnavailable ? 'follow unavailable' : 'follow',
      label: strings(`toolbar.${action}`),
      hint: isUnavailable ? cannotFollow : hint,
      isDisabled: isUnavailable,
      run: () => {
        if (isUnavailable) this.host.notices.explain(cannotFollow);
        else this.request(action === 'resume' ? 'follow' : action);
      },
    };
    return html`<span class="follow-state">${following?.text ?? ''}</span>
      ${others.includes('stop') ? toolTemplate(stop) : nothing}${toolTemplate(first)}`;
  }

  private error(icon: string, label: string, direction: 1 | -1): TemplateResult {
    return toolbarButtonTemplate(icon, label, () => this.host.results.toError(direction));
  }

  /** A button that opens the menu, also by the arrow key. */
  private more(): TemplateResult {
    const label = this.context.strings('toolbar.more');
    const open = ({ currentTarget }: Event): void => {
      if (currentTarget instanceof HTMLElement) this.menu.toggle(currentTarget, this.menuItems());
    };
    const press = (event: KeyboardEvent): void => {
      if (event.key !== 'ArrowDown') return;
      event.preventDefault();
      open(event);
    };
    return html`<div class="menu-place">
      <button
        class="icon-button codicon codicon-ellipsis"
        type="button"
        title=${label}
        aria-label=${label}
        aria-haspopup="menu"
        aria-expanded="false"
        @click=${open}
        @keydown=${press}
      ></button>
      ${this.menu}
    </div>`;
  }

  private menuItems(): readonly MenuItem[] {
    const { strings, layout, wrap } = this.context;
    const item = (icon: string, label: string, kind: ToolbarRequest): MenuItem => ({
      icon,
      label,
      run: () => this.request(kind),
    });
    return [
      ...this.hiddenTools.map((tool) => ({
        icon: tool.querySelector('.codicon')?.className.split('codicon-').at(-1) ?? 'blank',
        label: tool.title,
        run: () => tool.click(),
      })),
      item('save', strings('toolbar.save'), 'save'),
      item('link', strings('toolbar.copyLink'), 'copyLink'),
      item('export', strings('toolbar.export'), 'export'),
      item('go-to-file', strings('toolbar.openAsText'), 'openAsText'),
      { icon: 'word-wrap', label: strings('toolbar.wrap'), run: wrap.toggle, isChecked: wrap.isOn },
      item('list-selection', strings('columns.pick'), 'pickColumns'),
      ...times.map((time) => ({
        icon: 'blank',
        label: strings(`time.${time}`),
        run: () => layout.change({ time }),
        isChecked: () => layout.now.time === time,
        isChoice: true,
      })),
    ];
  }

  private request(kind: ToolbarRequest): void {
    const { ask, report, search } = this.context;
    if (kind === 'save' || kind === 'copyLink') void search.use((text) => ask(kind, { text }));
    else ask(kind, {}).catch(report);
  }

  private button(name: string): HTMLElement | null {
    return this.querySelector<HTMLElement>(`.${name}`);
  }

  /** Moves what does not fit into the menu, the last tool first. */
  private fit(): void {
    const focused = document.activeElement;
    const tools = [
      ...this.querySelectorAll<HTMLElement>(':scope > .tool:not(.follow, .stop, .back)'),
    ];
    for (const tool of tools) tool.hidden = false;
    const hidden: HTMLElement[] = [];
    while (this.scrollWidth > this.clientWidth) {
      const last = tools.pop();
      if (last === undefined) break;
      last.hidden = true;
      hidden.unshift(last);
    }
    this.hiddenTools = hidden;
    if (hidden.some((tool) => tool === focused)) this.button('codicon-ellipsis')?.focus();
  }
}

/** Such as `20K`: the tooltip has the whole number. */
function shortCount(count: number, locale: string): string {
  return new Intl.NumberFormat(locale, count < 10_000 ? {} : { notation: 'compact' }).format(count);
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

function toggled(chosen: readonly RowSeverity[], one: RowSeverity): RowSeverity[] {
  const next = severities.filter((other) => chosen.includes(other) !== (other === one));
  return next.length === severities.length ? [] : next;
}
