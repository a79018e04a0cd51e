import * as vscode from 'vscode';
import { plainText } from '../platform/plainText';
import { describe } from '../platform/wording';
import type { Moments } from '../workspace/moments';
import type { TopicProblem, ViewState } from '../workspace/viewState';

const { t } = vscode.l10n;

/** The line above the rows of a tree: that what is shown is old, and why; undefined where all is well. */
export function viewMessage(state: ViewState, moments: Moments): string | undefined {
  switch (state.kind) {
    case 'missingPermission':
    case 'unreachable':
      // The welcome text says it at length, where it can name the way out.
      return state.kind === 'unreachable' ? describe(state.error) : undefined;
    case 'shown':
      return problemsMessage(state.problems, moments);
    case 'notConnected':
    case 'signedOut':
    case 'loading':
    case 'empty':
    case 'noMatch':
      return undefined;
  }
}

function problemsMessage(problems: readonly TopicProblem[], moments: Moments): string | undefined {
  const permissions = new Set(problems.flatMap(({ permission }) => permission ?? []));
  const others = problems.filter(({ permission }) => permission === undefined);
  const [first] = others;
  const lines = [...permissions].map((one) =>
    t('Your API key lacks the permission {0}: what needs it is not shown.', one),
  );
  if (first !== undefined) lines.unshift(staleMessage(first, others, moments));
  return lines.length === 0 ? undefined : lines.join(' ');
}

/** The oldest of what is shown counts: nothing on the screen is older. */
function staleMessage(
  { error }: TopicProblem,
  problems: readonly TopicProblem[],
  moments: Moments,
): string {
  const times = problems.flatMap(({ at }) => at ?? []);
  const reason = describe(error);
  if (times.length === 0) return reason;
  return t('Updated {0}. {1}', moments.relativeTo(Math.min(...times)), reason);
}

/** What kind of thing a permission hides in a tree, for its welcome text. */
export function welcomeState(state: ViewState): string {
  return state.kind === 'missingPermission'
    ? `missingPermission ${plainText(state.permission)}`
    : state.kind;
}
