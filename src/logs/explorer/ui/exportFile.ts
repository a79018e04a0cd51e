import type { FileHandle } from 'node:fs/promises';
import * as vscode from 'vscode';
import { nodeFiles, ownerOnly } from '../../../vscode/extensionHost';
import type { ExportSink } from '../writeExport';

/**
 * The maximum size in bytes of a file that must be written in one piece: it is in memory twice, here and
 * in the editor.
 */
export const heldLimit = 128 * 1024 * 1024;

/**
 * Opens a file for writing in pieces. On the local disk, Node.js appends to the file. Other file systems
 * can only write whole files, so the file is collected in memory.
 *
 * @throws if it cannot be opened.
 */
export async function openExportFile(uri: vscode.Uri, limit = heldLimit): Promise<ExportSink> {
  const files = nodeFiles(uri);
  return files ? appended(await files.open(uri.fsPath, 'w', ownerOnly)) : held(uri, limit);
}

function appended(file: FileHandle): ExportSink {
  return {
    async write(text) {
      try {
        await file.appendFile(text);
      } catch (error) {
        await file.close();
        throw error;
      }
      return true;
    },
    async end(text) {
      try {
        await file.appendFile(text);
      } finally {
        await file.close();
      }
    },
  };
}

function held(uri: vscode.Uri, limit: number): ExportSink {
  // Unlike an array, browsers can store these on disk.
  const pieces: Blob[] = [];
  let bytes = 0;
  const add = (piece: Blob): void => {
    bytes += piece.size;
    pieces.push(piece);
  };
  return {
    write(text) {
      const piece = new Blob([text]);
      const hasRoom = bytes + piece.size <= limit;
      if (hasRoom) add(piece);
      return Promise.resolve(hasRoom);
    },
    async end(text) {
      add(new Blob([text]));
      const whole = await new Blob(pieces).arrayBuffer();
      await vscode.workspace.fs.writeFile(uri, new Uint8Array(whole));
    },
  };
}
