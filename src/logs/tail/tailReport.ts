import type { ApiError } from '../../api/errors';
import { joined } from '../../base/textFormat';
import { plainWord } from '../../connection/diagnosticsReport';
import type { Tail } from './tail';
import type { TailState } from './tailState';

/** Describes a tail for a bug report. Of server text it has only codes and request ids. */
export function tailReport({
  tail,
  rate,
}: {
  readonly tail: Pick<Tail, 'filter' | 'state' | 'counters'>;
  readonly rate: number;
}): string {
  const { received, streamed, read, dropped, repeated, connects } = tail.counters;
  const filters = Object.keys(tail.filter);
  return [
    stateInWords(tail.state),
    `filters: ${filters.length > 0 ? filters.join(', ') : 'none'}`,
    `${rate.toFixed(1)} lines/s`,
    `received ${received}, of those streamed ${streamed}`,
    `read ${read}, left out ${dropped}, repeated ${repeated}`,
    `connects ${connects}`,
  ].join(' · ');
}

function stateInWords(state: TailState): string {
  switch (state.kind) {
    case 'live':
      return state.silence === undefined ? 'live' : `live, silent (${errorIn(state.silence)})`;
    case 'paused':
      return `paused, ${state.newRecords} new`;
    case 'reconnecting':
      return state.why === undefined ? 'reconnecting' : `reconnecting (${errorIn(state.why)})`;
    case 'failed':
      return `failed: ${state.why.kind} (${errorIn(state.why.error)})`;
    case 'connecting':
    case 'rateLimited':
    case 'stopped':
      return state.kind;
  }
}

/** Never includes the message, because the server may have written it. */
function errorIn({ kind, code, status, requestId }: ApiError): string {
  return joined(
    [kind, plainWord(code), status?.toString(), requestId && plainWord(requestId)],
    ' ',
  );
}
