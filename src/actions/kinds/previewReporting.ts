import * as v from 'valibot';
import { storedMembers, storedNumber } from '../../activity/activityEntry';
import { type ActionKind, durationHere } from '../../activity/entryKind';
import type { Runner, RunSignals } from '../../activity/runner';
import type { ControlPlaneClient } from '../../api/client';
import { operations } from '../../api/generated/operations';
import type { Clock } from '../../base/clock';
import { maybe } from '../../base/storedValue';
import { dotted } from '../../base/textFormat';
import { detailLines } from '../../trees/nodes';
import { plain, warning } from '../../trees/status';
import { sendAction } from '../sendAction';

const stored = v.pipe(
  v.object({
    ...storedMembers,
    kind: v.literal('previewReporting'),
    attempted: maybe(storedNumber),
    succeeded: maybe(storedNumber),
    failed: maybe(storedNumber),
  }),
  v.readonly(),
);

export type PreviewReportingEntry = v.InferOutput<typeof stored>;

/** Reports previews to the code host again. */
export const previewReportingKind: ActionKind<PreviewReportingEntry, undefined> = {
  name: 'previewReporting',
  schema: stored,
  request: {
    operation: operations.retryPreviewReporting,
    lacksText: (t) =>
      t(
        'Preview reporting requires the permission {0}, which the API key does not have.',
        operations.retryPreviewReporting.permission,
      ),
    unknownText: (t) =>
      t('no response, so the result is unknown. It is not sent again automatically.'),
  },
  begin: () => ({ kind: 'previewReporting', progress: { kind: 'sending' } }),
  runner: ({ client, clock, random }) => new PreviewReportingRunner(client, clock, random),
  title: (_entry, { t }) => t('Retry preview reporting'),
  resultTitle: (_entry, t) => t('Preview reporting – result'),
  words: ({ attempted, succeeded, failed }, { t }) =>
    dotted([
      attempted === undefined ? undefined : t('{0} attempted', attempted),
      succeeded === undefined ? undefined : t('{0} succeeded', succeeded),
      failed === undefined ? undefined : t('{0} failed', failed),
    ]),
  status: ({ failed = 0 }) =>
    failed > 0 ? warning('') : { ...plain('pass-filled', 'testing.iconPassed'), rank: 1 },
  target: () => ({}),
  details: ({ attempted, succeeded, failed }, { t }) =>
    detailLines([
      [t('Attempted'), attempted],
      [t('Succeeded'), succeeded],
      [t('Failed'), failed],
    ]),
  canWatch: () => false,
  duration: durationHere,
};

/**
 * Sends the request once. It is never sent again automatically, and the API has no way to look it up: without
 * a response its outcome stays unknown.
 */
class PreviewReportingRunner implements Runner<PreviewReportingEntry> {
  constructor(
    private readonly client: Pick<ControlPlaneClient, 'retryPreviewReporting'>,
    private readonly clock: Clock,
    private readonly random: () => number,
  ) {}

  async run(entry: PreviewReportingEntry, signals: RunSignals): Promise<PreviewReportingEntry> {
    if (entry.progress.kind !== 'sending') return entry;
    const sent = await sendAction(
      operations.retryPreviewReporting.retry,
      (options) => this.client.retryPreviewReporting({}, options),
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
