import * as vscode from 'vscode';
import type * as Extension from './extension';

const files = ['./extension.js', './chunk.js', './features.js'];

let extension: typeof Extension | undefined;

/**
 * Starts the extension in the web worker host, which loads only one file of an extension: this one loads
 * the others in the same way.
 */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const folder = vscode.Uri.joinPath(context.extensionUri, 'dist');
  const sources = files.map(async (name) => {
    const file = vscode.Uri.joinPath(folder, name);
    const source = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
    // The name of the file in stack traces and the debugger.
    return [name, `${source}\n//# sourceURL=${file.toString(true)}`] as const;
  });
  const load = createRequire(new Map(await Promise.all(sources)));
  extension = load('./extension.js') as typeof Extension;
  return extension.activate(context);
}

export function deactivate(): Promise<void> | undefined {
  return extension?.deactivate();
}

/** Evaluates each of these CommonJS modules when it is first required. */
function createRequire(sources: ReadonlyMap<string, string>): (name: string) => unknown {
  const modules = new Map<string, { exports: unknown }>();
  return function require(name) {
    if (name === 'vscode') return vscode;
    const source = sources.get(name);
    if (source === undefined) throw new Error(`There is no module ${name}.`);
    let module = modules.get(name);
    if (module === undefined) {
      module = { exports: {} };
      modules.set(name, module);
      // eslint-disable-next-line @typescript-eslint/no-implied-eval -- as the host evaluates this file
      const evaluate = new Function('module', 'exports', 'require', source);
      Reflect.apply(evaluate, undefined, [module, module.exports, require]);
    }
    return module.exports;
  };
}
