/** What a figure shall be: at least or at most this, or more than it. */
export interface Goal {
  readonly is: '≥' | '≤' | '>';
  readonly value: number;
}

/** One measured figure, as a comparison within one run wherever there is something to compare with. */
export interface Figure {
  /** What was measured, in words. */
  readonly what: string;
  /** Our side and the other, medians in `measure`: `MB/s`, `ms`, `KB`… */
  readonly measure: string;
  readonly ours: number;
  readonly other?: { readonly name: string; readonly value: number };
  /** What is judged: a ratio (`×`), or a difference or size in the unit named. */
  readonly result: number;
  readonly unit: string;
  /** Absent for what is only told. */
  readonly goal?: Goal;
  /** What a reader has to know to understand it. */
  readonly note?: string;
}

/** The figures of one row of the table. */
export interface RowFigures {
  readonly row: string;
  readonly figures: readonly Figure[];
  /** Why there are none. */
  readonly problem?: string;
}

/** By how much a figure misses its goal, in its own unit; 0 where it is reached. */
export function missedBy({ result, goal }: Figure): number {
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

/** Three digits are all that such figures are good for. */
function amount(value: number, unit: string): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return `${value.toFixed(digits)}${unit === '×' ? '×' : ` ${unit}`}`;
}

/** The rows as a table for people. */
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
