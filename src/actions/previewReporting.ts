import type { PreviewReportingEntry } from './entries';
import type { RunContext, Tracked } from './run';
import { sendAction } from './sendAction';

/** Sends the one request, and notes how many reports were tried, and how many of them went well. */
export async function runPreviewReporting(
  tracked: Tracked<PreviewReportingEntry>,
  context: RunContext,
): Promise<void> {
  const sent = await sendAction(
    'unsafe',
    (options) => context.client.retryPreviewReporting(options),
    context,
  );
  if (sent.kind === 'failed') {
    return tracked.set({ ...tracked.entry, progress: sent.progress });
  }
  const { attempted, succeeded, failed } = sent.answer;
  return tracked.set({
    ...tracked.entry,
    progress: { kind: 'over' },
    ...(attempted === undefined ? {} : { attempted }),
    ...(succeeded === undefined ? {} : { succeeded }),
    ...(failed === undefined ? {} : { failed }),
  });
}
