import * as vscode from 'vscode';
import { extensionId } from './contributions';

/**
 * What the build puts in place of `import()` for the web worker host, which loads one file and whose
 * `require` knows no other: reads another file of the extension and runs it as the host runs the
 * first. `shared` is all that such a file requires besides `vscode`.
 */
export async function importPart(file: string, shared: object): Promise<unknown> {
  const extension = vscode.extensions.getExtension(extensionId);
  if (extension === undefined) throw new Error(`There is no extension ${extensionId}.`);
  const uri = vscode.Uri.joinPath(extension.extensionUri, 'dist/web', file);
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  const module = { exports: {} };
  // The mark tells debuggers that a function is around the text.
  const source = `${text}\n//# sourceURL=${uri.toString(true)}#vscode-extension`;
  // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call -- our own file, and the only way
  new Function('module', 'exports', 'require', source)(module, module.exports, (id: string) =>
    id === 'vscode' ? vscode : shared,
  );
  return module.exports;
}
