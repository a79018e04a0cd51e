import * as vscode from 'vscode';
import { ApiError } from '../../../api/errors';
import type { LogRecord } from '../../../api/types';
import type { PagingState, ExplorerState } from '../explorerState';
import { createTimeFormat, recordSource } from '../../record/format';
import { hasEnded } from '../../follow/tailManager';
import type { TailState } from '../../follow/types';
import { progressText } from './progressText';
import { counted } from '../../../vscode/numbers';
import { plainText } from '../../../text/plainText';
import type { SessionState } from '../../../connection/ui/session';
import { explanation, tailStateText } from '../../follow/ui/tailText';
import { describe } from '../../../vscode/errorMessages';
import type { HistogramData, View } from '../panel/messages';

const { t } = vscode.l10n;

/** What the view is made of besides the state of the explorer. */
interface ViewParts {
  readonly session: SessionState['kind'];
  /** That was run. */
  readonly query: string;
  /** Of which query the results are, where it is another one. */
  readonly previous: string | undefined;
  /** Whether there is something to go back to. */
  readonly canGoBack: boolean;
  /** The record that everything is about, or that somebody came from. */
  readonly focus: string | undefined;
  /** Oldest first. */
  readonly records: readonly LogRecord[];
  readonly timeZone: string;
  readonly histogram: HistogramData | undefined;
  /** On the clock's monotonic axis, as states of tails have it, in milliseconds. */
  readonly now: number;
}

/** What the page shows besides the rows, in words. */
export function viewModel(state: ExplorerState, parts: ViewParts): View {
  const { context, loading, failure, following } = state;
  const view: View = {
    epoch: state.epoch,
    state: stateOf(state, parts.session),
    query: parts.query,
    canGoBack: parts.canGoBack,
    older: older(state),
    newer: newer(state),
    cannotFollow: cannotFollow(state),
    notices: notices(state, parts.previous),
    summary: summary(state, parts),
  };
  if (context !== undefined) view.title = t('Around a record of {0}', recordSource(context));
  if (parts.focus !== undefined) view.focus = parts.focus;
  if (loading !== undefined) view.progress = progress(loading);
  if (loading?.wait !== undefined) view.isWaiting = true;
  if (failure !== undefined) view.failure = failureView(failure);
  if (following !== undefined) {
    view.following = {
      state: followingState(following.state),
      text: tailStateText(following.state, parts.now),
      newRecords: following.newRecords,
    };
  }
  if (parts.histogram !== undefined) view.histogram = parts.histogram;
  return view;
}

function stateOf(
  { search, loading, failure, count }: ExplorerState,
  session: SessionState['kind'],
): View['state'] {
  if (session === 'none') return 'notConnected';
  if (session === 'signedOut') return 'signedOut';
  if (loading?.direction === 'first') return 'loading';
  if (failure !== undefined && count === 0) return 'failed';
  return search === undefined ? 'idle' : 'ready';
}

/** What failed, why and what helps. */
function failureView(failure: unknown): NonNullable<View['failure']> {
  const needsKey =
    failure instanceof ApiError && (failure.kind === 'signedOut' || failure.status === 401);
  return { message: describe(failure), help: needsKey ? 'connect' : 'diagnostics' };
}

function progress(loading: NonNullable<ExplorerState['loading']>): string {
  const { direction, records, pages, wait } = loading;
  if (wait !== undefined) return progressText({ records, wait });
  if (pages === 0) return direction === 'first' ? t('Searching…') : t('Loading…');
  return t(
    '{0} from {1}…',
    counted(records, '{0} record', '{0} records'),
    counted(pages, '{0} page', '{0} pages'),
  );
}

type End = View['older'];

const nothing: End = { text: '', canLoad: false };

/** Where there is no first page yet: nothing is older or newer than nothing. */
function beforeTheFirst({ loading, failure, count }: ExplorerState): End | undefined {
  if (loading?.direction === 'first') return nothing;
  return failure !== undefined && count === 0 ? { text: t('Try again'), canLoad: true } : undefined;
}

