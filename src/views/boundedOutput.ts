import type * as vscode from 'vscode';
import { loaded, logTexts, renewed, type TextOutput } from './textOutput';

/**
 * Bytes after which the channel is renewed. VS Code begins the file behind a channel again at 30 MiB,
 * and counts on as if it had not: from then on, clearing or replacing leaves nothing to be seen, ever.
 */
const fileBytes = 28 * 1024 * 1024;

/**
 * An output channel for the Node host, for as much text as may come.
 *
 * @param open makes a new, empty channel.
 * @param wholeText everything that the channel should show, what was appended last included.
 * @param fileLimit bytes after which the channel is renewed.
 */
export function createBoundedOutput(
  open: () => vscode.OutputChannel,
  wholeText: () => string,
  fileLimit = fileBytes,
): TextOutput {
  const encoder = new TextEncoder();
  let channel = open();
  /** In the file, and how much of it was there when the channel was new. */
  let written = 0;
  let atFirst = 0;
  /** VS Code loads what the channel has, which must stay in its place until then. */
  let isLoading = false;
  /** The file is full and the next one waits for that: it will have what comes meanwhile. */
  let isBehind = false;
  let isDisposed = false;

  const waitFor = async (loading: Promise<void>): Promise<void> => {
    isLoading = true;
    await loading;
    isLoading = false;
    if (isBehind && !isDisposed) renew(wholeText());
  };

  function renew(text: string): void {
    const renewal = renewed(channel, open, text);
    channel = renewal.channel;
    written = encoder.encode(text).length;
    atFirst = written;
    isBehind = false;
    void waitFor(renewal.settled);
  }

  function renewWhenLoaded(text: () => string): void {
    if (isLoading) isBehind = true;
    else renew(text());
  }

  return {
    append(text) {
      if (isBehind) return;
      const bytes = encoder.encode(text).length;
      // Where all that is shown is nearly as much as the file may hold, it is not written every time.
      if (written + bytes > fileLimit && written - atFirst >= fileLimit / 2) {
        renewWhenLoaded(wholeText);
        return;
      }
      channel.append(text);
      written += bytes;
    },
    replace(text) {
      if (isBehind) return;
      const bytes = encoder.encode(text).length;
      if (written + bytes > fileLimit) {
        renewWhenLoaded(() => text);
        return;
      }
      channel.replace(text);
      written += bytes;
    },
    clear() {
      if (written > fileLimit) renewWhenLoaded(() => '');
      else channel.clear();
    },
    show(preserveFocus) {
      if (!isLoading && logTexts().length === 0) void waitFor(loaded());
      channel.show(preserveFocus);
    },
    dispose() {
      isDisposed = true;
      channel.dispose();
    },
  };
}
