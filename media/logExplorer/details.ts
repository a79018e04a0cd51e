import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { Details, Request, DetailField } from '../../src/logs/explorer/protocol/messages';
import type { LogRow } from '../../src/logs/explorer/protocol/view';
import type { StringId } from '../../src/logs/explorer/ui/pageStrings';
import { withToggled, canBeColumn } from './columns';
import { severityName } from './dom';
import { PagePart } from './pagePart';
import type { PageContext } from './pageQuery';
import type { Strings } from './panel';
import { rove } from './roving';
import {
  iconTemplate,
  severityIconTemplate,
  toolbarButtonTemplate,
  toolTemplate,
} from './templates';

interface DetailsHost {
  readonly onClose: () => void;
  /** Moves the focus to the list. */
  readonly onLeave: () => void;
}

interface Action {
  readonly icon: string;
  readonly word: StringId;
  readonly request: Request;
  /** Whether its word is shown. */
  readonly isMain: boolean;
}

/** Records that are selected faster than this are skipped, in milliseconds. */
const quick = 120;

/** The details of one record. Those of the one before are shown, and cannot be used, until these have loaded. */
export class RecordDetails extends PagePart {
  static override readonly properties = {
    row: { state: true },
    loaded: { state: true },
  };

  declare private row: LogRow | undefined;
  /** What is shown, and of which record. */
  declare private loaded: { readonly key: string; readonly details: Details } | undefined;
  private shownAt = -Infinity;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether the body is shown as it was sent; stays from record to record. */
  private isRawOpen = false;
  private roving: ReturnType<typeof rove> | undefined;

