import type { ApiSettings } from './client';
import { InvalidRequestError, localizableMessage } from './errors';

/** Builds URLs with the path segments and parameter names that the settings have for this server. */
interface UrlBuilder {
  /** The path below `/v1/api` for a path template of the contract, with its parameters filled in. */
  readonly path: (template: string, parameters: Readonly<Record<string, unknown>>) => string;
  /** The query string. The parameters have their names in the contract. */
  readonly query: (parameters: Readonly<Record<string, unknown>>) => string;
}

/** The parameters whose names in the contract are only examples, and their settings. */
const parameterSettings: Readonly<Record<string, keyof ApiSettings['parameters']>> = {
  deployableId: 'alertsDeployable',
  environment: 'secretsEnvironment',
  search: 'repositoriesSearch',
  page: 'repositoriesPage',
};

const setting = 'controlPlane.api';

export function createUrlBuilder({ segments, parameters, operationPath }: ApiSettings): UrlBuilder {
  /** The paths that are only examples in the contract. */
  const configuredPaths: Readonly<Record<string, () => string>> = {
    '/servers/{serverId}/monitor-alerts': () =>
      `/servers/{serverId}/${segment(`${setting}.segments.monitorAlerts`, segments.monitorAlerts)}`,
    '/codehost-b/repositories': () =>
      `/${segment(`${setting}.segments.repositories`, segments.repositories)}/repositories`,
    '/codehost-a/actions/retry-preview-reporting': () =>
      `/${segment(`${setting}.segments.previewReporting`, segments.previewReporting)}/actions/retry-preview-reporting`,
    '/operations/{operationId}': () => operationTemplate(`${setting}.operationPath`, operationPath),
  };
  function nameOf(parameter: string): string {
    const key = parameterSettings[parameter];
    if (key === undefined) return parameter;
    if (parameters[key] !== '') return parameters[key];
    throw new InvalidRequestError(
      `${setting}.parameters.${key}`,
      localizableMessage('is empty'),
      localizableMessage('at least 1 character'),
    );
  }

  return {
    path(template, values) {
      return (configuredPaths[template]?.() ?? template).replace(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(String(values[name])),
      );
    },
    query(values) {
      return Object.entries(values)
        .filter(([, value]) => value !== undefined)
        .map(
          ([name, value]) =>
            `${encodeURIComponent(nameOf(name))}=${encodeURIComponent(String(value))}`,
        )
        .join('&');
    },
  };
}

/** @throws InvalidRequestError if the value of a setting is not a single path segment. */
function segment(setting: string, value: string): string {
  if (/^(?!\.{1,2}$)[\w.~!$'()*+,;=:@-]+$/.test(value)) return value;
  throw new InvalidRequestError(
    setting,
    localizableMessage('is not a single path segment'),
    localizableMessage('letters, digits, - . _ ~'),
  );
}

function operationTemplate(setting: string, value: string): string {
  const parts = value.split('/').slice(1);
  if (!value.startsWith('/') || !parts.includes('{operationId}')) {
    throw new InvalidRequestError(
      setting,
      localizableMessage('is not a path'),
      localizableMessage('such as {0}', '/operations/{operationId}'),
    );
  }
  return parts
    .map((part) => `/${part === '{operationId}' ? part : segment(setting, part)}`)
    .join('');
}
