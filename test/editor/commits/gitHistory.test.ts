import { assert } from 'chai';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { type GitExtension, GitRepository } from '../../../src/commits/ui/gitRepository';
import { covers } from '../../unit/covers';
import { setRepository } from '../gitExtension';

describe('The history of a repository, with the Git extension', () => {
  const text = 'const one = 1;\nconst two = 2;\nconst three = 3;\nconst four = 4;\n';
  const shas: Record<'start' | 'renamed' | 'moved' | 'merge', string> = {
    ...{ start: '', renamed: '', moved: '', merge: '' },
  };
  const git = setRepository(async ({ code }) => {
    shas.start = await code.commit('größe.ts', text);
    await code.git('mv', 'größe.ts', 'size.ts');
    shas.renamed = await code.commit('size.ts', `${text}const five = 5;\n`);
    await code.git('checkout', '--quiet', '-b', 'feature');
    await code.commit('other.ts', 'export {};\n');
    await code.git('checkout', '--quiet', 'main');
    await code.git('merge', '--quiet', '--no-ff', '--message', 'Merge', 'feature');
    shas.merge = await code.git('rev-parse', 'HEAD');
    await mkdir(path.join(code.folder, 'src'));
    await code.git('mv', 'size.ts', 'src/size.ts');
    await code.git('commit', '--quiet', '--message', 'Move');
    shas.moved = await code.git('rev-parse', 'HEAD');
  });

  async function open(): Promise<GitRepository> {
    const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
    const api = (await extension!.activate()).getAPI(1);
    const repository = api.getRepository(vscode.Uri.file(git.code.folder));
    assert(repository);
    return new GitRepository(api, repository);
  }
  const fileOf = (repository: GitRepository, name: string): vscode.Uri =>
    vscode.Uri.joinPath(repository.root, name);

  it(`has all commits with their parents, and renames with what they changed ${covers('F104', 'editor')}`, async () => {
    const repository = await open();
    const all = await repository.allBetween(shas.start, shas.moved);
    assert.lengthOf(all, 4);
    assert.lengthOf(all.find(({ sha }) => sha === shas.merge)?.parents ?? [], 2);

    const [before, after, moved] = ['größe.ts', 'size.ts', 'src/size.ts'].map((name) =>
      fileOf(repository, name),
    ) as [vscode.Uri, vscode.Uri, vscode.Uri];
    assert.match(await repository.patchOf(shas.start, shas.renamed, after), /^new file mode /m);
    const rename = await repository.renameOf(shas.start, shas.renamed, after, 1000);
    assert.equal(rename?.from.toString(), before.toString());
    const changed = rename?.patch?.split('\n').filter((line) => /^[+-](?![+-])/.test(line));
    assert.deepEqual(changed, ['+const five = 5;']);
    const small = await repository.renameOf(shas.start, shas.renamed, after, 10);
    assert.deepEqual([small?.from.toString(), small?.patch], [before.toString(), undefined]);
    const pure = await repository.renameOf(shas.merge, shas.moved, moved, 1000);
    assert.deepEqual([pure?.from.toString(), pure?.patch], [after.toString(), '']);
    const other = fileOf(repository, 'other.ts');
    assert.isUndefined(await repository.renameOf(shas.renamed, shas.merge, other, 1000));

    assert.equal((await repository.pathAt(shas.renamed, moved))?.toString(), after.toString());
    assert.equal((await repository.pathAt(shas.moved, moved))?.toString(), moved.toString());
    assert.isUndefined(await repository.pathAt(shas.start, other));
  });

  it(`knows the commits to ignore, from the file at its root and the one that Git is set to ${covers('F104', 'editor')}`, async () => {
    const repository = await open();
    const { folder } = git.code;
    assert.isEmpty(await repository.ignoredCommits());
    await writeFile(path.join(folder, '.git-blame-ignore-revs'), `# Rename\n${shas.renamed}\n`);
    await writeFile(path.join(folder, 'src', 'formatting'), `${shas.moved}\n`);
    await git.code.git('config', 'blame.ignoreRevsFile', 'src/formatting');
    assert.sameMembers([...(await repository.ignoredCommits())], [shas.renamed, shas.moved]);
    // Nothing outside of the working tree is read.
    await writeFile(path.join(git.folder, 'outside'), `${shas.merge}\n`);
    for (const outside of ['../outside', path.join(git.folder, 'outside')]) {
      await git.code.git('config', 'blame.ignoreRevsFile', outside);
      assert.deepEqual([...(await repository.ignoredCommits())], [shas.renamed]);
    }
  });
});
