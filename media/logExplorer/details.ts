import type { Details, Request, DetailField } from '../../src/logs/explorer/protocol/messages';
import type { LogRow } from '../../src/logs/explorer/protocol/view';
import type { StringId } from '../../src/logs/explorer/ui/pageStrings';
import { withToggled, canBeColumn } from './columns';
import { element, showSeverity, toolbarButton, icon } from './dom';
import type { PageContext } from './pageQuery';
import type { Strings } from './panel';
import { rove } from './roving';

interface DetailsHost {
  readonly onClose: () => void;
  /** Moves the focus to the list. */
  readonly onLeave: () => void;
}

/** The details of one record. */
interface DetailsView {
  readonly element: HTMLElement;
  readonly isOpen: boolean;
  show(row: LogRow): void;
  hide(): void;
  focus(): void;
}

interface Action {
  readonly icon: string;
  readonly word: StringId;
  readonly request: Request;
}

/** Records that are selected faster than this are skipped, in milliseconds. */
const quick = 120;

export function createDetails(context: PageContext, host: DetailsHost): DetailsView {
  const { ask, strings, search, layout, report } = context;
  let shown: LogRow | undefined;
  let shownAt = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isFormatted = true;

  const title = element('h2', { attributes: { tabindex: '-1', id: 'details-title' } });
  const actions = element('div', {
    class: 'actions',
    attributes: { role: 'toolbar', 'aria-label': strings('detailsActions') },
  });
  const roving = rove(actions, () => [actions]);
  const content = element('div', { class: 'content' });
  const close = toolbarButton('close', strings('detailsClose'), host.onClose);
  const view = element(
    'section',
    { class: 'details', attributes: { 'aria-labelledby': 'details-title' } },
    element('div', { class: 'head' }, title, element('div', { class: 'tools' }, actions, close)),
    content,
  );
  view.hidden = true;
  view.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    host.onLeave();
  });

  /** Until the details have loaded, those of the previous record are shown and must not be used. */
  function setWaiting(isWaiting: boolean): void {
    actions.inert = content.inert = isWaiting;
    view.setAttribute('aria-busy', String(isWaiting));
  }

  function send(request: Request): void {
    const { kind, ...rest } = request;
    ask(kind, rest).catch(report);
  }

  const isColumn = (name: string): boolean =>
    layout.now.columns.some(({ field }) => field === name);
  layout.onChange(() => showColumns(content, isColumn));

  function toggleColumn(field: string): void {
    const columns = withToggled(layout.now.columns, field);
    if (columns === undefined) throw new Error(strings('columns.most', layout.now.columns.length));
    layout.change({ columns });
  }

  async function act(key: string, field: string, action: ValueAction): Promise<void> {
    try {
      if (action === 'copy') await ask('copyValue', { key, field });
      else if (action === 'column') toggleColumn(field);
      else {
        search.apply(await ask('narrow', { text: search.text, key, field, how: action }));
        await search.run();
      }
    } catch (error) {
      report(error);
    }
  }

  async function load(row: LogRow): Promise<void> {
    try {
      const details = await ask('details', { key: row.key });
      // The user may have selected another record in the meantime.
      if (shown?.key === row.key) fill(row.key, details);
    } catch (error) {
      if (shown?.key === row.key) empty();
      report(error);
    }
  }

  function empty(): void {
    content.replaceChildren();
    actions.replaceChildren();
  }

  function fill(key: string, details: Details): void {
    setWaiting(false);
    const table = {
      strings,
      isColumn,
      onAction: (field: string, action: ValueAction) => void act(key, field, action),
    };
    actions.replaceChildren(
      ...actionsOf(key, details).map(({ icon, word, request }) =>
        toolbarButton(icon, strings(word), () => send(request)),
      ),
    );
    roving.update();
    content.replaceChildren(
      ...detailBody(details, {
        strings,
        onFrame: (frame) => send({ kind: 'openFrame', key, frame }),
        isFormatted,
        onFormat: (next) => void (isFormatted = next),
      }),
      ...detailTable(strings('detailsFields'), details.fields, table),
      ...detailTable(strings('detailsAttributes'), details.attributes, table),
    );
    content.scrollTop = 0;
  }

  return {
    element: view,
    get isOpen() {
      return !view.hidden;
    },
    show(row) {
      const isSame = shown?.key === row.key && !view.hidden;
      shown = row;
      view.hidden = false;
      const severity = element('span', { class: 'severity' });
      showSeverity(severity, row, strings);
      title.replaceChildren(
        severity,
        ' ',
        element('span', { text: row.time }),
        ' ',
        element('span', { class: 'workload', text: row.workload }),
      );
      title.dataset['severity'] = row.severity;
      // All rows may be sent again; what is read here, and has the focus, stays.
      if (isSame) return;
      setWaiting(true);
      // While an arrow key is held down, the records on the way are skipped.
      const now = performance.now();
      clearTimeout(timer);
      timer = setTimeout(() => void load(row), now - shownAt < quick ? quick : 0);
      shownAt = now;
    },
    hide() {
      clearTimeout(timer);
      shown = undefined;
      view.hidden = true;
      empty();
    },
    focus: () => title.focus(),
  };
}

