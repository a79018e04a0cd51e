import { dotted, type Numbers, type Translate } from '../../base/textFormat';
import type { TimeFormat } from '../../base/timeFormat';
import { oneLine, plainText } from '../../base/untrustedText';
import { shortSha } from '../../data/deployments';
import { shortId } from '../../data/targets';
import { titleOf } from './errorKind';
import type { LineMark, MarkedKind } from './marks';

export interface MarkTexts extends Pick<Numbers, 'number'> {
  readonly t: Translate;
  readonly timeFormat: Pick<TimeFormat, 'relative' | 'moment'>;
}

/**
 * The longest message at the end of a line, in a list of problems and in a hover, in UTF-16 units. An editor
 * beside a view has little room at the end of a line.
 */
const longest = { line: 40, problem: 200, hover: 300 } as const;
/** The most workloads and deployments that a hover names. */
const mostNamed = 5;

/** The text at the end of a line, such as `14 × TypeError: Cannot read properties of und… +2 · 3 min. ago`. */
export function lineText(mark: LineMark, texts: MarkTexts): string {
  const [first, ...more] = mark.kinds;
  if (first === undefined) return '';
  const others = more.length === 0 ? '' : ` +${texts.number(more.length)}`;
  return dotted([
    `${countedKind(first, longest.line, texts)}${others}`,
    plainText(texts.timeFormat.relative(first.lastSeen), 40),
    noteOf(mark, texts),
  ]);
}

/** The message of a problem: only what stays true until the next errors. */
export function markProblemText(mark: LineMark, kind: MarkedKind, texts: MarkTexts): string {
  return dotted([countedKind(kind, longest.problem, texts), noteOf(mark, texts)]);
}

/** What the status bar says about a mark to which a command went. */
export function markPositionText(
  mark: LineMark,
  marks: readonly LineMark[],
  texts: MarkTexts,
): string {
  const { t, number } = texts;
  const place = t('Error {0} of {1}', number(marks.indexOf(mark) + 1), number(marks.length));
  return dotted([place, lineText(mark, texts)]);
}

/** `14 × TypeError: …`, of one line. */
function countedKind(
  { kind, count }: MarkedKind,
  maxLength: number,
  { t, number }: MarkTexts,
): string {
  return t('{0} × {1}', number(count), plainText(titleOf(kind), maxLength));
}

/** Why the error may not be from this line as it is now; undefined if it is. */
export function noteOf(
  { certainty, changedSince }: Pick<LineMark, 'certainty' | 'changedSince'>,
  { t }: Pick<MarkTexts, 't'>,
): string | undefined {
  if (certainty === 'same') return undefined;
  const sha = shortSha(changedSince);
  return certainty === 'changed' && sha !== undefined
    ? t('changed since {0}', sha)
    : t('may have moved');
}

/** The lines of a hover about one kind of error. Untrusted, without control characters. */
export function hoverLines(mark: LineMark, kind: MarkedKind, texts: MarkTexts): string[] {
  const { t, timeFormat } = texts;
  const { first, last, workloads } = kind.kind;
  const note = noteOf(mark, texts);
  const begin = timeFormat.moment(first.timestamp);
  const end = timeFormat.moment(last.timestamp);
  const ago = timeFormat.relative(last.timestamp);
  const workloadName = ({ workloadId }: Spot): string =>
    workloads.find(({ id }) => id === workloadId)?.name ?? shortId(workloadId);
  const deploymentName = ({ sha, deploymentId }: Spot): string =>
    shortSha(sha) ?? (deploymentId === null ? t('unknown') : shortId(deploymentId));
  return [
    countedKind(kind, longest.hover, texts),
    t('Workloads: {0}', listed(kind.spots, workloadName, texts)),
    t('Deployments: {0}', listed(kind.spots, deploymentName, texts)),
    begin === end
      ? `${t('Last seen')}: ${end} (${ago})`
      : t('First seen {0}, last seen {1} ({2})', begin, end, ago),
    ...(note === undefined ? [] : [t('This line: {0}', note)]),
  ].map(oneLine);
}

type Spot = MarkedKind['spots'][number];

/** The names of what has errors, with the numbers of errors, the most first. */
function listed(
  spots: readonly Spot[],
  nameOf: (spot: Spot) => string,
  { t, number }: MarkTexts,
): string {
  const counts = new Map<string, number>();
  for (const spot of spots) {
    const name = nameOf(spot);
    counts.set(name, (counts.get(name) ?? 0) + spot.count);
  }
  const all = [...counts].sort(([, a], [, b]) => b - a);
  const more = all.length - mostNamed;
  return [
    ...all.slice(0, mostNamed).map(([name, count]) => `${plainText(name, 80)} (${number(count)})`),
    ...(more > 0 ? [t('and {0} more', number(more))] : []),
  ].join(', ');
}
