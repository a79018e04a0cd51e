import type { components } from './generated/schema';

type Schemas = components['schemas'];

export type LogRecord = Schemas['LogRecord'] & {
  /** The severity as the server sent it, if the contract does not have it and `severity` is unknown. */
  readonly severityText?: string;
};
/** A page of the stream. The query adds `localization`. */
export type LogPage = Omit<Schemas['LogPage'], 'records'> & { records: LogRecord[] };
export type LogQueryResponse = LogPage & { localization: Read<Schemas['Localization']> };
export type LogQueryRequest = Schemas['LogQueryRequest'];
export type LogQueryFilters = Schemas['LogQueryFilters'];
export type LogTailRequest = Schemas['LogTailRequest'];
export type LogTailFilters = Schemas['LogTailFilters'];
export type ConditionGroup = Schemas['ConditionGroup'];
export type Condition = Schemas['Condition'];
export type Severity = Schemas['Severity'];
/** Also of what a server may have beyond the contract. */
export type Permission = Schemas['Permission'] | Schemas['DescribedPermission'];

/** The type of a leniently read response: any member may be missing, but none is null. */
export type Read<T> = T extends readonly (infer Item)[]
  ? Read<NonNullable<Item>>[]
  : T extends object
    ? { [Member in keyof T]?: Read<NonNullable<T[Member]>> }
    : T;

export type Operation = Read<Schemas['Operation']>;
export type CleanupResponse = Read<Schemas['CleanupResponse']>;
export type AlertListing = Read<Schemas['AlertListing']>;
export type AlertRule = Read<Schemas['AlertRule']>;
export type ResourceListing = Read<Schemas['ResourceListing']>;
export type Resource = Read<Schemas['Resource']>;
export type SecretListing = Read<Schemas['SecretListing']>;
export type SecretBinding = Read<Schemas['SecretBinding']>;
export type DeploymentListing = Read<Schemas['DeploymentListing']>;
export type Deployment = Read<Schemas['Deployment']>;
export type RepositoryListing = Read<Schemas['RepositoryListing']>;
export type Repository = Read<Schemas['Repository']>;
export type Integration = Read<Schemas['Integration']>;
export type SourceListing = Read<Schemas['SourceListing']>;
export type ServerListing = Read<Schemas['ServerListing']>;
export type Environment = Read<Schemas['Environment']>;
export type Preview = Read<Schemas['Preview']>;
export type Orphan = Read<Schemas['Orphan']>;
export type SyncOutcome = Read<Schemas['SyncOutcome']>;
