import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { temporaryFolder } from './processes';

/** The scheme of the files that are on no disk. */
export const memoryScheme = 'memory';

/**
 * An extension with files of its own, as of a repository that is nowhere checked out; runs in either
 * host. Returns its folder.
 *
 * @param files their texts by their paths, such as `/shop/src/a.ts`.
 */
export async function memoryFiles(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = path.join(await temporaryFolder('memory'), 'extension');
  await mkdir(folder);
  const manifest = {
    name: 'memory-files',
    publisher: 'control-plane',
    version: '0.0.1',
    engines: { vscode: '^1.103.0' },
    main: './extension.js',
    browser: './extension.js',
    activationEvents: [`onFileSystem:${memoryScheme}`],
    capabilities: { untrustedWorkspaces: { supported: true }, virtualWorkspaces: true },
  };
  await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(
    path.join(folder, 'extension.js'),
    `const files = new Map(${JSON.stringify(Object.entries(files))});\n${provider}`,
  );
  return folder;
}

/** Plain JavaScript: VS Code loads it as it is. */
const provider = `
const vscode = require('vscode');
exports.activate = (context) => {
  const changes = new vscode.EventEmitter();
  const below = (folder) => (folder.endsWith('/') ? folder : folder + '/');
  const isFolder = (name) => [...files.keys()].some((file) => file.startsWith(below(name)));
  const missing = (uri) => vscode.FileSystemError.FileNotFound(uri);
  const bytes = new TextEncoder();
  context.subscriptions.push(
    vscode.workspace.registerFileSystemProvider('${memoryScheme}', {
      onDidChangeFile: changes.event,
      watch: () => new vscode.Disposable(() => undefined),
      stat(uri) {
        const text = files.get(uri.path);
        if (text === undefined && !isFolder(uri.path)) throw missing(uri);
        const type = text === undefined ? vscode.FileType.Directory : vscode.FileType.File;
        return { type, ctime: 0, mtime: 0, size: bytes.encode(text ?? '').length };
      },
      readDirectory(uri) {
        if (!isFolder(uri.path)) throw missing(uri);
        const names = [...files.keys()]
          .filter((file) => file.startsWith(below(uri.path)))
          .map((file) => file.slice(below(uri.path).length).split('/'));
        return [...new Map(names.map(([name, ...rest]) => [
          name,
          rest.length > 0 ? vscode.FileType.Directory : vscode.FileType.File,
        ]))];
      },
      readFile(uri) {
        const text = files.get(uri.path);
        if (text === undefined) throw missing(uri);
        return bytes.encode(text);
      },
      writeFile(uri, content) {
        const type = files.has(uri.path)
          ? vscode.FileChangeType.Changed
          : vscode.FileChangeType.Created;
        files.set(uri.path, new TextDecoder().decode(content));
        changes.fire([{ type, uri }]);
      },
      createDirectory() {},
      delete: (uri) => void files.delete(uri.path),
      rename() {
        throw vscode.FileSystemError.NoPermissions();
      },
    }),
  );
};
`;
