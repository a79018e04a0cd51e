import * as vscode from 'vscode';
import { failedAs } from '../../../api/errors';
import type { LogRecord } from '../../../api/types';
import { second } from '../../../base/clock';
import { dotted, supportedLanguage } from '../../../base/textFormat';
import { plainText, rowText } from '../../../base/untrustedText';
import type { SessionState } from '../../../connection/ui/session';
import { shortSha } from '../../../data/deployments';
import { stateMeaning } from '../../../data/states';
import { stateInWords } from '../../../data/stateWords';
import { describe } from '../../../vscode/errorMessages';
import { counted, number } from '../../../vscode/numbers';
import { createTimeFormat, endOfRange, recordSource } from '../../record/logLine';
import { hasTailEnded } from '../../tail/tails';
import type { TailState } from '../../tail/tailState';
import { explanation, tailStateText } from '../../tail/ui/tailText';
import { type ExplorerModel, RecordGoneError } from '../explorerModel';
import { type PagingState, type ExplorerState, searchedText } from '../explorerState';
import type { MarkedDeployment } from '../histogram';
import type { LoadState } from '../liveSearch';
import type { DeploymentMark, HistogramData, ListEnd, View } from '../protocol/view';

const { t } = vscode.l10n;

interface ViewParts {
  readonly session: SessionState['kind'];
  /** The time of the control plane's clock, in milliseconds since 1970. */
  readonly serverNow: number;
  /** How many records are hidden by their pattern. */
  readonly hidden: number;
  /** The key of the row to select: that of the record to show. */
  readonly focus: string | undefined;
  /** The keys of pinned rows. */
  readonly pins: readonly string[];
  /** Whether the query is the one for what is deployed from the folder. */
  readonly isFromFolder?: boolean;
  /** How many records show another severity than that of the control plane. */
  readonly unlikeServer: number;
  readonly timeZone: string;
  readonly histogram: HistogramData | undefined;
  /** On the monotonic axis of the clock, like the times of tail states, in milliseconds. */
  readonly now: number;
}

export function deploymentMark(
  { deployment, at, workload, hasRun }: MarkedDeployment,
  timeZone: string,
): DeploymentMark {
  const { commitSha, environment, state } = deployment;
  const meaning = stateMeaning(state) ?? 'unknown';
  const words = dotted([
    workload,
    shortSha(commitSha) ?? t('Deployment'),
    environment,
    state === undefined ? undefined : stateInWords(state, t),
    createTimeFormat(timeZone)(new Date(at).toISOString()),
  ]);
  return {
    at,
    outcome: meaning !== 'replaced' ? meaning : hasRun ? 'succeeded' : 'cancelled',
    text: rowText(words),
  };
}

/** Creates the view of the page: everything but the rows. */
export function pageView(model: ExplorerModel, state: ExplorerState, parts: ViewParts): View {
  const { focus } = parts;
  const { context, loading, failure, following } = state;
  const searched = searchedText(state);
  return {
    epoch: state.epoch,
    state: stateOf(state, parts.session),
    serverNow: parts.serverNow,
    query: model.query,
    ...(searched === undefined ? {} : { searched }),
    ...(parts.isFromFolder === true ? { isFromFolder: true } : {}),
    canGoBack: model.canGoBack,
    older: listEnd(state, 'older'),
    newer: listEnd(state, 'newer'),
    cannotFollow: cannotFollow(state),
    notices: notices(state, model.previous, parts),
    summary: summary(state, model.records, parts),
    ...(context && { title: t('Context of a record of {0}', recordSource(context)) }),
    ...(isTrace(state) && { isTrace: true }),
    ...(focus !== undefined && { focus }),
    ...(parts.pins.length > 0 && { pins: parts.pins }),
    ...(loading && { progress: progress(loading) }),
    ...(loading?.wait && { isWaiting: true }),
    ...(failure === undefined ? {} : { failure: failureView(failure) }),
    ...(following && {
      following: {
        state: followingState(following.state),
        text: tailStateText(following.state, parts.now),
        newRecords: following.newRecords,
      },
    }),
    ...(parts.histogram && { histogram: parts.histogram }),
  };
}

