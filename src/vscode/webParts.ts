import * as vscode from 'vscode';
import { extensionId } from './contributions';

/** What a file of the extension may require, by the name that it requires it by. */
const loaded = new Map<string, unknown>([['vscode', vscode]]);

/**
 * What the build puts in place of `import()` for the web worker host, which loads one file and whose
 * `require` knows no other: reads another file of the extension and runs it as the host runs the
 * first. It may require the first part and those that were imported before it.
 */
export async function importPart(file: string, firstPart: object): Promise<unknown> {
  loaded.set('./extension.js', firstPart);
  const extension = vscode.extensions.getExtension(extensionId);
  if (extension === undefined) throw new Error(`There is no extension ${extensionId}.`);
  const uri = vscode.Uri.joinPath(extension.extensionUri, 'dist/web', file);
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  const module = { exports: {} };
  // The mark tells debuggers that a function is around the text.
  const source = `${text}\n//# sourceURL=${uri.toString(true)}#vscode-extension`;
  // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call -- our own file, and the only way
  new Function('module', 'exports', 'require', source)(module, module.exports, requireLoaded);
  loaded.set(file, module.exports);
  return module.exports;
}

function requireLoaded(file: string): unknown {
  if (!loaded.has(file)) throw new Error(`${file} is not loaded yet.`);
  return loaded.get(file);
}
