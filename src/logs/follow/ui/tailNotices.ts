import * as vscode from 'vscode';
import { createTailNews } from '../stateNotifier';
import { announce } from '../../../vscode/announce';
import { systemClock } from '../../../vscode/clock';
import type { LogFollowing } from './following';
import { tailSentence } from './tailText';

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
