import * as vscode from 'vscode';
import { createTailNews } from '../logs/tail/news';
import { announce } from '../platform/announce';
import { systemClock } from '../platform/clock';
import type { LogFollowing } from '../platform/following';
import { tailSentence } from '../platform/tailWords';

/** Says in the status bar, for screen readers above all, that something followed waits or has failed. */
export function registerTailNews(following: LogFollowing): vscode.Disposable {
  const news = createTailNews({
    clock: systemClock,
    tell(key) {
      const followed = following.tails.find((one) => one.key === key);
      if (followed === undefined) return;
      const { kind } = followed.tail.state;
      const icon = kind === 'failed' ? 'error' : kind === 'live' ? 'broadcast' : 'sync';
      announce(tailSentence(followed, systemClock.monotonic()), icon);
    },
  });
  return vscode.Disposable.from(
    news,
    following.onDidChange(({ followed }) => news.changed(followed.key, followed.tail.state)),
  );
}
