import * as vscode from 'vscode';
import type { Git } from '../../../commits/ui/git';
import type { ConnectionData } from '../../../data/ui/connectionData';
import type { RenamedFile, SourceFiles } from '../../record/ui/sourceFiles';
import type { DeployedCommits } from '../deployedCode';
import { createFrameReader } from '../errorPlaces';
import type { Errors } from './errors';

interface RenameServices {
  readonly errors: Pick<Errors, 'all' | 'onDidChange'>;
  readonly git: Pick<Git, 'repositories' | 'onDidChange'>;
  readonly data: Pick<ConnectionData, 'store'>;
  readonly files: Pick<SourceFiles, 'useRenamed'>;
}

/** The most commits that the files of today are compared with: those of the errors that are listed first. */
const mostCommits = 20;
/** Milliseconds from a change to its reading, so that a burst of changes causes one. */
const gatherFor = 500;

/**
 * Tells where the files are now that were renamed since the deployed commits of errors: stack frames have the
 * paths that were deployed.
 */
export function registerRenamedFiles(
  commits: Pick<DeployedCommits, 'commitOf' | 'load'>,
  { errors, git, data, files }: RenameServices,
): vscode.Disposable {
  const framesOf = createFrameReader();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isDisposed = false;

  /** The commits of errors. Loads those of errors whose files are not in the workspace: they may be renamed. */
  function deployedCommits(): readonly string[] {
    const records = errors.all.flatMap((kind) => kind.records);
    const lost = errors.all.filter(({ spots, last }) => {
      return spots.length === 0 && framesOf(last).length > 0;
    });
    commits.load(lost.flatMap((kind) => kind.records));
    const shas = new Set(records.flatMap((record) => commits.commitOf(record) ?? []));
    return [...shas].slice(0, mostCommits);
  }

  async function read(): Promise<void> {
    timer = undefined;
    const { repositories } = git;
    if (repositories.length === 0) return;
    const found = await Promise.all(
      deployedCommits().flatMap((sha) => repositories.map((one) => one.renamedSince(sha))),
    );
    const byPath = new Map<string, RenamedFile>();
    for (const file of found.flat()) byPath.set(file.from.toString(), file);
    if (isDisposed) return;
    files.useRenamed(
      [...byPath].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, file]) => file),
    );
  }

  function readSoon(): void {
    timer ??= setTimeout(() => void read(), gatherFor);
  }

  const subscription = data.store.onDidChange((change) => {
    if (change.kind === 'entry' && change.key.kind === 'deployments') readSoon();
  });
  return vscode.Disposable.from(
    errors.onDidChange(readSoon),
    git.onDidChange(readSoon),
    new vscode.Disposable(() => {
      isDisposed = true;
      clearTimeout(timer);
      subscription.dispose();
    }),
  );
}