/** Whether there are records of one trace, and no others. */
function isTrace({ search, context, count }: ExplorerState): boolean {
  return context === undefined && count > 0 && search?.filter.traceId !== undefined;
}

function stateOf(
  { search, context, loading, failure, count }: ExplorerState,
  session: SessionState['kind'],
): View['state'] {
  if (session === 'none') return 'notConnected';
  if (session === 'signedOut') return 'signedOut';
  if (loading?.direction === 'first') return 'loading';
  if (failure !== undefined && count === 0) return 'failed';
  return search === undefined && context === undefined ? 'idle' : 'ready';
}

/** The message of a failure, and which button helps. */
export function failureView(failure: unknown): NonNullable<View['failure']> {
  const needsKey = failedAs(failure, 'signedOut', 'unknownKey');
  const message =
    failure instanceof RecordGoneError
      ? t('The record of the link is gone: the control plane does not have it any more.')
      : describe(failure);
  return { message, help: needsKey ? 'connect' : 'diagnostics' };
}

function progress(loading: NonNullable<ExplorerState['loading']>): string {
  const { direction, records, pages, wait } = loading;
  if (wait !== undefined) return loadProgressText({ records, wait });
  if (pages === 0) return direction === 'first' ? t('Searching…') : t('Loading…');
  const words = [
    counted(records, '{0} record', '{0} records'),
    counted(pages, '{0} page', '{0} pages'),
  ];
  return `${dotted(words)}…`;
}

const nothing: ListEnd = { text: '', canLoad: false };

/** The ends of the list before the first page. */
function beforeTheFirst({ loading, failure, count }: ExplorerState): ListEnd | undefined {
  if (loading?.direction === 'first') return nothing;
  return failure !== undefined && count === 0 ? { text: t('Try again'), canLoad: true } : undefined;
}

const endTexts = {
  older: {
    load: t('Load older records'),
    range: t('Start of the range'),
    context: t('Start of the context'),
    full: t('The list is full. Narrow the range to see older records.'),
  },
  newer: {
    load: t('Load newer records'),
    range: t('End of the range'),
    context: t('End of the context'),
    full: t('The list is full. Narrow the range to see newer records.'),
  },
};

function listEnd(state: ExplorerState, end: 'older' | 'newer'): ListEnd {
  const { search, context, loading, following } = state;
  if (search === undefined && context === undefined) return nothing;
  const first = beforeTheFirst(state);
  if (first !== undefined) return end === 'older' ? first : nothing;
  if (loading?.direction === end) {
    return { text: progress(loading), canLoad: false, isLoading: true };
  }
  const paging = state[end];
  const isFollowing = following !== undefined && !hasTailEnded(following.state);
  if (end === 'newer' && isFollowing && paging.kind === 'reached') {
    return { text: t('Waiting for new records'), canLoad: false };
  }
  const texts = endTexts[end];
  switch (paging.kind) {
    case 'more':
      return { text: texts.load, canLoad: true };
    case 'reached':
      // Without records the summary has the range.
      if (state.count === 0) return nothing;
      return { text: context === undefined ? texts.range : texts.context, canLoad: false };
    case 'paused':
      return paused(paging);
    case 'full':
      return { text: texts.full, canLoad: false };
  }
}

function paused(edge: Extract<PagingState, { kind: 'paused' }>): ListEnd {
  const isOnRequest = ['sparse', 'repeatedCursor', 'cursorMissing', 'cancelled'].includes(edge.why);
  return { text: pausedText(edge), canLoad: true, ...(isOnRequest ? { isOnRequest } : {}) };
}

function pausedText({ why }: Extract<PagingState, { kind: 'paused' }>): string {
  switch (why) {
    case 'sparse':
      return t('Few records found on many pages. Load more');
    case 'repeatedCursor':
      return t('The server repeated pages. Try again');
    case 'cancelled':
      return t('Loading was cancelled. Load more');
    case 'accessChanged':
    case 'cursorRefused':
    case 'cursorMissing':
      return t('Loading ended early. Load more');
  }
}

