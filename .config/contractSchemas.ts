/** The schemas of the contract, and which of them are held strictly and which read leniently. */
import contract from '../src/api/openapi.json';

export type Schema = Record<string, unknown>;
interface Operation {
  operationId: string;
  parameters?: Parameter[];
}
interface Parameter {
  name: string;
  required: boolean;
  schema: Schema;
}

export const schemas: Record<string, Schema> = contract.components.schemas;
/** What references to schemas begin with. */
export const prefix = '#/components/schemas/';

/**
 * Requests before they leave, and errors when they arrive. A log page that is whole is taken as it is;
 * any other is read by src/api/readLogPage.ts.
 */
export const strict = [
  'LogPage',
  'LogQueryResponse',
  'LogQueryRequest',
  'LogTailRequest',
  'CleanupRequest',
  'ErrorResponse',
];
/** Every other response. */
export const lenient = [
  'Localization',
  'CleanupResponse',
  'OperationResponse',
  'Operation',
  'AlertListing',
  'ResourceListing',
  'SecretListing',
  'DeploymentListing',
  'RepositoryListing',
  'IntegrationListing',
  'SyncResponse',
  'PreviewReportingResponse',
];

/** One object schema for the path, query and header parameters of each operation. */
export function parameterSchemas(): Record<string, Schema> {
  const result: Record<string, Schema> = {};
  const paths: Record<string, Record<string, Operation>> = contract.paths;
  for (const methods of Object.values(paths)) {
    for (const operation of Object.values(methods)) {
      const parameters = operation.parameters ?? [];
      if (parameters.length === 0) continue;
      result[`parameters_${operation.operationId}`] = {
        type: 'object',
        additionalProperties: false,
        required: parameters.filter((one) => one.required).map((one) => one.name),
        properties: Object.fromEntries(parameters.map((one) => [one.name, one.schema])),
      };
    }
  }
  return result;
}
