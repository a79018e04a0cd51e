import type { Range } from '../../src/logs/explorer/panel/messages';
import { createSelect, element, type Option, setText } from './dom';
import type { Panel } from './panel';
import type { PageQuery } from './pageQuery';
import type { Strings } from './strings';

interface TimeRangeBox {
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
export function createTimeRange(
  search: PageQuery,
  ask: Panel['ask'],
  strings: Strings,
): TimeRangeBox {
  const select = createSelect(strings('range.label'), optionsFor({}, strings), (value) => {
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
  const [from, to] = [typed(strings('range.start')), typed(strings('range.end'))];
  const error = element('div', {
    class: 'wrong-range',
    attributes: { id: errorId, role: 'alert' },
  });
  const form = element(
    'form',
    { class: 'range-form', attributes: { 'aria-label': strings('range.customLabel') } },
    element('span', { text: strings('range.start'), attributes: { 'aria-hidden': 'true' } }),
    from,
    element('span', { text: strings('range.end'), attributes: { 'aria-hidden': 'true' } }),
    to,
    element('vscode-button', { text: strings('range.apply'), onClick: () => apply() }),
    element('vscode-button', {
      text: strings('range.close'),
      attributes: { secondary: '' },
      onClick: () => close(),
    }),
    element('div', { class: 'hint', text: strings('range.hint'), attributes: { id: hintId } }),
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
    select.offer(optionsFor(range, strings));
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

function optionsFor(range: Range, strings: Strings): readonly Option[] {
  const choice = choiceOf(range);
  const label =
    choice.kind === 'last'
      ? strings('range.last', choice.last)
      : choice.kind !== 'custom'
        ? undefined
        : choice.to === ''
          ? strings('range.from', choice.from)
          : choice.from === ''
            ? strings('range.to', choice.to)
            : strings('range.fromTo', choice.from, choice.to);
  return [
    { value: '', label: strings('range.none') },
    ...presets.map((last) => ({ value: last, label: strings(`range.${last}`) })),
    ...(label === undefined ? [] : [{ value: said, label }]),
    { value: other, label: strings('range.custom') },
  ];
}

/** The lengths of time that are offered, as queries have them. */
const presets = ['5m', '15m', '1h', '6h', '24h', '7d', '30d'] as const;

/** What the box of ranges shows for what a query says. */
type RangeChoice =
  /** The query does not say. */
  | { readonly kind: 'none' }
  | { readonly kind: 'preset'; readonly last: string }
  /** A length that is not offered. */
  | { readonly kind: 'last'; readonly last: string }
  | { readonly kind: 'custom'; readonly from: string; readonly to: string };

export function choiceOf({ last, from, to }: Range): RangeChoice {
  if (last !== undefined) {
    const isPreset = presets.some((one) => one === last);
    return isPreset ? { kind: 'preset', last } : { kind: 'last', last };
  }
  if (from === undefined && to === undefined) return { kind: 'none' };
  return { kind: 'custom', from: from ?? '', to: to ?? '' };
}

/** The next longer range that is offered, as a query has it; undefined where there is none. */
export function longerThan(range: Range): (typeof presets)[number] | undefined {
  const choice = choiceOf(range);
  // Where a query does not say, it is an hour.
  const last = choice.kind === 'none' ? '1h' : choice.kind === 'preset' ? choice.last : undefined;
  const index = presets.findIndex((one) => one === last);
  return index < 0 ? undefined : presets[index + 1];
}

/** The range that two inputs ask for; an empty one does not say. */
export function typedRange(from: string, to: string): Range {
  const [start, end] = [from.trim(), to.trim()];
  return {
    ...(start === '' ? {} : { from: start }),
    ...(end === '' ? {} : { to: end }),
  };
}
