import type { ShownPattern, ShownPatterns } from '../../src/logs/explorer/protocol/messages';
import type { View } from '../../src/logs/explorer/protocol/view';
import { element, icon, setText, severityIcon } from './dom';
import type { PageContext } from './pageQuery';
import { rove } from './roving';

/** The loaded records grouped by pattern, in place of the list. */
export interface PatternsView {
  readonly element: HTMLElement;
  readonly isOpen: boolean;
  toggle(): void;
  close(): void;
  /** @param listener called when it was opened or closed. */
  onToggle(listener: () => void): void;
  show(view: View): void;
}

/** The delay between two updates while records arrive, in milliseconds. */
const updateAfter = 1000;

export function createPatterns(context: PageContext): PatternsView {
  const { ask, strings, locale, report, search } = context;
  const listeners: (() => void)[] = [];
  const numbers = new Intl.NumberFormat(locale);
  const shares = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const total = element('span', { class: 'total' });
  const note = element('span', { attributes: { role: 'status' } });
  const table = element('div', {
    class: 'pattern-rows',
    attributes: { role: 'grid', 'aria-label': strings('patterns.label') },
  });
  const back = element('button', {
    class: 'link',
    text: strings('patterns.close'),
    onClick: close,
  });
  const root = element(
    'section',
    { class: 'patterns', attributes: { 'aria-label': strings('patterns.label') } },
    element('div', { class: 'line' }, back, total, note),
    table,
  );
  root.hidden = true;
  const roving = rove(table);
  let shown: Pick<View, 'epoch' | 'summary'> = { epoch: -1, summary: '' };

  const updates = createUpdates(
    async () => {
      if (root.hidden) return;
      try {
        draw(await ask('patterns', {}));
      } catch (error) {
        report(error);
      }
    },
    // A click must not miss a row that moves under the mouse.
    () => table.matches(':hover'),
    (call) => void setTimeout(call, updateAfter),
  );

  async function narrow(key: string, how: 'only' | 'exclude'): Promise<void> {
    try {
      const { query, note: text } = await ask('narrowPattern', {
        text: search.text,
        key,
        how,
      });
      setText(note, text);
      // The note says why the query is the same.
      if (query === undefined) await updates.now();
      else {
        search.apply(query);
        close();
        await search.run();
      }
    } catch (error) {
      report(error);
    }
  }

  function draw({ patterns, count, records }: ShownPatterns): void {
    const focused = focusedButton();
    setText(
      total,
      records === 0 ? strings('patterns.none') : strings('patterns.total', count, records),
    );
    table.replaceChildren(...patterns.map((pattern) => row(pattern, records)));
    roving.update();
    if (focused !== undefined) table.querySelector<HTMLElement>(focused)?.focus();
  }

  function clear(): void {
    if (table.contains(document.activeElement)) back.focus();
    setText(total, '');
    table.replaceChildren();
  }

  /** The selector of the button that has the focus, to focus it again after an update. */
  function focusedButton(): string | undefined {
    const { activeElement } = document;
    if (!(activeElement instanceof HTMLElement) || !table.contains(activeElement)) return undefined;
    const { key = '', how = '' } = activeElement.dataset;
    return `[data-key="${CSS.escape(key)}"][data-how="${how}"]`;
  }

  function row(pattern: ShownPattern, records: number): HTMLElement {
    const { key, template, count, severity, times, shortTimes, isHidden } = pattern;
    const share = shares.format(count / records);
    const only = element('button', {
      class: 'text-button template',
      text: template,
      attributes: { type: 'button', tabindex: '-1', title: strings('patterns.only') },
      onClick: () => narrow(key, 'only'),
    });
    const label = strings(isHidden ? 'patterns.show' : 'patterns.hide');
    const hide = element(
      'button',
      {
        class: 'icon-button',
        attributes: {
          type: 'button',
          tabindex: '-1',
          title: label,
          'aria-label': `${label}: ${template}`,
          'aria-pressed': String(isHidden),
        },
        onClick: () => narrow(key, 'exclude'),
      },
      icon(isHidden ? 'eye-closed' : 'eye'),
    );
    Object.assign(only.dataset, { key, how: 'only' });
    Object.assign(hide.dataset, { key, how: 'exclude' });
    const made = element(
      'div',
      { class: isHidden ? 'pattern hidden-pattern' : 'pattern', attributes: { role: 'row' } },
      element('div', { class: 'count', text: numbers.format(count), attributes: cell }),
      element('div', { class: 'share', text: share, attributes: cell }),
      element(
        'div',
        { class: 'severity', attributes: { ...cell, title: strings(`severity.${severity}`) } },
        severityIcon(severity),
        element('span', { class: 'unseen', text: strings(`severity.${severity}`) }),
      ),
      element('div', { class: 'spark', attributes: { ...cell, title: times } }, ...spark(pattern)),
      element('div', { class: 'message', attributes: cell }, only),
      element('div', { class: 'times', text: shortTimes, attributes: { ...cell, title: times } }),
      element('div', { attributes: cell }, hide),
    );
    made.dataset['severity'] = severity;
    return made;
  }

  function setOpen(isOpen: boolean): void {
    if (root.hidden === !isOpen) return;
    root.hidden = !isOpen;
    setText(note, '');
    for (const listener of listeners) listener();
    if (isOpen) void updates.now();
  }

  function close(): void {
    setOpen(false);
  }

  root.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    close();
  });

  return {
    element: root,
    get isOpen() {
      return !root.hidden;
    },
    toggle: () => setOpen(root.hidden),
    close,
    onToggle: (listener) => void listeners.push(listener),
    show({ epoch, summary }) {
      const isOther = epoch !== shown.epoch;
      if (!isOther && summary === shown.summary) return;
      shown = { epoch, summary };
      // Patterns of removed records are not shown.
      if (isOther) clear();
      if (root.hidden) return;
      if (isOther) void updates.now();
      else updates.soon();
    },
  };
}

/**
 * Loads something again while it changes: never twice at once, and a while after the last change.
 *
 * @param load never rejects.
 * @param isHeld whether to wait longer.
 * @param wait calls back after a while.
 */
export function createUpdates(
  load: () => Promise<void>,
  isHeld: () => boolean,
  wait: (call: () => void) => void,
) {
  let last = Promise.resolve();
  let isLoading = false;
  let isDue = false;
  const now = (): Promise<void> => {
    last = last.then(async () => {
      isLoading = true;
      await load();
      isLoading = false;
    });
    return last;
  };
  const soon = (): void => {
    if (isDue) return;
    isDue = true;
    wait(() => {
      isDue = false;
      if (isLoading || isHeld()) soon();
      else void now();
    });
  };
  return { now, soon };
}

const cell = { role: 'gridcell' };

/** A bar for each part of the range, as high as its share of the highest. */
function spark({ counts }: ShownPattern): HTMLElement[] {
  const most = Math.max(1, ...counts);
  return counts.map((count) => {
    const bar = element('span', { attributes: { 'aria-hidden': 'true' } });
    bar.style.height = count === 0 ? '0' : `${Math.max(10, (count / most) * 100)}%`;
    return bar;
  });
}
