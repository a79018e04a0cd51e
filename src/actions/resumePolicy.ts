import { isUnsettled, type Entry } from './entries';

/** Whether somebody who opens the connection goes on with an entry that nobody works on. */
export function isResumable(entry: Entry): boolean {
  return isUnsettled(entry) || isAskedAgain(entry) || isSignedOut(entry);
}

/** Whether a person has to say how it goes on: that is to be asked in one window alone. */
export function isAskedAbout({ kind, progress }: Entry): boolean {
  return kind === 'cleanUp' && (progress.kind === 'sending' || progress.kind === 'unknown');
}

/** A clean-up that was interrupted, and of which nobody has said what is to become. */
function isAskedAgain({ kind, progress }: Entry): boolean {
  return kind === 'cleanUp' && progress.kind === 'unknown' && progress.why === 'interrupted';
}

/** Whether watching ended for want of a key, and whoever opens a connection has one. */
export function isSignedOut(entry: Entry): boolean {
  const { progress } = entry;
  if (progress.kind !== 'left' || progress.why !== 'failed' || !canWatchAgain(entry)) return false;
  return progress.problem?.kind === 'signedOut' || progress.problem?.status === 401;
}

/** Whether there is something to watch that is not watched. */
export function canWatchAgain(entry: Entry): boolean {
  if (entry.progress.kind !== 'left') return false;
  switch (entry.kind) {
    case 'cleanUp':
      return entry.operationId !== undefined;
    case 'sync':
      return entry.before !== undefined;
    case 'previewReporting':
      return false;
  }
}