/** What can be done with a record. */
function actionsOf(
  key: string,
  { hasTrace, hasContext, hasDeployment, hasResource }: Details,
): Action[] {
  const all: [icon: string, word: StringId, request: Request, isThere: boolean][] = [
    ['git-merge', 'detailsTrace', { kind: 'trace', key }, hasTrace],
    ['list-tree', 'detailsContext', { kind: 'context', key }, hasContext],
    ['go-to-file', 'detailsStatement', { kind: 'goToStatement', key }, true],
    ['rocket', 'detailsDeployment', { kind: 'reveal', key, what: 'deployment' }, hasDeployment],
    ['package', 'detailsResource', { kind: 'reveal', key, what: 'resource' }, hasResource],
    ['json', 'detailsCopyJson', { kind: 'copyJson', key }, true],
    ['copy', 'detailsCopyLine', { kind: 'copyLine', key }, true],
  ];
  return all.flatMap(([icon, word, request, isThere]) => (isThere ? { icon, word, request } : []));
}

interface BodyHost {
  readonly strings: Strings;
  readonly onFrame: (frame: number) => void;
  /** Whether JSON is formatted; stays from record to record. */
  readonly isFormatted: boolean;
  readonly onFormat: (isFormatted: boolean) => void;
}

/** The body of a record, with links to source files, formatted JSON, and the stack trace in it. */
function detailBody({ body, json, stack, records }: Details, host: BodyHost): Element[] {
  const { strings } = host;
  const text = element('pre', {
    class: 'body',
    // Long ones scroll, which must work by keyboard.
    attributes: { tabindex: '0', role: 'group', 'aria-label': strings('listBody') },
  });
  const show = (isFormatted: boolean): void => {
    if (json !== undefined && isFormatted) text.textContent = json;
    else text.replaceChildren(...body.map((piece) => bodyPiece(piece, host)));
  };
  const heading = element('h3', { text: strings('listBody') });
  const head = element('div', { class: 'body-head' }, heading);
  if (json !== undefined) {
    const toggle = toolbarButton('json', strings('detailsFormat'), () => undefined);
    toggle.toggleable = true;
    toggle.checked = host.isFormatted;
    toggle.addEventListener('change', () => {
      host.onFormat(toggle.checked);
      show(toggle.checked);
    });
    head.append(toggle);
  }
  show(host.isFormatted);
  const below = records === undefined ? [] : recordsOf(records, strings);
  if (stack === undefined) return [head, text, ...below];
  const trace = element(
    'pre',
    {
      class: 'body',
      attributes: { tabindex: '0', role: 'group', 'aria-label': strings('detailsStack') },
    },
    ...stack.map((piece) => bodyPiece(piece, host)),
  );
  return [element('h3', { text: strings('detailsStack') }), trace, head, text, ...below];
}

/** The records of an entry, as they were written. */
function recordsOf(records: string, strings: Strings): Element[] {
  const label = strings('detailsRecords');
  const attributes = { tabindex: '0', role: 'group', 'aria-label': label };
  return [
    element('h3', { text: label }),
    element('pre', { class: 'body', text: records, attributes }),
  ];
}

function bodyPiece({ text, frame }: Details['body'][number], host: BodyHost): Node {
  if (frame === undefined) return document.createTextNode(text);
  // A button does not wrap like text, and VS Code opens links with an address as pages.
  const link = element('span', {
    class: 'link frame',
    text,
    attributes: { role: 'link', tabindex: '0', title: host.strings('detailsOpenFrame') },
    onClick: () => host.onFrame(frame),
  });
  link.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    event.stopPropagation();
    host.onFrame(frame);
  });
  return link;
}

type ValueAction = 'only' | 'exclude' | 'copy' | 'column';

interface TableHost {
  readonly strings: Strings;
  readonly onAction: (field: string, action: ValueAction) => void;
  readonly isColumn: (field: string) => boolean;
}

const icons = { only: 'filter', exclude: 'circle-slash', copy: 'copy', column: 'table' } as const;

/**
 * Creates a table of fields with buttons for every value. As in every grid, Tab moves to one button, and
 * the arrow keys to the others.
 */
function detailTable(title: string, details: readonly DetailField[], host: TableHost): Element[] {
  if (details.length === 0) return [];
  const table = element('div', {
    class: 'values',
    attributes: { role: 'grid', 'aria-label': title },
  });
  for (const detail of details) table.append(detailRow(detail, host));
  showColumns(table, host.isColumn);
  rove(table).update();
  return [element('h3', { text: title }), table];
}

function detailRow(
  { field, value, canAdd, canExclude }: DetailField,
  host: TableHost,
): HTMLElement {
  const { strings, onAction } = host;
  const short = value.length > 40 ? `${value.slice(0, 40)}…` : value;
  const button = (action: ValueAction, label: string): HTMLElement => {
    const made = element(
      'button',
      {
        class: 'icon-button',
        attributes: { title: label, 'aria-label': `${label}: ${field} ${short}`, tabindex: '-1' },
        onClick: () => onAction(field, action),
      },
      icon(icons[action]),
    );
    Object.assign(made.dataset, { action, field });
    return made;
  };
  return element(
    'div',
    { class: 'value-row', attributes: { role: 'row' } },
    element('div', { class: 'field', text: field, attributes: { role: 'rowheader' } }),
    element('div', { class: 'value', text: value, attributes: { role: 'gridcell' } }),
    element(
      'div',
      { class: 'buttons', attributes: { role: 'gridcell' } },
      ...(canAdd ? [button('only', strings('detailsOnly'))] : []),
      ...(canExclude ? [button('exclude', strings('detailsExclude'))] : []),
      button('copy', strings('detailsCopyValue')),
      ...(canBeColumn(field) ? [button('column', strings('detailsColumn'))] : []),
    ),
  );
}

function showColumns(place: Element, isColumn: (field: string) => boolean): void {
  for (const button of place.querySelectorAll<HTMLElement>('[data-action=column]')) {
    button.setAttribute('aria-pressed', String(isColumn(button.dataset['field'] ?? '')));
  }
}
