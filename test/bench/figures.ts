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

/** By how much a figure misses its goal, in its own unit; 0 if it is reached. */
function missedBy({ result, goal }: Figure): number {
  if (goal === undefined || Number.isNaN(result)) return 0;
  if (goal.is === '≤') return Math.max(0, result - goal.value);
  if (goal.is === '≥') return Math.max(0, goal.value - result);
  return result > goal.value ? 0 : Math.max(goal.value - result, Number.EPSILON);
}

function verdict(figure: Figure): string {
  if (figure.goal === undefined) return '';
  const missed = missedBy(figure);
  return missed === 0 ? 'reached' : `missed by ${amount(missed, figure.unit)}`;
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
    ...figures.map((figure) => [
      `  ${figure.what}`,
      amount(figure.ours, figure.measure),
      figure.other ? `${figure.other.name} ${amount(figure.other.value, figure.measure)}` : '',
      amount(figure.result, figure.unit),
      figure.goal ? `${figure.goal.is} ${figure.goal.value} ${figure.unit}` : '',
      verdict(figure),
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
