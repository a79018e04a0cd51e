import type * as vscode from 'vscode';
import { renewed, type TextOutput } from './textOutput';

/**
 * Bytes after which the channel is renewed. VS Code begins the file behind a channel again at 30 MiB,
 * and counts on as if it had not: from then on, clearing or replacing leaves nothing to be seen, ever.
 */
const fileLimit = 28 * 1024 * 1024;

/**
 * An output channel for the Node host, for as much text as may come.
 *
 * @param open makes a new, empty channel.
 * @param wholeText everything that the channel should show, what was appended last included.
 */
export function createBoundedOutput(
  open: () => vscode.OutputChannel,
  wholeText: () => string,
): TextOutput {
  const encoder = new TextEncoder();
  let channel = open();
  /** In the file, and how much of it was there when the channel was new. */
  let written = 0;
  let atFirst = 0;

  const renew = (text: string): void => {
    channel = renewed(channel, open, text);
    written = encoder.encode(text).length;
    atFirst = written;
  };

  return {
    append(text) {
      const bytes = encoder.encode(text).length;
      // Where all that is shown is nearly as much as the file may hold, it is not written every time.
      if (written + bytes > fileLimit && written - atFirst >= fileLimit / 2) {
        renew(wholeText());
        return;
      }
      channel.append(text);
      written += bytes;
    },
    replace(text) {
      const bytes = encoder.encode(text).length;
      if (written + bytes > fileLimit) {
        renew(text);
        return;
      }
      channel.replace(text);
      written += bytes;
    },
    clear() {
      if (written > fileLimit) renew('');
      else channel.clear();
    },
    show: (preserveFocus) => channel.show(preserveFocus),
    dispose: () => channel.dispose(),
  };
}
