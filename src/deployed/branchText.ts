import { shortSha, type DeployedCommit } from '../data/deployments';
import { shortId } from '../data/targets';
import { dotted, joined, type Texts, type Translate } from '../base/textFormat';
import { cut } from '../base/untrustedText';
import type { TimeFormat } from '../base/timeFormat';
import type { BranchEnvironment, CheckedOutBranch } from './branch';
import type { Position } from '../commits/commitFacts';
import type { MatchReason } from './sourceMatch';

interface BranchContext extends Texts {
  readonly timeFormat: TimeFormat;
  /** How HEAD relates to a deployed commit; undefined while that is unknown. */
  readonly positionOf: (sha: string) => Position | undefined;
  readonly sourceLabel: string;
  /** An error in words. */
  readonly describe: (error: unknown) => string;
}

/** The texts of the status bar item. They may contain untrusted text of the server. */
export interface BranchWords {
  /** `production a1b2c3d 2↑ 1↓` */
  readonly text: string;
  /** The same as a sentence, for screen readers. */
  readonly label: string;
  readonly tooltip: readonly string[];
  /** Whether a deployment is running. */
  readonly isBusy: boolean;
}

/** The longest name in the status bar. */
const maxName = 30;
/** More names are counted only. */
const maxNames = 5;

export function branchText(branch: CheckedOutBranch, context: BranchContext): BranchWords {
  const { t } = context;
  const [first, ...others] = branch.environments;
  const name = first === undefined ? '' : environmentName(first, t);
  const [newest, ...older] = first?.deployed.commits ?? [];
  const position = newest && context.positionOf(newest.sha);
  return {
    text: joined(
      [
        cut(name, maxName),
        newest && shortSha(newest.sha),
        older.length > 0 ? t('(mixed)') : undefined,
        position && positionSign(position, older.length > 0, t),
        others.length > 0 ? t('+{0} more', others.length) : undefined,
      ],
      ' ',
    ),
    label: joined(
      [
        newest === undefined
          ? t('Control plane: {0}', name)
          : t('Control plane: {0} runs {1}', name, shortSha(newest.sha) ?? ''),
        older.length > 0 ? t('and other commits') : undefined,
        position && positionText(position, context),
      ],
      ', ',
    ),
    tooltip: [
      relationWords(branch, t),
      ...branch.environments.flatMap((one) => environmentLines(one, context)),
      ...headLines(branch, t),
      sourceWords(branch.by, context),
    ],
    isBusy: branch.environments.some(({ deployed }) => deployed.coming.length > 0),
  };
}

/** The name of an environment, or its short id. */
export function environmentName({ name, id }: BranchEnvironment, t: Translate): string {
  return name ?? (id === undefined ? t('No environment') : shortId(id));
}

/** The apps and jobs that run a commit, in one line. */
export function runsIn({ resources }: DeployedCommit, t: Translate): string {
  const shown = resources.slice(0, maxNames).join(', ');
  const more = resources.length - maxNames;
  return more > 0 ? t('{0} and {1} more', shown, more) : shown;
}

function positionSign(position: Position, isMixed: boolean, t: Translate): string {
  if (position.kind === 'notFetched') return t('not fetched');
  const { ahead, behind } = position;
  if (ahead === 0 && behind === 0) return isMixed ? '' : '✓';
  return joined([ahead > 0 ? `${ahead}↑` : '', behind > 0 ? `${behind}↓` : ''], ' ');
}

/** How HEAD relates to a deployed commit, in words. */
export function positionText(position: Position, { t, counted }: Texts): string {
  if (position.kind === 'notFetched') return t('not fetched');
  const { ahead, behind } = position;
  if (ahead === 0 && behind === 0) return t('the checked-out commit');
  const words = [
    ahead > 0 ? counted(ahead, '{0} commit ahead', '{0} commits ahead') : '',
    behind > 0 ? counted(behind, '{0} commit behind', '{0} commits behind') : '',
  ];
  return t('HEAD is {0}', joined(words, ', '));
}

function relationWords({ relation, head, environments }: CheckedOutBranch, t: Translate): string {
  const name = head.branch ?? '';
  switch (relation) {
    case 'own':
      return environments.length === 1
        ? t('Environment of branch {0}:', name)
        : t('Environments of branch {0}:', name);
    case 'preview':
      return t('Preview of branch {0}:', name);
    case 'other':
      return head.branch === undefined
        ? t('No branch is checked out. For comparison:')
        : t('Branch {0} has no environment. For comparison:', name);
  }
}

function environmentLines(environment: BranchEnvironment, context: BranchContext): string[] {
  const { t, counted, describe } = context;
  const { deployed, branch, isDisconnected, lookedAt, resources, error } = environment;
  const about = joined(
    [branch && t('branch {0}', branch), isDisconnected ? t('disconnected') : undefined],
    ', ',
  );
  const name = environmentName(environment, t);
  const lines = [about === '' ? name : `${name} (${about})`];
  const isMixed = deployed.commits.length > 1;
  if (isMixed) lines.push(`  ${t('Apps and jobs run different commits, newest first:')}`);
  for (const commit of deployed.commits.slice(0, maxNames)) {
    lines.push(`  ${commitLine(commit, isMixed, context)}`);
  }
  const more = deployed.commits.length - maxNames;
  if (more > 0) lines.push(`  ${t('{0} more', more)}`);
  for (const sha of deployed.coming) lines.push(`  ${t('deploying: {0}', shortSha(sha) ?? sha)}`);
  if (error !== undefined) lines.push(`  ${describe(error)}`);
  else if (deployed.commits.length === 0) lines.push(`  ${t('No deployments')}`);
  if (lookedAt < resources.length) {
    lines.push(
      `  ${counted(resources.length, 'Shows {1} of {0} app or job.', 'Shows {1} of {0} apps and jobs.', lookedAt)}`,
    );
  }
  return lines;
}

function commitLine(commit: DeployedCommit, isMixed: boolean, context: BranchContext): string {
  const { t, timeFormat, positionOf } = context;
  const position = positionOf(commit.sha);
  return dotted([
    shortSha(commit.sha),
    isMixed ? runsIn(commit, t) : undefined,
    commit.at === undefined ? undefined : timeFormat.relativeTo(commit.at),
    position && positionText(position, context),
  ]);
}

function headLines({ head }: CheckedOutBranch, t: Translate): string[] {
  return head.commit === undefined
    ? [t('This repository has no commits yet.')]
    : [t('Uncommitted changes are not counted.')];
}

function sourceWords(by: MatchReason, { t, sourceLabel }: BranchContext): string {
  switch (by) {
    case 'choice':
      return t('Source: {0} (chosen for this folder)', sourceLabel);
    case 'name':
      return t('Source: {0} (same name as the repository)', sourceLabel);
    case 'commit':
      return t('Source: {0} (this repository has its commit)', sourceLabel);
    case 'resource':
      return t('Source: {0} (its app or job has the name of the repository)', sourceLabel);
  }
}
