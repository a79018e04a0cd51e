import * as vscode from 'vscode';
import type { Resource } from '../../api/types';
import { untilAborted } from '../../base/clock';
import { membersOf } from '../../base/json';
import { labelText } from '../../base/untrustedText';
import { isCommit } from '../../commits/commitFacts';
import type { Git } from '../../commits/ui/git';
import type { GitRepository } from '../../commits/ui/gitRepository';
import { ensureConnection } from '../../connection/ui/session';
import { shortSha } from '../../data/deployments';
import { isUuid } from '../../data/targets';
import { type ConnectionData, lookUpEnvironments } from '../../data/ui/connectionData';
import { isRow } from '../../trees/ui/treeRow';
import type { Views } from '../../trees/ui/views';
import { registerCommand } from '../../vscode/commands';
import { commands } from '../../vscode/contributions';
import type { Diagnostics } from '../../vscode/diagnostics';
import { UserError } from '../../vscode/errorMessages';
import { withProgress } from '../../vscode/notifications';
import { counted } from '../../vscode/numbers';
import { ask, back, pickOne } from '../../vscode/quickInput';
import {
  commitOfLine,
  type CommitPlace,
  hashAt,
  iconOfPlace,
  nameOfPlace,
  placesByEnvironment,
  placeText,
  whereaboutsText,
  whereIsCommit,
} from '../whereIs';
import type { BranchState } from './branchState';
import { isHere } from './deployedCommit';

const { t } = vscode.l10n;

/** The most apps and jobs whose deployments are read, because each takes a request. */
const mostResources = 50;

/**
 * `whereIsCommit`: lists the apps and jobs with what they are to a commit: of a row, of `{ sha }`, of the line of
 * `{ uri, lineNumber }` as the menu of a line number passes it, of the hash at the cursor, or of a question. True if it
 * was shown.
 */
export function registerWhereIsCommit(
  git: Git,
  branchState: BranchState,
  data: ConnectionData,
  views: Views,
  diagnostics: Diagnostics,
): vscode.Disposable {
  const whereIs = new WhereIsCommit(git, branchState, data, views);
  return registerCommand(commands.whereIsCommit, (argument) => whereIs.show(argument), {
    diagnostics,
    failed: t('Could not find out where the commit is.'),
  });
}

/** A commit that a repository has. */
interface Found {
  readonly repository: GitRepository;
  /** The whole hash. */
  readonly sha: string;
}

class WhereIsCommit {
  constructor(
    private readonly git: Git,
    private readonly branchState: BranchState,
    private readonly data: ConnectionData,
    private readonly views: Views,
  ) {}

  async show(argument: unknown): Promise<boolean> {
    if (this.git.repositories.length === 0) {
      throw new UserError(t('Open the Git repository that is deployed.'));
    }
    const signedIn = await ensureConnection(this.data.session);
    if (signedIn === undefined) return false;
    const { signal: lifetime } = signedIn;
    const found = await this.commitOf(argument, lifetime);
    if (found === undefined) return false;
    const places = await withProgress(t('Looking for the commit…'), lifetime, (signal) =>
      untilAborted(this.placesOf(found, signal), signal),
    );
    if (places.length === 0) {
      throw new UserError(t('No app or job is known that is deployed from this repository.'));
    }
    return this.choose(found.sha, places, lifetime);
  }

  /** Undefined if there is none, which was said. */
  private async commitOf(argument: unknown, lifetime: AbortSignal): Promise<Found | undefined> {
    const { uri, lineNumber } = membersOf(argument);
    if (uri instanceof vscode.Uri && typeof lineNumber === 'number') {
      return this.find(await this.commitOfLine(uri, lineNumber));
    }
    const { sha } = membersOf(argument);
    const given = isRow(argument) ? this.views.nodeOf(argument)?.target.commitSha : sha;
    if (argument !== undefined) return this.find(typeof given === 'string' ? given : undefined);
    const atCursor = hashAtCursor();
    return (
      (atCursor === undefined ? undefined : await this.held(atCursor)) ??
      this.find(await this.typed(atCursor, lifetime))
    );
  }

  /** Asks for a hash. The one that was copied, as the views of Git do, is there already. */
  private async typed(
    atCursor: string | undefined,
    lifetime: AbortSignal,
  ): Promise<string | undefined> {
    const copied = (await vscode.env.clipboard.readText()).trim();
    const head = this.git.current?.head?.commit;
    const answer = await ask({
      title: t('Where Is This Commit?'),
      prompt: t('Enter the hash of a commit, or its first seven digits.'),
      value: atCursor ?? (isCommit(copied) ? copied : head) ?? '',
      problemOf: (text) => (isCommit(text) ? undefined : t('This is no commit hash.')),
      lifetime,
    });
    return answer === back ? undefined : answer;
  }

