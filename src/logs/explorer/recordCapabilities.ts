import type { LogRecord } from '../../api/types';
import { hasSurroundings } from './around';

/** What there is of a record to be shown, besides what it says itself. */
export interface RecordOffers {
  readonly hasTrace: boolean;
  /** Whether its surroundings can be asked for: its container, around its time. */
  readonly hasContext: boolean;
  readonly hasDeployment: boolean;
  readonly hasResource: boolean;
}

/** As the contract's filters take it; held here for every row, since its validators take far longer. */
const traceId = /^(?!0{32})[0-9a-f]{32}$/;

/** What can be asked for of a record: a server may leave it out, or send what it does not take back. */
export function offersOf(record: LogRecord): RecordOffers {
  return {
    hasTrace: record.traceId !== null && traceId.test(record.traceId),
    hasContext: hasSurroundings(record),
    hasDeployment: record.deploymentId !== null && record.deploymentId !== '',
    hasResource: record.workloadId !== '',
  };
}
