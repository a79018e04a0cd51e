import type { FileHandle } from 'node:fs/promises';
import * as vscode from 'vscode';
import { nodeFiles, ownerOnly } from '../../../vscode/host';
import type { ExportSink } from '../writeExport';

/**
 * Bytes of a file that can only be written in one piece: it is held in memory until then, and the
 * editor holds it once more on its way to the disk.
 */
export const heldLimit = 128 * 1024 * 1024;

/**
 * Opens a file to be written piece by piece. What VS Code has for writing, which is all there is for
 * the files of a browser or of another extension, takes a file as a whole. Where the file is one of
 * this machine Node.js appends to it, so that memory does not grow with the file.
 *
 * @throws where it cannot be opened.
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
  // A browser may keep these on the disk, other than an array.
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
