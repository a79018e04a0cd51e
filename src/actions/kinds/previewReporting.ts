import type { ControlPlaneClient } from '../../api/client';
import type { Clock } from '../../base/clock';
import type { PreviewReportingEntry } from '../../activity/activityEntry';
import type { NewEntry, Runner, RunSignals } from '../../activity/runner';
import { sendAction } from '../sendAction';

/**
 * Sends the request once. It is never sent again automatically, and the API has no way to look it up: without
 * a response its outcome stays unknown.
 */
export class PreviewReportingRunner implements Runner<'previewReporting'> {
  constructor(
    private readonly client: Pick<ControlPlaneClient, 'retryPreviewReporting'>,
    private readonly clock: Clock,
    private readonly random: () => number,
  ) {}

  begin(): NewEntry<'previewReporting'> {
    return { kind: 'previewReporting', progress: { kind: 'sending' } };
  }

  async run(entry: PreviewReportingEntry, signals: RunSignals): Promise<PreviewReportingEntry> {
    if (entry.progress.kind !== 'sending') return entry;
    const sent = await sendAction(
      'unsafe',
      (options) => this.client.retryPreviewReporting(options),
      { ...signals, clock: this.clock, random: this.random },
    );
    if (sent.kind === 'failed') return { ...entry, progress: sent.progress };
    const { attempted, succeeded, failed } = sent.answer;
    return {
      ...entry,
      progress: { kind: 'over' },
      ...(attempted === undefined ? {} : { attempted }),
      ...(succeeded === undefined ? {} : { succeeded }),
      ...(failed === undefined ? {} : { failed }),
    };
  }
}
