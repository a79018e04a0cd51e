import * as v from 'valibot';
import { storedMembers, storedNumber } from '../../activity/activityEntry';
import { type ActionKind, durationHere } from '../../activity/entryKind';
import type { Runner, RunSignals } from '../../activity/runner';
import type { ControlPlaneClient } from '../../api/client';
import { operations } from '../../api/generated/operations';
import type { Clock } from '../../base/clock';
import { maybe } from '../../base/storedValue';
import { detailLines } from '../../trees/nodes';
import { plain, warning } from '../../trees/status';
import { sendAction } from '../sendAction';

const stored = v.pipe(
  v.object({
    ...storedMembers,
    kind: v.literal('reportingTrial'),
    failed: maybe(storedNumber),
  }),
  v.readonly(),
);

export type ReportingTrialEntry = v.InferOutput<typeof stored>;

/** Finds out whether previews can be reported to the code host. */
export const reportingTrialKind: ActionKind<ReportingTrialEntry, undefined> = {
  name: 'reportingTrial',
  schema: stored,
  request: {
    operation: operations.retryPreviewReporting,
    lacksText: (t) =>
      t(
        'Trying the reporting requires the permission {0}, which the API key does not have.',
        operations.retryPreviewReporting.permission,
      ),
    unknownText: (t) => t('no response, so it is unknown whether previews can be reported.'),
  },
  begin: () => ({ kind: 'reportingTrial', progress: { kind: 'sending' } }),
  runner: ({ client, clock, random }) => new ReportingTrialRunner(client, clock, random),
  title: (_entry, { t }) => t('Try preview reporting'),
  resultTitle: (_entry, t) => t('Trial of preview reporting – result'),
  words: ({ failed = 0 }, { t }) => (failed === 0 ? undefined : t('{0} failed', failed)),
  status: ({ failed = 0 }) =>
    failed > 0 ? warning('') : { ...plain('pass-filled', 'testing.iconPassed'), rank: 1 },
  target: () => ({}),
  details: ({ failed }, { t }) => detailLines([[t('Failed'), failed]]),
  canWatch: () => false,
  duration: durationHere,
};

class ReportingTrialRunner implements Runner<ReportingTrialEntry> {
  constructor(
    private readonly client: Pick<ControlPlaneClient, 'retryPreviewReporting'>,
    private readonly clock: Clock,
    private readonly random: () => number,
  ) {}

  async run(entry: ReportingTrialEntry, signals: RunSignals): Promise<ReportingTrialEntry> {
    if (entry.progress.kind !== 'sending') return entry;
    const sent = await sendAction(
      operations.retryPreviewReporting.retry,
      (options) => this.client.retryPreviewReporting({}, options),
      { ...signals, clock: this.clock, random: this.random },
    );
    if (sent.kind === 'failed') return { ...entry, progress: sent.progress };
    return { ...entry, progress: { kind: 'over' }, failed: sent.answer.failed ?? 0 };
  }
}
