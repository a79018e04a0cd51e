import type { ApiSettings } from './client';
import { InvalidRequestError, localizableMessage } from './errors';

/** Puts a request where the settings say that this server has it. */
export interface Address {
  /** The path below `/v1/api` for one of the contract, its parameters filled in. */
  readonly path: (template: string, parameters: Readonly<Record<string, unknown>>) => string;
  /** The query string for parameters by their names in the contract. */
  readonly query: (parameters: Readonly<Record<string, unknown>>) => string;
}

/** The parameters of which the contract's names are but examples, and where theirs are set. */
const parameterSettings: Readonly<Record<string, keyof ApiSettings['parameters']>> = {
  deployableId: 'alertsDeployable',
  environment: 'secretsEnvironment',
  search: 'repositoriesSearch',
  page: 'repositoriesPage',
};

const setting = 'controlPlane.api';

export function addressOf({ segments, parameters, operationPath }: ApiSettings): Address {
  /** Where the contract's own paths are but examples. */
  const moved: Readonly<Record<string, () => string>> = {
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
      return (moved[template]?.() ?? template).replace(/\{(\w+)\}/g, (_, name: string) =>
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

/** @throws InvalidRequestError where a text that a person set is not one part of a path. */
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
