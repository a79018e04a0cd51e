import type { SeveritySource } from './shownSeverity';

/** How records are read, by the settings of the user. */
export interface RecordStyle {
  readonly severity: SeveritySource;
  /** Whether records that are one stack trace, or one line that was cut, are one entry. */
  readonly joinLines: boolean;
}

/** The default. */
export const usualStyle = (): RecordStyle => ({ severity: 'body', joinLines: true });
