import { html, nothing, type TemplateResult } from 'lit';
import type {
  ComparedSideView,
  ComparisonView,
  SideName,
} from '../../src/logs/explorer/protocol/comparisonMessages';
import type { Strings } from '../logExplorer/panel';
import { iconTemplate, toolTemplate } from '../logExplorer/templates';
import { apartTemplate } from './apart';
import type { Act } from './panel';

/**
 * Everything above the patterns: what is compared, how far it was read, and what sets it apart.
 *
 * @param refusal why the last action failed; empty if it did not.
 */
export function headTemplate(
  view: ComparisonView,
  refusal: string,
  act: Act,
  strings: Strings,
): TemplateResult {
  const { now, before } = view.sides ?? {};
  const refused = refusal === '' ? nothing : [iconTemplate('error'), refusal];
  return html`<header class="head">
    <h1 class="unseen">${strings('comparison.title')}</h1>
    ${tools(view, act, strings)}
    <dl class="sides" aria-label=${strings('comparison.sides')}>
      ${now && before ? [side('now', now, act, strings), side('before', before, act, strings)] : nothing}
    </dl>
    <div class="notice failure" role="alert">${failure(view, act, strings)}</div>
    <div class="notice failure" role="alert">${refused}</div>
    <ul class="notes" role="list" ?hidden=${view.notices.length === 0}>
      ${view.notices.map((note) => html`<li>${iconTemplate('info')}<span>${note}</span></li>`)}
    </ul>
    <div class="summary" role="status">${statusOf(view, strings)}</div>
    ${apartTemplate(view.state === 'ready' ? view.apart : [], strings)}
  </header>`;
}

function tools(
  { state, progress, canRead, hasChat, sides }: ComparisonView,
  act: Act,
  strings: Strings,
): TemplateResult {
  const isReading = progress !== undefined;
  const tool = (
    icon: string,
    label: string,
    kind: 'choose' | 'read' | 'cancel' | 'openAsText' | 'copyLink' | 'askChat',
    isThere = true,
  ): TemplateResult | typeof nothing =>
    isThere ? toolTemplate({ icon, label, run: () => act(kind, {}) }) : nothing;
  const hasFailed = state === 'failed';
  const more = strings(hasFailed ? 'comparison.again' : 'comparison.more');
  return html`<div class="tools" role="toolbar" aria-label=${strings('comparison.title')}>
    ${tool('git-compare', strings('comparison.choose'), 'choose')}
    ${tool('arrow-down', more, 'read', hasFailed || (canRead && !isReading))}
    ${tool('debug-stop', strings('query.cancel'), 'cancel', isReading)}
    <span class="gap"></span>
    ${tool('go-to-file', strings('toolbar.openAsText'), 'openAsText', state === 'ready')}
    ${tool('comment-discussion', strings('comparison.askChat'), 'askChat', hasChat && state === 'ready')}
    ${tool('link', strings('toolbar.copyLink'), 'copyLink', sides !== undefined)}
  </div>`;
}

function side(
  which: SideName,
  { name, text, query }: ComparedSideView,
  act: Act,
  strings: Strings,
): TemplateResult {
  return html`<div class="side ${which}">
    <dt>
      <span class="swatch" aria-hidden="true"></span>
      <button
        class="link"
        type="button"
        title=${strings('comparison.showSide', name)}
        aria-label=${strings('comparison.showSide', name)}
        @click=${() => act('records', { side: which })}
        .textContent=${name}
      ></button>
    </dt>
    <dd>${text}<code class="query">${query}</code></dd>
  </div>`;
}

function failure(
  { state, failure: failed }: ComparisonView,
  act: Act,
  strings: Strings,
): TemplateResult | typeof nothing {
  const isOut = state === 'notConnected' || state === 'signedOut';
  if (failed === undefined && !isOut) return nothing;
  const help = failed?.help ?? 'connect';
  const message = failed?.message ?? strings(isOut ? `empty.${state}` : 'empty.signedOut');
  return html`${iconTemplate(failed === undefined ? 'plug' : 'error')}<span class="text"
      >${message}</span
    ><vscode-button @click=${() => act('help', { action: help })}
      >${strings(`notices.${help}`)}</vscode-button
    >`;
}

function statusOf({ state, progress, summary, rows }: ComparisonView, strings: Strings): string {
  if (progress !== undefined) return `${strings('comparison.working')} ${progress}`;
  if (state === 'idle') return strings('comparison.idle');
  return state === 'ready' && rows.length === 0 ? strings('comparison.none') : summary;
}
