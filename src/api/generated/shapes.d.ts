// Generated from src/api/openapi.json by `npm run generate`. Do not edit.
import type { components } from './schema';

/**
 * What a value should be: 's' text, 't' time as text, 'n' number, 'b' boolean, 'o' any object, '#Name' another
 * shape, one shape in brackets an array of it, an object its members.
 */
export type Shape = string | readonly [Shape] | { readonly [member: string]: Shape };

/** The schemas that are read leniently. */
export interface Lenient {
  Localization: components['schemas']['Localization'];
  CleanupResponse: components['schemas']['CleanupResponse'];
  OperationResponse: components['schemas']['OperationResponse'];
  Operation: components['schemas']['Operation'];
  AlertListing: components['schemas']['AlertListing'];
  ResourceListing: components['schemas']['ResourceListing'];
  SecretListing: components['schemas']['SecretListing'];
  DeploymentListing: components['schemas']['DeploymentListing'];
  RepositoryListing: components['schemas']['RepositoryListing'];
  IntegrationListing: components['schemas']['IntegrationListing'];
  SyncResponse: components['schemas']['SyncResponse'];
  PreviewReportingResponse: components['schemas']['PreviewReportingResponse'];
}

export const shapes: Readonly<Record<string, Shape>>;
