import * as vscode from 'vscode';
import type { Commit } from '../../../commits/commitRange';
import { linesIn } from '../../../commits/lineMapping';
import { findSuspects, type SuspectReader } from '../../../commits/suspectSearch';
import type { Git } from '../../../commits/ui/git';
import type { GitRepository } from '../../../commits/ui/gitRepository';
import type { ConnectionData } from '../../../data/ui/connectionData';
import { systemClock } from '../../../vscode/clock';
import { type ErrorKind, titleOf } from '../errorKind';
import { newSince, Suspects, type Suspicion } from '../suspects';

/** Larger files are not read, in bytes. */
const maxBytes = 2 * 1024 * 1024;
/** How many lines of the stack are looked at, and how many answers of Git are kept. */
const mostPlaces = 8;
const mostAnswers = 1000;

/** Searches in the repository of the first file of the stack. Without Git, nothing is found. */
export function createSuspects(git: Git, { context }: ConnectionData): Suspects {
  let reader: { readonly repository: GitRepository; readonly git: RememberedGit } | undefined;

  async function find(kind: ErrorKind, signal: AbortSignal): Promise<Suspicion | undefined> {
    const since = newSince(kind, context);
    const [first] = kind.spots;
    const repository = first && git.repositoryOf(vscode.Uri.parse(first.file, true));
    if (since === undefined || repository === undefined) return undefined;
    if (reader?.repository !== repository) {
      reader = { repository, git: new RememberedGit(repository) };
    }
    const { before, now, pair } = since;
    const places = kind.spots
      .filter(({ deploymentId }) => deploymentId === pair.deployment.id)
      .filter(({ file }) => git.repositoryOf(vscode.Uri.parse(file, true)) === repository)
      .slice(0, mostPlaces);
    const question = { before, now, message: titleOf(kind), places };
    return findSuspects(reader.git, question, signal);
  }

  return new Suspects(find, systemClock);
}

/** A repository whose answers stay: a commit does not change, and each answer takes a process. */
class RememberedGit implements SuspectReader {
  private readonly answers = new Map<string, Promise<unknown>>();

  constructor(private readonly repository: GitRepository) {}

  hashOf(sha: string): Promise<string | undefined> {
    return this.repository.hashOf(sha);
  }

  commitsOfFile(from: string, to: string, file: string): Promise<readonly Commit[]> {
    return this.remember(`log ${from} ${to} ${file}`, () =>
      this.repository.commitsBetween(from, to, vscode.Uri.parse(file, true)),
    );
  }

  patchOf(parent: string, sha: string, file: string): Promise<string> {
    return this.remember(`diff ${sha} ${file}`, () =>
      this.repository.patchOf(parent, sha, vscode.Uri.parse(file, true)),
    );
  }

  linesAt(sha: string, file: string): Promise<readonly string[]> {
    return this.remember(`show ${sha} ${file}`, async () => {
      const text = await this.repository.textAt(sha, vscode.Uri.parse(file, true), maxBytes);
      return text === undefined ? [] : linesIn(text);
    });
  }

  private async remember<T>(question: string, ask: () => Promise<T>): Promise<T> {
    // Its key says which type the answer has.
    const known = this.answers.get(question) as Promise<T> | undefined;
    if (known !== undefined) return known;
    if (this.answers.size >= mostAnswers) this.answers.clear();
    const answer = ask();
    this.answers.set(question, answer);
    answer.catch(() => this.answers.delete(question));
    return answer;
  }
}
