import type { LogRecord } from '../../api/types';

/** What there is of a record to be shown, besides what it says itself. */
export interface RecordOffers {
  readonly hasTrace: boolean;
  /** Whether its container can be asked for, which its surroundings are. */
  readonly hasContext: boolean;
  readonly hasDeployment: boolean;
  readonly hasResource: boolean;
}

/** As the contract's filters take them; held here for every row, since its validators take far longer. */
const traceId = /^(?!0{32})[0-9a-f]{32}$/;
const containerId = /^[0-9a-f]{64}$/;

/** What can be asked for of a record: a server may leave it out, or send what it does not take back. */
export function offersOf(record: LogRecord): RecordOffers {
  return {
    hasTrace: record.traceId !== null && traceId.test(record.traceId),
    hasContext: containerId.test(record.containerId),
    hasDeployment: record.deploymentId !== null && record.deploymentId !== '',
    hasResource: record.workloadId !== '',
  };
}
