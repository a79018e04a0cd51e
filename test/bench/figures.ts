/** The goal of a figure: at least this, at most this, or more than this. */
export interface Goal {
  readonly is: '≥' | '≤' | '>';
  readonly value: number;
}

/** One measured figure, as a comparison within one run if possible. */
export interface Figure {
  /** What was measured. */
  readonly what: string;
  /** Our side and the other, medians in `measure`: `MB/s`, `ms`, `KB`… */
  readonly measure: string;
  readonly ours: number;
  readonly other?: { readonly name: string; readonly value: number };
  /** The value to judge: a ratio (`×`), or a difference or size in the given unit. */
  readonly result: number;
  readonly unit: string;
  /** Missing if the figure is for information only. */
  readonly goal?: Goal;
}

/** The figures of one row. */
export interface RowFigures {
  readonly row: string;
  readonly figures: readonly Figure[];
  /** Why there are no figures. */
  readonly problem?: string;
}

/** One measurement, or one of each round. */
type Values = number | readonly number[];

interface Judged {
  /** What ours is compared with, and its measurements. */
  readonly against?: readonly [name: string, values: Values];
  /** What is judged instead of ours: the median of the comparisons within each round. */
  readonly by?: 'ratio' | 'difference';
  readonly goal?: `${Goal['is']} ${number}`;
}

/** The figure of these measurements, of which the median counts. */
export function figure(
  what: string,
  measure: string,
  ours: Values,
  { against, by, goal }: Judged = {},
): Figure {
  const [otherName = '', other = []] = against ?? [];
  const [is, value] = (goal?.split(' ') ?? []) as [Goal['is']?, string?];
  const compared = rounds(ours).map((one, round) => {
    const same = rounds(other)[round] ?? NaN;
    return by === 'ratio' ? one / same : one - same;
  });
  return {
    what,
    measure,
    ours: median(rounds(ours)),
    ...(against && { other: { name: otherName, value: median(rounds(other)) } }),
    result: median(by === undefined ? rounds(ours) : compared),
    unit: by === 'ratio' ? '×' : measure,
    ...(is && { goal: { is, value: Number(value) } }),
  };
}

function rounds(values: Values): readonly number[] {
  return typeof values === 'number' ? [values] : values;
}

/** The value below which this share (0 to 1) of the values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const index = Math.ceil(share * sorted.length) - 1;
  return sorted[Math.max(0, Math.min(sorted.length - 1, index))] ?? NaN;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

/** Whether a figure reaches its goal, or by how much it misses it. */
function verdict({ result, goal, unit }: Figure): string {
  if (goal === undefined) return '';
  const tooMuch = goal.is === '≤' ? result - goal.value : goal.value - result;
  const isMissed = goal.is === '>' ? tooMuch >= 0 : tooMuch > 0;
  return isMissed ? `missed by ${amount(tooMuch, unit)}` : 'reached';
}

/** Three digits: the figures are not more precise. */
function amount(value: number, unit: string): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return `${value.toFixed(digits)}${unit === '×' ? '×' : ` ${unit}`}`;
}

/** The rows as a table of text. */
export function table(rows: readonly RowFigures[]): string {
  const head = ['', 'ours', 'against', 'result', 'to reach', ''];
  const lines = rows.flatMap(({ row, figures, problem }) => [
    [row],
    ...(problem === undefined ? [] : [[`  ${problem}`]]),
    ...figures.map((one) => [
      `  ${one.what}`,
      amount(one.ours, one.measure),
      one.other ? `${one.other.name} ${amount(one.other.value, one.measure)}` : '',
      amount(one.result, one.unit),
      one.goal ? `${one.goal.is} ${one.goal.value} ${one.unit}` : '',
      verdict(one),
    ]),
  ]);
  const isFigure = (cells: readonly string[]): boolean => cells.length === head.length;
  const widths = head.map((_, column) =>
    Math.max(...[head, ...lines].filter(isFigure).map((cells) => (cells[column] ?? '').length)),
  );
  return [head, ...lines]
    .map((cells) =>
      cells
        .map((cell, column) => (isFigure(cells) ? cell.padEnd(widths[column] ?? 0) : cell))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
