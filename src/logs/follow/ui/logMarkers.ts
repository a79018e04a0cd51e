import * as vscode from 'vscode';
import type { Marker } from '../../record/format';
import type { FollowedTail } from '../tailManager';
import type { TailOutput } from '../types';
import type { TailChange } from './following';
import { counted } from '../../../vscode/numbers';
import { explanation } from './tailText';

const { t } = vscode.l10n;

function marker(level: Marker['level'], text: string): Marker {
  return { timestamp: new Date().toISOString(), level, text };
}

/** The line for something that the stream itself cannot say. */
export function outputMarker(
  { label }: FollowedTail,
  output: Exclude<TailOutput, { kind: 'records' }>,
): Marker {
  switch (output.kind) {
    case 'gap':
      return marker(
        'warning',
        output.since === undefined
          ? t('Gap while following {0}: the position was lost; lines may be missing here.', label)
          : t(
              'Gap while following {0}: the position was lost; lines after {1} may be missing.',
              label,
              output.since,
            ),
      );
    case 'leftOut':
      return marker(
        'warning',
        counted(
          output.count,
          '{0} line of {1} left out: it came faster than it could be shown.',
          '{0} lines of {1} left out: they came faster than they could be shown.',
          label,
        ),
      );
    case 'partial':
      return marker(
        'warning',
        t('Following {0}: the control plane says that it left something out here.', label),
      );
    case 'accessChanged':
      return marker('info', t('Following {0}: what the API key may see has changed here.', label));
  }
}

/**
 * The line for a change of state that a reader of the log must know of: a start, an end, a failure.
 * Reconnects, pauses and waits are for the status bar alone.
 */
export function changeMarker({ followed, previous, listChanged }: TailChange): Marker | undefined {
  const { label, tail } = followed;
  const { state } = tail;
  if (previous?.kind === state.kind) return undefined;
  switch (state.kind) {
    case 'connecting':
      return previous === undefined || previous.kind === 'stopped' || previous.kind === 'failed'
        ? marker('info', t('Following {0}.', label))
        : undefined;
    case 'stopped':
      return listChanged ? undefined : marker('info', t('Stopped following {0}.', label));
    case 'failed':
      return marker('error', t('Following {0} ended. {1}', label, explanation(state) ?? ''));
    default:
      return undefined;
  }
}