  private async commitOfLine(uri: vscode.Uri, line: number): Promise<string | undefined> {
    const repository = this.git.repositoryOf(uri);
    if (repository === undefined) {
      throw new UserError(t('This file does not belong to an open Git repository.'));
    }
    const document = vscode.workspace.textDocuments.find(
      (one) => one.uri.toString() === uri.toString(),
    );
    if (document?.isDirty === true) throw new UserError(t('Save the file first.'));
    const commit = commitOfLine(await repository.blame(uri), line);
    if (commit === undefined) throw new UserError(t('This line is not committed.'));
    return commit;
  }

  /** The commit in the repository that has it. Offers to fetch it. */
  private async find(given: string | undefined): Promise<Found | undefined> {
    if (given === undefined) return undefined;
    const sha = given.toLowerCase();
    if (!isCommit(sha)) {
      throw new UserError(t('The control plane does not say which commits were deployed.'));
    }
    const found = await this.held(sha);
    if (found !== undefined) return found;
    const { current, repositories } = this.git;
    const repository = current ?? repositories[0];
    if (repository === undefined || !(await isHere(repository, sha))) return undefined;
    return this.held(sha);
  }

  private async held(sha: string): Promise<Found | undefined> {
    for (const repository of this.git.repositories) {
      const hash = await repository.hashOf(sha);
      if (hash !== undefined) return { repository, sha: hash };
    }
    return undefined;
  }

  private async placesOf(
    { repository, sha }: Found,
    signal: AbortSignal,
  ): Promise<readonly CommitPlace[]> {
    const { store, context } = this.data;
    const own = this.branchState.repository === repository ? this.branchState.branch : undefined;
    const sources = own === undefined ? context.sources() : [own.source];
    await Promise.all(sources.map(({ id }) => lookUpEnvironments(this.data, id, signal)));
    const resources = sources
      .flatMap(({ id }) => store.read('resources', id).value?.resources ?? [])
      .filter(({ id, archivedAt }) => isUuid(id) && archivedAt === undefined)
      .slice(0, mostResources);
    signal.throwIfAborted();
    await store.refreshAll(
      resources.flatMap(({ id }) => (id === undefined ? [] : { kind: 'deployments', id })),
    );
    signal.throwIfAborted();
    const deploymentsOf = ({ id }: Resource) =>
      (id === undefined ? undefined : store.read('deployments', id).value?.deployments) ?? [];
    const places = await whereIsCommit(resources, deploymentsOf, sha, repository);
    // What is unknown is of another repository, unless that one is known to be deployed.
    return own === undefined ? places.filter(({ where }) => where.kind !== 'unknown') : places;
  }

  /** Lists the apps and jobs by environment; shows what changed with the deployment of the chosen one. */
  private async choose(
    sha: string,
    places: readonly CommitPlace[],
    lifetime: AbortSignal,
  ): Promise<boolean> {
    const texts = { t, counted, timeFormat: this.data.context.timeFormat };
    const items = placesByEnvironment(places, texts).flatMap((environment) => [
      { label: labelText(environment.name), kind: vscode.QuickPickItemKind.Separator },
      ...environment.places.map((place) => ({
        label: labelText(nameOfPlace(place)),
        description: labelText(placeText(place, texts)),
        iconPath: new vscode.ThemeIcon(iconOfPlace[place.where.kind]),
        place,
      })),
    ]);
    const chosen = await pickOne<vscode.QuickPickItem & { readonly place?: CommitPlace }>(
      items,
      {
        title: t('Where Is {0}?', shortSha(sha) ?? ''),
        placeHolder: labelText(whereaboutsText(places, texts)),
      },
      lifetime,
    );
    const { resource, deployment } = chosen?.place ?? {};
    if (resource?.id !== undefined && deployment?.id !== undefined) {
      const target = { resourceId: resource.id, deploymentId: deployment.id };
      await vscode.commands.executeCommand(commands.whatChanged, target);
    }
    return true;
  }
}

/** The selected hash, or the one at the cursor. */
function hashAtCursor(): string | undefined {
  const { document, selection } = vscode.window.activeTextEditor ?? {};
  if (document === undefined || selection === undefined) return undefined;
  const { line, character } = selection.active;
  return hashAt(document.lineAt(line).text, character);
}