  constructor(
    private readonly context: PageContext,
    private readonly host: DetailsHost,
  ) {
    super();
    this.className = 'details';
    this.role = 'region';
    this.setAttribute('aria-labelledby', 'details-title');
    this.hidden = true;
    context.layout.onChange(() => this.requestUpdate());
    this.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      host.onLeave();
    });
  }

  get isOpen(): boolean {
    return !this.hidden;
  }

  show(row: LogRow): void {
    const isSame = this.row?.key === row.key;
    this.row = row;
    this.hidden = false;
    // All rows may be sent again; what is read here, and has the focus, stays.
    if (isSame) return;
    // While an arrow key is held down, the records on the way are skipped.
    const now = performance.now();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.load(row), now - this.shownAt < quick ? quick : 0);
    this.shownAt = now;
  }

  hide(): void {
    clearTimeout(this.timer);
    this.row = this.loaded = undefined;
    this.hidden = true;
  }

  focusTitle(): void {
    this.querySelector<HTMLElement>('h2')?.focus();
  }

  protected override updated(): void {
    this.ariaBusy = String(this.isWaiting);
    const actions = this.querySelector<HTMLElement>('.actions');
    if (actions === null) return;
    this.roving ??= rove(actions, () => [actions]);
    this.roving.update();
  }

  protected override render(): TemplateResult {
    const { strings } = this.context;
    const { loaded, isWaiting } = this;
    return html`<div class="head">
        <h2 tabindex="-1" id="details-title" data-severity=${this.row?.severity ?? nothing}>
          ${this.row && rowTitle(this.row, strings)}
        </h2>
        <div class="tools">
          <div
            class="actions"
            role="toolbar"
            aria-label=${strings('detailsActions')}
            .inert=${isWaiting}
          >
            ${loaded && actionsOf(loaded.key, loaded.details).map((action) => this.action(action))}
          </div>
          ${toolbarButtonTemplate('close', strings('detailsClose'), this.host.onClose)}
        </div>
      </div>
      ${keyed(
        loaded,
        html`<div class="content" .inert=${isWaiting}>${loaded && this.content(loaded)}</div>`,
      )}`;
  }

  private get isWaiting(): boolean {
    return this.row !== undefined && this.row.key !== this.loaded?.key;
  }

  private action({ icon, word, request, isMain }: Action): TemplateResult {
    const { strings, ask, report } = this.context;
    const label = strings(word);
    const run = (): void => {
      const { kind, ...rest } = request;
      ask(kind, rest).catch(report);
    };
    if (isMain) return toolTemplate({ icon, label, name: 'main', run });
    return toolbarButtonTemplate(icon, label, run);
  }

  private content({ key, details }: NonNullable<typeof this.loaded>): unknown {
    const { strings } = this.context;
    const { facts, body, records, fields, attributes, raw } = details;
    return [
      html`<dl class="facts">
        ${facts.map(
          ([label, value]) =>
            html`<dt>${label}</dt>
              <dd>${value}</dd>`,
        )}
      </dl>`,
      html`<h3>${strings('listBody')}</h3>
        ${pre(strings('listBody'), this.pieces(key, body))}`,
      records === undefined
        ? nothing
        : html`<h3>${strings('detailsRecords')}</h3>
            ${pre(strings('detailsRecords'), records)}`,
      this.table(strings('detailsFields'), key, fields),
      this.table(strings('detailsAttributes'), key, attributes),
      raw === undefined ? nothing : this.raw(raw),
    ];
  }

  private pieces(key: string, body: Details['body']): readonly unknown[] {
    const { strings, ask, report } = this.context;
    return body.map(({ text, frame }) => {
      if (frame === undefined) return text;
      const open = (): void => void ask('openFrame', { key, frame }).catch(report);
      return frameLink(text, strings('detailsOpenFrame'), open);
    });
  }

  private table(title: string, key: string, fields: readonly DetailField[]): unknown {
    if (fields.length === 0) return nothing;
    const { strings, layout } = this.context;
    return html`<h3>${title}</h3>
      <detail-table
        class="values"
        role="grid"
        aria-label=${title}
        .fields=${fields}
        .columns=${layout.now.columns}
        .strings=${strings}
        .act=${(field: string, action: ValueAction) => void this.act(key, field, action)}
      ></detail-table>`;
  }

  /** The body as it was sent, which is for machines: last, and closed at first. */
  private raw(raw: string): TemplateResult {
    const label = this.context.strings('detailsRaw');
    const toggled = ({ currentTarget }: Event): void => {
      if (currentTarget instanceof HTMLDetailsElement) this.isRawOpen = currentTarget.open;
    };
    return html`<details class="raw" ?open=${this.isRawOpen} @toggle=${toggled}>
      <summary>${label}</summary>
      ${pre(label, raw)}
    </details>`;
  }

  private async act(key: string, field: string, action: ValueAction): Promise<void> {
    const { ask, search, report } = this.context;
    try {
      if (action === 'copy') await ask('copyValue', { key, field });
      else if (action === 'column') this.toggleColumn(field);
      else {
        search.apply(await ask('narrow', { text: search.text, key, field, how: action }));
        await search.run();
      }
    } catch (error) {
      report(error);
    }
  }

  private toggleColumn(field: string): void {
    const { layout, strings } = this.context;
    const columns = withToggled(layout.now.columns, field);
    if (columns === undefined) throw new Error(strings('columns.most', layout.now.columns.length));
    layout.change({ columns });
  }

  private async load({ key }: LogRow): Promise<void> {
    // The user may have selected another record in the meantime.
    const isShown = (): boolean => this.row?.key === key;
    try {
      const details = await this.context.ask('details', { key });
      if (isShown()) this.loaded = { key, details };
    } catch (error) {
      if (isShown()) this.loaded = undefined;
      this.context.report(error);
    }
  }
}

function rowTitle(row: LogRow, strings: Strings): TemplateResult {
  return html`<span class="severity"
      >${severityIconTemplate(row.severity)}${severityName(row, strings)}</span
    >
    <span>${row.time}</span> <span class="workload">${row.workload}</span>`;
}

