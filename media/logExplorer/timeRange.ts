import '@vscode-elements/elements/dist/vscode-button/index.js';
import type { Range } from '../../src/logs/explorer/panel/messages';
import { element, setText } from './dom';
import type { Panel } from './panel';
import { choiceOf, presets, typedRange } from './rangeChoices';
import { createSelect, type Option } from './select';
import type { Search } from './search';
import type { Words } from './words';

export interface TimeRangeBox {
  /** What is chosen. */
  readonly element: HTMLElement;
  /** Where another range is typed; hidden until somebody wants to. */
  readonly form: HTMLElement;
}

/** The option that opens the form. */
const other = 'other';

/** The option for what the query says where it says something that is not offered. */
const said = 'said';

const errorId = 'range-error';
const hintId = 'range-hint';

/** The range of time of the query, to be chosen or typed. */
export function createTimeRange(search: Search, ask: Panel['ask'], words: Words): TimeRangeBox {
  const select = createSelect(words('range.label'), optionsFor({}, words), (value) => {
    if (value === other) open();
    else if (value !== said) {
      form.hidden = true;
      void search.narrow({ kind: 'range', range: value === '' ? {} : { last: value } });
    }
    draw();
  });
  const typed = (label: string): HTMLInputElement =>
    element('input', {
      class: 'text',
      attributes: {
        type: 'text',
        'aria-label': label,
        'aria-describedby': `${hintId} ${errorId}`,
        placeholder: label,
        maxlength: '100',
        spellcheck: 'false',
      },
    });
  const [from, to] = [typed(words('range.start')), typed(words('range.end'))];
  const error = element('div', {
    class: 'wrong-range',
    attributes: { id: errorId, role: 'alert' },
  });
  const form = element(
    'form',
    { class: 'range-form', attributes: { 'aria-label': words('range.customLabel') } },
    element('span', { text: words('range.start'), attributes: { 'aria-hidden': 'true' } }),
    from,
    element('span', { text: words('range.end'), attributes: { 'aria-hidden': 'true' } }),
    to,
    element('vscode-button', { text: words('range.apply'), onClick: () => apply() }),
    element('vscode-button', {
      text: words('range.close'),
      attributes: { secondary: '' },
      onClick: () => close(),
    }),
    element('div', { class: 'hint', text: words('range.hint'), attributes: { id: hintId } }),
    error,
  );
  form.hidden = true;
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && event.target instanceof HTMLInputElement) void apply();
    else return;
    event.preventDefault();
  });

  const open = (): void => {
    const { range } = search.said;
    from.value = range.from ?? range.last ?? '';
    to.value = range.to ?? '';
    setText(error, '');
    form.hidden = false;
    from.focus();
  };
  const close = (): void => {
    form.hidden = true;
    draw();
    select.element.focus();
  };
  const apply = async (): Promise<void> => {
    const range = typedRange(from.value, to.value);
    const problem = await problemOf(range, ask);
    setText(error, problem ?? '');
    for (const input of [from, to])
      input.setAttribute('aria-invalid', String(problem !== undefined));
    if (problem !== undefined) {
      from.focus();
      return;
    }
    close();
    await search.narrow({ kind: 'range', range });
  };
  const draw = (): void => {
    const { range } = search.said;
    const choice = choiceOf(range);
    select.offer(optionsFor(range, words));
    select.value = choice.kind === 'none' ? '' : choice.kind === 'preset' ? choice.last : said;
  };
  search.onChange(draw);
  draw();
  return { element: select.element, form };
}

/** What is wrong with a range, whatever else the query says. */
async function problemOf(range: Range, ask: Panel['ask']): Promise<string | undefined> {
  try {
    const model = await ask('edit', { text: '', edit: { kind: 'range', range } });
    return model.errors[0]?.message;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function optionsFor(range: Range, words: Words): readonly Option[] {
  const choice = choiceOf(range);
  const label =
    choice.kind === 'last'
      ? words('range.last', choice.last)
      : choice.kind !== 'custom'
        ? undefined
        : choice.to === ''
          ? words('range.from', choice.from)
          : choice.from === ''
            ? words('range.to', choice.to)
            : words('range.fromTo', choice.from, choice.to);
  return [
    { value: '', label: words('range.none') },
    ...presets.map((last) => ({ value: last, label: words(`range.${last}`) })),
    ...(label === undefined ? [] : [{ value: said, label }]),
    { value: other, label: words('range.custom') },
  ];
}
