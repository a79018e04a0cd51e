import '@vscode-elements/elements/dist/vscode-textfield/index.js';
import '@vscode-elements/elements/dist/vscode-toolbar-button/index.js';
import type { VscodeTextfield } from '@vscode-elements/elements/dist/vscode-textfield/vscode-textfield.js';
import { element } from './dom';
import type { Find } from './find';
import { toolbarButton } from './toolbarButton';
import type { Words } from './words';

export interface FindBarHost {
  readonly words: Words;
  readonly find: Find;
  /** Where finding begins. */
  readonly from: () => number;
  /** Shows a row that was found. */
  readonly goTo: (index: number) => void;
  /** What is sought has changed: rows show it. */
  readonly onChange: () => void;
  /** Somebody is done with it. */
  readonly onClose: () => void;
}

/** The bar to find text within the rows that are loaded. */
export interface FindBar {
  readonly element: HTMLElement;
  readonly isOpen: boolean;
  open(): void;
  close(): void;
  step(direction: 1 | -1): void;
  /** Rows came or went. */
  update(): void;
}

/** How long finding may hold up the page at a time, in milliseconds. */
const pause = 8;

export function createFindBar(host: FindBarHost): FindBar {
  const { words, find } = host;
  /** Whether the first row found is still to be shown. */
  let seeks = false;
  let isWorking = false;

  const input = document.createElement('vscode-textfield');
  input.label = words('findLabel');
  input.placeholder = words('findLabel');
  const matchCase = toolbarButton('case-sensitive', words('findMatchCase'), changed);
  matchCase.toggleable = true;
  const count = element('span', { class: 'count', attributes: { role: 'status' } });
  const bar = element(
    'div',
    { class: 'find', attributes: { role: 'search', 'aria-label': words('findLabel') } },
    input,
    matchCase,
    count,
    toolbarButton('arrow-up', words('findPrevious'), () => step(-1)),
    toolbarButton('arrow-down', words('findNext'), () => step(1)),
    toolbarButton('close', words('findClose'), close),
  );
  bar.hidden = true;

  function changed(): void {
    // The button turns over after its click.
    queueMicrotask(() => {
      find.seek({ text: input.value, matchCase: matchCase.checked });
      seeks = input.value !== '';
      host.onChange();
      work();
    });
  }

  function work(): void {
    if (isWorking) return;
    isWorking = true;
    const piece = (): void => {
      const end = performance.now() + pause;
      find.work(() => performance.now() > end);
      isWorking = !find.isDone;
      if (seeks && (find.isDone || find.count > 0)) {
        seeks = false;
        // The row that is selected stays, as long as it has what is sought.
        const index = find.next(host.from() - 1, 1);
        if (index !== -1) host.goTo(index);
      }
      showCount();
      if (isWorking) setTimeout(piece);
    };
    piece();
  }

  function showCount(): void {
    const { count: total, isDone, sought } = find;
    const rank = find.rank(host.from());
    count.textContent =
      sought.text === ''
        ? ''
        : total > 0
          ? words('findCount', Math.max(rank, 1), `${total}${isDone ? '' : '…'}`)
          : words(isDone ? 'findNone' : 'findWorking');
    bar.classList.toggle('none', isDone && total === 0 && sought.text !== '');
  }

  function step(direction: 1 | -1): void {
    const index = find.next(host.from(), direction);
    if (index !== -1) host.goTo(index);
    showCount();
  }

  function close(): void {
    bar.hidden = true;
    find.seek({ text: '', matchCase: false });
    host.onChange();
    host.onClose();
  }

  input.addEventListener('input', changed);
  bar.addEventListener('keydown', (event) => {
    const isMain = (event.ctrlKey || event.metaKey) && event.key === 'f';
    const isInput = event.target === input;
    if (event.key === 'Escape') close();
    else if (event.key === 'F3' || (event.key === 'Enter' && isInput)) {
      step(event.shiftKey ? -1 : 1);
    } else if (isMain) select(input);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  return {
    element: bar,
    get isOpen() {
      return !bar.hidden;
    },
    open() {
      bar.hidden = false;
      select(input);
      if (input.value !== '') changed();
    },
    close,
    step,
    update() {
      find.update();
      if (!bar.hidden) work();
    },
  };
}

function select(input: VscodeTextfield): void {
  void input.updateComplete.then(() => {
    input.focus();
    input.wrappedElement.select();
  });
}