/** What can be done with a record. */
function actionsOf(
  key: string,
  { hasTrace, hasContext, hasDeployment, hasResource }: Details,
): Action[] {
  const all: [icon: string, word: StringId, request: Request, isThere: boolean][] = [
    ['git-merge', 'detailsTrace', { kind: 'trace', key }, hasTrace],
    ['list-tree', 'detailsContext', { kind: 'context', key }, hasContext],
    [
      'go-to-file',
      'detailsStatement',
      { kind: 'runCommand', key, command: 'goToLogStatement' },
      true,
    ],
    ['rocket', 'detailsDeployment', { kind: 'reveal', key, what: 'deployment' }, hasDeployment],
    ['package', 'detailsResource', { kind: 'reveal', key, what: 'resource' }, hasResource],
    ['pin', 'detailsPin', { kind: 'runCommand', key, command: 'togglePin' }, hasContext],
    ['link', 'detailsCopyLink', { kind: 'runCommand', key, command: 'copyRecordLink' }, hasContext],
    ['json', 'detailsCopyJson', { kind: 'copyJson', key }, true],
    ['copy', 'detailsCopyLine', { kind: 'copyLine', key }, true],
  ];
  const main: readonly StringId[] = ['detailsTrace', 'detailsContext'];
  return all.flatMap(([icon, word, request, isThere]) =>
    isThere ? { icon, word, request, isMain: main.includes(word) } : [],
  );
}

/** A text that keeps its lines. A long one scrolls, which must work by keyboard. */
function pre(label: string, content: unknown): TemplateResult {
  return html`<pre class="body" tabindex="0" role="group" aria-label=${label}>${content}</pre>`;
}

/** A link to a source file. A button does not wrap like text, and VS Code opens links with an address as pages. */
function frameLink(text: string, hint: string, open: () => void): TemplateResult {
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    event.stopPropagation();
    open();
  };
  return html`<span
    class="link frame"
    role="link"
    tabindex="0"
    title=${hint}
    @click=${open}
    @keydown=${press}
    .textContent=${text}
  ></span>`;
}

type ValueAction = 'only' | 'exclude' | 'copy' | 'column';

const icons = { only: 'filter', exclude: 'circle-slash', copy: 'copy', column: 'table' } as const;

/**
 * Fields with buttons for every value. As in every grid, Tab moves to one button, and the arrow keys to the others.
 */
export class DetailTable extends PagePart {
  static override readonly properties = {
    fields: { attribute: false },
    columns: { attribute: false },
  };

  declare strings: Strings;
  declare fields: readonly DetailField[];
  /** The columns of the list. */
  declare columns: readonly { readonly field: string }[];
  declare act: (field: string, action: ValueAction) => void;
  private readonly roving = rove(this);

  protected override updated(): void {
    this.roving.update();
  }

  protected override render(): readonly TemplateResult[] {
    return this.fields.map((field) => this.fieldRow(field));
  }

  private fieldRow(detail: DetailField): TemplateResult {
    const { field, value, canAdd, canExclude } = detail;
    const { strings } = this;
    return html`<div class="value-row" role="row">
      <div class="field" role="rowheader">${field}</div>
      <div class="value" role="gridcell" .textContent=${value}></div>
      <div class="buttons" role="gridcell">
        ${canAdd ? this.button(detail, 'only', strings('detailsOnly')) : nothing}
        ${canExclude ? this.button(detail, 'exclude', strings('detailsExclude')) : nothing}
        ${this.button(detail, 'copy', strings('detailsCopyValue'))}
        ${canBeColumn(field) ? this.button(detail, 'column', strings('detailsColumn')) : nothing}
      </div>
    </div>`;
  }

  private button(
    { field, value }: DetailField,
    action: ValueAction,
    label: string,
  ): TemplateResult {
    const short = value.length > 40 ? `${value.slice(0, 40)}…` : value;
    const isColumn = this.columns.some((column) => column.field === field);
    return html`<button
      class="icon-button"
      type="button"
      tabindex="-1"
      title=${label}
      aria-label=${`${label}: ${field} ${short}`}
      aria-pressed=${action === 'column' ? isColumn : nothing}
      @click=${() => this.act(field, action)}
    >
      ${iconTemplate(icons[action])}
    </button>`;
  }
}
