import { html, nothing, type TemplateResult } from 'lit';
import type { ApartRow } from '../../src/logs/explorer/protocol/comparisonMessages';
import type { Strings } from '../logExplorer/panel';

/**
 * The values that set records apart, with a bar for each share.
 *
 * @param none what to say if there are none; otherwise there is nothing to show.
 */
export function apartTemplate(
  rows: readonly ApartRow[],
  strings: Strings,
  none?: string,
): TemplateResult | typeof nothing {
  if (rows.length === 0 && none === undefined) return nothing;
  // The details of each pattern have one, which is no landmark of the page.
  return html`<div class="apart" role="group" aria-label=${strings('comparison.apart')}>
    <h2 title=${strings('comparison.apartHint')}>${strings('comparison.apart')}</h2>
    <ul class="apart-rows" role="list">
      ${rows.map((row) => apartRow(row, strings))}
    </ul>
    <div class="muted">${rows.length === 0 ? none : nothing}</div>
  </div>`;
}

function apartRow(
  { field, value, share, otherShare, shareText, otherShareText }: ApartRow,
  strings: Strings,
): TemplateResult {
  return html`<li>
    <span class="field">${field}</span>
    <span class="value" title=${value}>${value}</span>
    <span class="share-bars" aria-hidden="true"
      >${bar('now', share)}${bar('before', otherShare)}</span
    >
    <span class="shares">${strings('comparison.share', shareText, otherShareText)}</span>
  </li>`;
}

/** The style is a property: the page may not have one as an attribute. */
function bar(which: 'now' | 'before', share: number): TemplateResult {
  return html`<span class="bar ${which}" .style=${`width: ${share * 100}%`}></span>`;
}