/** Why the logs cannot be followed; empty if they can. */
function cannotFollow({ search, context }: ExplorerState): string {
  if (context !== undefined) return t('Go back to the results to follow new records.');
  if (search === undefined) return t('Run a search first, then follow new records.');
  return search.range.to === undefined
    ? ''
    : t(
        'The range ends at {0}. Remove `to` from the query to follow new records.',
        search.range.to,
      );
}

function followingState(state: TailState): NonNullable<View['following']>['state'] {
  switch (state.kind) {
    case 'live':
    case 'paused':
      return state.kind;
    case 'connecting':
    case 'reconnecting':
    case 'rateLimited':
      return 'waiting';
    case 'stopped':
    case 'failed':
      return 'ended';
  }
}

/** Notes about the records, most important first. */
function notices(
  state: ExplorerState,
  previous: string | undefined,
  { unlikeServer }: ViewParts,
): View['notices'] {
  const { following, leftOut, dropped } = state;
  const all: View['notices'][number][] = [];
  const warn = (text: string): void => void all.push({ level: 'warning', text });
  const why = following === undefined ? undefined : explanation(following.state);
  if (why !== undefined) warn(why);
  if (previous !== undefined) {
    const query = previous === '' ? t('everything') : plainText(previous);
    warn(t('These are the results of the previous search: {0}', query));
  }
  if (state.accessChanged) {
    warn(t('The permissions of the API key changed. Earlier records were removed.'));
  }
  if (state.partial) {
    warn(t('The server sent a partial result. Some records may be missing.'));
  }
  if (state.restarted) {
    warn(t('Resumed by timestamp. Some records may be missing.'));
  }
  if (dropped > 0) {
    warn(
      counted(
        dropped,
        '{0} older record was removed to make room for newer ones.',
        '{0} older records were removed to make room for newer ones.',
      ),
    );
  }
  if (leftOut > 0) {
    warn(
      counted(
        leftOut,
        '{0} record skipped: records arrived faster than they could be shown.',
        '{0} records skipped: records arrived faster than they could be shown.',
      ),
    );
  }
  if (unlikeServer > 0 && (state.search?.filter.severities ?? []).length > 0) {
    const text = counted(
      unlikeServer,
      '{0} record shows the level in its body. The query filters by the severity that the control plane gave it.',
      '{0} records show the level in their bodies. The query filters by the severity that the control plane gave them.',
    );
    all.push({ level: 'info', text });
  }
  return all;
}

/** The number of records and their range. */
function summary(
  state: ExplorerState,
  records: readonly LogRecord[],
  { hidden, timeZone }: ViewParts,
): string {
  const { search, window, count, loading } = state;
  const time = createTimeFormat(timeZone);
  const [first] = records;
  const last = records.at(-1);
  if (first === undefined || last === undefined) {
    const isDone = search !== undefined && loading === undefined && state.failure === undefined;
    return isDone && window !== undefined
      ? t('No records between {0} and {1}.', time(window.from), time(window.to))
      : '';
  }
  const from = time(first.timestamp);
  return [
    counted(count, '{0} record loaded', '{0} records loaded'),
    ...(hidden > 0 ? [t('{0} hidden', number(hidden))] : []),
    ...(state.older.kind === 'reached' ? [] : [t('older exist')]),
    t('{0} to {1}', from, endOfRange(from, time(last.timestamp))),
  ].join(' · ');
}

const language = supportedLanguage(vscode.env.language);

/** The progress of a load, and why, how long and until when it waits. */
export function loadProgressText({ records, wait }: LoadState): string {
  const count = counted(records, '{0} record', '{0} records');
  if (wait === undefined) return count;
  const seconds = Math.ceil(wait.ms / second);
  // With the time zone, since the extension may run on another machine.
  const until = new Date(wait.until).toLocaleTimeString(language, { timeStyle: 'long' });
  return wait.error.meaning === 'rateLimited'
    ? t('{0}. Rate limit reached. Retrying in {1} s, at {2}.', count, seconds, until)
    : t('{0}. The control plane is unavailable. Retrying in {1} s, at {2}.', count, seconds, until);
}
