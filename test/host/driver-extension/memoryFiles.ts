import { existsSync, readFileSync } from 'node:fs';
import * as vscode from 'vscode';

/**
 * The scheme `memory`: files that are not on disk, as in a repository without a checkout. The JSON
 * file that `DCP_MEMORY_FILES` names has the initial files: texts by path.
 */
export function registerMemoryFiles(): vscode.Disposable {
  const source = process.env['DCP_MEMORY_FILES'] ?? '';
  const files = new Map<string, string>(
    existsSync(source)
      ? Object.entries(JSON.parse(readFileSync(source, 'utf8')) as Record<string, string>)
      : [],
  );
  const changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  const below = (folder: string): string => (folder.endsWith('/') ? folder : `${folder}/`);
  const isFolder = (name: string): boolean =>
    [...files.keys()].some((file) => file.startsWith(below(name)));
  const missing = (uri: vscode.Uri): Error => vscode.FileSystemError.FileNotFound(uri);
  const encoder = new TextEncoder();

  const registration = vscode.workspace.registerFileSystemProvider('memory', {
    onDidChangeFile: changes.event,
    watch: () => new vscode.Disposable(() => undefined),
    stat(uri) {
      const text = files.get(uri.path);
      if (text === undefined && !isFolder(uri.path)) throw missing(uri);
      const type = text === undefined ? vscode.FileType.Directory : vscode.FileType.File;
      return { type, ctime: 0, mtime: 0, size: encoder.encode(text ?? '').length };
    },
    readDirectory(uri) {
      if (!isFolder(uri.path)) throw missing(uri);
      const names = [...files.keys()]
        .filter((file) => file.startsWith(below(uri.path)))
        .map((file) => file.slice(below(uri.path).length).split('/'));
      const types = names.map(([name = '', ...rest]): [string, vscode.FileType] => [
        name,
        rest.length > 0 ? vscode.FileType.Directory : vscode.FileType.File,
      ]);
      return [...new Map(types)];
    },
    readFile(uri) {
      const text = files.get(uri.path);
      if (text === undefined) throw missing(uri);
      return encoder.encode(text);
    },
    writeFile(uri, content) {
      const type = files.has(uri.path)
        ? vscode.FileChangeType.Changed
        : vscode.FileChangeType.Created;
      files.set(uri.path, new TextDecoder().decode(content));
      changes.fire([{ type, uri }]);
    },
    createDirectory: () => undefined,
    delete: (uri) => void files.delete(uri.path),
    rename() {
      throw vscode.FileSystemError.NoPermissions();
    },
  });
  return vscode.Disposable.from(registration, changes);
}
