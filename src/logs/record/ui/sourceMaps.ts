import * as vscode from 'vscode';
import { BoundedMap } from '../../../base/boundedMap';
import { getOrMake } from '../../../base/maps';
import { readTextFile } from '../../../vscode/textFiles';
import { type FilePlace, type OriginalPlace, SourceMap, sourceMapOf } from '../sourceMap';

/** Larger files and maps are not read, in bytes. */
const largestMap = 20 * 1024 * 1024;
/** How many maps are kept, and how many files that have none. */
const mostMaps = 8;
const mostWithout = 5000;

/** The source maps of files in the workspace. Each is read once, when a stack frame first needs it. */
export class SourceMaps {
  private readonly maps = new BoundedMap<string, Promise<SourceMap | undefined>>(mostMaps);
  private readonly without = new BoundedMap<string, true>(mostWithout);

  /** The place in the source of a generated file; undefined if there is no map, or if it does not say. */
  async originalOf(file: vscode.Uri, place: FilePlace): Promise<OriginalPlace | undefined> {
    const key = file.toString();
    if (this.without.has(key)) return undefined;
    const map = await getOrMake(this.maps, key, () => readMap(file));
    if (map !== undefined) return map.originalOf(place);
    this.maps.delete(key);
    this.without.set(key, true);
    return undefined;
  }

  /** Files may have changed. */
  forget(): void {
    this.maps.clear();
    this.without.clear();
  }
}

async function readMap(file: vscode.Uri): Promise<SourceMap | undefined> {
  const text = await readTextFile(file, largestMap);
  if (text === undefined) return undefined;
  try {
    const found = sourceMapOf(file.path, text);
    if ('json' in found) return new SourceMap(found.json, file.path);
    const map = vscode.Uri.joinPath(file, '..', found.path);
    // A map outside of the folder is nobody's business.
    const folder = vscode.workspace.getWorkspaceFolder(file);
    if (folder === undefined || vscode.workspace.getWorkspaceFolder(map) !== folder)
      return undefined;
    return new SourceMap((await readTextFile(map, largestMap)) ?? '', map.path);
  } catch {
    return undefined;
  }
}
