import type { Range } from '../../src/logs/explorer/protocol/messages';
import { createSelect, element, type Option, setOptions, setText } from './dom';
import { messageOf } from './notices';
import type { PageContext } from './pageQuery';
import type { Panel, Strings } from './panel';

/** The option that opens the form. */
const other = 'other';

/** The option for a range of the query that is not a preset. */
const custom = 'custom';

const errorId = 'range-error';
const hintId = 'range-hint';

/** Creates the box for the time range of the query, and the form for a custom one, which opens on request. */
export function createTimeRange({ ask, search, strings }: PageContext) {
  const select = createSelect(strings('range.label'), optionsFor({}, {}, strings), (value) => {
    if (value === other) open();
    else if (value !== custom) {
      form.hidden = true;
      void search.narrow({ kind: 'range', range: { last: value } });
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
    const { range } = search.parsed;
    from.value = range.from ?? range.last ?? '';
    to.value = range.to ?? '';
    setText(error, '');
    form.hidden = false;
    from.focus();
  };
  const close = (): void => {
    form.hidden = true;
    draw();
    select.focus();
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
    const { range, shownRange } = search.parsed;
    const choice = choiceOf(range);
    setOptions(select, optionsFor(range, shownRange, strings));
    select.value = choice.kind === 'preset' ? choice.last : custom;
  };
  search.onChange(draw);
  draw();
  return { element: select, form };
}

/** The error of a range, without the rest of the query. */
async function problemOf(range: Range, ask: Panel['ask']): Promise<string | undefined> {
  try {
    const model = await ask('edit', { text: '', edit: { kind: 'range', range } });
    return model.errors[0]?.message;
  } catch (error) {
    return messageOf(error);
  }
}

function optionsFor(range: Range, { from, to }: Range, strings: Strings): readonly Option[] {
  const choice = choiceOf(range);
  const label =
    choice.kind === 'last'
      ? strings('range.last', choice.last)
      : choice.kind !== 'custom'
        ? undefined
        : to === undefined
          ? strings('range.from', from ?? '')
          : from === undefined
            ? strings('range.to', to)
            : strings('range.fromTo', from, to);
  return [
    ...presets.map((last) => ({ value: last, label: strings(`range.${last}`) })),
    ...(label === undefined ? [] : [{ value: custom, label }]),
    { value: other, label: strings('range.custom') },
  ];
}

/** The lengths to choose from, as in queries. */
const presets = ['5m', '15m', '1h', '6h', '24h', '7d', '30d'] as const;

/** The range of a query as the box shows it. */
type RangeChoice =
  | { readonly kind: 'preset'; readonly last: string }
  /** A length that is not a preset. */
  | { readonly kind: 'last'; readonly last: string }
  | { readonly kind: 'custom' };

export function choiceOf({ last, from, to }: Range): RangeChoice {
  if (last !== undefined) {
    const isPreset = presets.some((one) => one === last);
    return isPreset ? { kind: 'preset', last } : { kind: 'last', last };
  }
  // A query without a range covers an hour.
  if (from === undefined && to === undefined) return { kind: 'preset', last: '1h' };
  return { kind: 'custom' };
}

/** The next longer preset, as in a query; undefined if there is none. */
export function longerThan(range: Range): (typeof presets)[number] | undefined {
  const choice = choiceOf(range);
  const index = presets.findIndex((one) => choice.kind === 'preset' && one === choice.last);
  return index < 0 ? undefined : presets[index + 1];
}

/** The range of the two inputs of the form, which may be empty. */
export function typedRange(from: string, to: string): Range {
  const [start, end] = [from.trim(), to.trim()];
  return {
    ...(start === '' ? {} : { from: start }),
    ...(end === '' ? {} : { to: end }),
  };
}