function older(state: ExplorerState): End {
  const { older, search, context } = state;
  if (search === undefined && context === undefined) return nothing;
  const first = beforeTheFirst(state);
  if (first !== undefined) return first;
  switch (older.kind) {
    case 'more':
      return { text: t('Load older records'), canLoad: true };
    case 'reached':
      return {
        text: context === undefined ? t('Start of the range') : t('Nothing older is shown here'),
        canLoad: false,
      };
    case 'paused':
      return paused(older);
    case 'full':
      return {
        text: t('No more records fit: narrow the range to see older ones.'),
        canLoad: false,
      };
  }
}

function newer(state: ExplorerState): End {
  const { newer, search, context, following } = state;
  if (search === undefined && context === undefined) return nothing;
  if (beforeTheFirst(state) !== undefined) return nothing;
  const goesOn = following !== undefined && !hasEnded(following.state);
  if (goesOn && newer.kind === 'reached') {
    return { text: t('New records come here as they are written'), canLoad: false };
  }
  switch (newer.kind) {
    case 'more':
      return { text: t('Load newer records'), canLoad: true };
    case 'reached':
      return {
        text: context === undefined ? t('End of the range') : t('Nothing newer is shown here'),
        canLoad: false,
      };
    case 'paused':
      return paused(newer);
    case 'full':
      return {
        text: t('No more records fit: narrow the range to see newer ones.'),
        canLoad: false,
      };
  }
}

function paused(edge: Extract<PagingState, { kind: 'paused' }>): End {
  const isOnRequest = ['sparse', 'circle', 'cancelled'].includes(edge.why);
  return { text: pausedText(edge), canLoad: true, ...(isOnRequest ? { isOnRequest } : {}) };
}

function pausedText({ why }: Extract<PagingState, { kind: 'paused' }>): string {
  switch (why) {
    case 'sparse':
      return t('Little was found over many pages. Load more');
    case 'circle':
      return t('The server sends the same pages again. Try again');
    case 'cancelled':
      return t('Loading was cancelled. Load more');
    case 'accessChanged':
    case 'cursorRefused':
      return t('Loading ended early. Load more');
  }
}

/** Why these logs cannot be followed from here; empty where they can. */
function cannotFollow({ search, context }: ExplorerState): string {
  if (context !== undefined) return t('Go back to the results to follow them.');
  if (search === undefined) return t('Search first, then follow.');
  return search.range.to === undefined
    ? ''
    : t('The range ends at {0}: take `to` out of the query to follow.', search.range.to);
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

/** What one must know of what is shown, the gravest first. */
function notices(state: ExplorerState, previous: string | undefined): View['notices'] {
  const { following, leftOut, dropped } = state;
  const all: View['notices'] = [];
  const warn = (text: string): void => void all.push({ level: 'warning', text });
  const why = following === undefined ? undefined : explanation(following.state);
  if (why !== undefined) warn(why);
  if (previous !== undefined) {
    const query = previous === '' ? t('everything') : plainText(previous);
    warn(t('What is shown was found by the search before this one: {0}', query));
  }
  if (state.accessChanged) {
    warn(t('What this API key may see has changed. What was shown before is gone.'));
  }
  if (state.partial) {
    warn(t('The server could not answer in full: some records may be missing (partial).'));
  }
  if (state.restarted) {
    warn(
      t(
        'The server did not go on from where it was, so the time of a record took its place: some records may be missing there.',
      ),
    );
  }
  if (dropped > 0) {
    warn(
      counted(
        dropped,
        '{0} older record was dropped: there is no room for it beside newer ones.',
        '{0} older records were dropped: there is no room for them beside newer ones.',
      ),
    );
  }
  if (leftOut > 0) {
    warn(
      counted(
        leftOut,
        '{0} record came faster than it could be shown and was left out.',
        '{0} records came faster than they could be shown and were left out.',
      ),
    );
  }
  return all;
}

/** How many records there are, and of which time. */
function summary(state: ExplorerState, { records, timeZone }: ViewParts): string {
  const { search, window, count, loading } = state;
  const time = createTimeFormat(timeZone);
  const [first] = records;
  const last = records.at(-1);
  if (first === undefined || last === undefined) {
    const isDone = search !== undefined && loading === undefined && state.failure === undefined;
    return isDone && window !== undefined
      ? t('Nothing found between {0} and {1}.', time(window.from), time(window.to))
      : '';
  }
  return counted(
    count,
    '{0} record of {1}',
    '{0} records, {1} to {2}',
    time(first.timestamp),
    time(last.timestamp),
  );
}
