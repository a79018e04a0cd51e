import * as vscode from 'vscode';
import type { BaseUrlProblem } from '../api/baseUrl';
import {
  ApiError,
  InvalidRequestError,
  type LocalizableMessage,
  networkProblem,
} from '../api/errors';
import { plainText } from '../base/untrustedText';

const { t } = vscode.l10n;

/** A problem that the user can solve: the message says how, in their language. */
export class UserError extends Error {}

/** A message in the user's language. */
export function errorText({ message, args }: LocalizableMessage): string {
  return t(message, ...args);
}

/** What happened, why, and what to do, for any error. */
export function describe(error: unknown): string {
  if (error instanceof ApiError) return describeApiError(error);
  if (error instanceof InvalidRequestError) {
    return t(
      'Not sent: {0} {1} (allowed: {2}).',
      error.field,
      plainText(errorText(error.problem)),
      errorText(error.limit),
    );
  }
  return plainText(error instanceof Error ? error.message : String(error));
}

function describeApiError(error: ApiError): string {
  // A tail reports an invalid request as if the server had refused it.
  if (error.cause instanceof InvalidRequestError) return describe(error.cause);
  switch (error.kind) {
    case 'signedOut':
      return t('You are signed out. Connect to continue.');
    case 'timeout':
      return error.code === 'silentStream'
        ? `${t('The log stream was silent and has been reopened. If you expect new logs, a proxy may hold them back: check the settings http.proxy and http.noProxy.')} (${plainText(error.message)})`
        : t(
            'The control plane did not respond in time. Check the network and the setting http.proxy, or increase controlPlane.api.timeoutSeconds.',
          );
    case 'redirect':
      return t(
        'The control plane responded with a redirect. Redirects are refused to protect the API key. Check the base URL.',
      );
    case 'protocol':
      return error.code === 'cursorStuck'
        ? t('The log stream repeats the same records.')
        : `${describeProtocolError(error)} ${t('Check that the base URL is that of a control plane.')}`;
    case 'network':
      return describeNetworkError(error);
    case 'http':
      return `${describeAnswer(error)} ${reference(error)}`;
  }
}

/** How an answer differs from the contract. */
function describeProtocolError({ code, message }: ApiError): string {
  switch (code) {
    case 'emptyAnswer':
      return t('The control plane sent an empty response.');
    case 'notJson':
      return t('The control plane sent a response that is not JSON.');
    case 'notEventStream':
      return t('The control plane sent a response that is not an event stream.');
    case 'tooLarge':
      return t('The control plane sent a response that is too large.');
    default:
      return t('Unexpected response from the control plane: {0}', plainText(message));
  }
}

function describeAnswer({ meaning, status = 0, isForReading, refusesOrigin }: ApiError): string {
  if (isForReading) {
    return t(
      'This API key may only read: the control plane refuses everything that is sent to it, also searches of logs. Connect with a key that may edit.',
    );
  }
  if (refusesOrigin) {
    return t(
      'The control plane does not allow requests from a browser: it refuses their origin. Use VS Code on the desktop or in a remote window.',
    );
  }
  switch (meaning) {
    case 'unknownKey':
      return t('The control plane does not accept this API key. Connect with a valid key.');
    case 'missingPermission':
      return t(
        'The control plane does not allow this. To see what the API key may do, run “Check Connection and Permissions”.',
      );
    case 'notFound':
      return t('The control plane did not find this.');
    case 'rateLimited':
      return t('Too many requests. The control plane asks you to wait.');
    case 'serverFailed':
      return t('The control plane failed with status {0}. Try again later.', status);
    default:
      return status === 407
        ? t('A proxy requires you to sign in. Check the setting http.proxy.')
        : t('The control plane refused the request with status {0}.', status === 0 ? '?' : status);
  }
}

/** Why a key that was just typed is refused: once, since the control plane says the same in its words. */
export function describeRefusedKey(error: ApiError): string {
  return `${t('The control plane does not accept this API key. Check that you copied all of it.')} ${ids(error)}`;
}

/** The server's message, code and request id. */
function reference(error: ApiError): string {
  return `${t('The control plane says: {0}', plainText(error.message))} ${ids(error)}`;
}

/** The server's code and request id. */
function ids({ code, requestId }: ApiError): string {
  const request = requestId === undefined ? [] : [t('request {0}', plainText(requestId, 80))];
  return `(${[plainText(code, 80), ...request].join(', ')})`;
}

function describeNetworkError(error: ApiError): string {
  switch (networkProblem(error)) {
    case 'refused':
      return t(
        'Connection refused. Check that the control plane is running and that the host and port of the base URL are correct.',
      );
    case 'dns':
      return t('The host of the control plane was not found. Check the base URL and the network.');
    case 'noTls':
      return t(
        'There is no TLS on this port: what answers there does not use https. Check the scheme and the port of the base URL.',
      );
    case 'certificate':
      return t(
        'The certificate of the control plane is not trusted. If your organization uses its own authority, check the setting http.systemCertificates.',
      );
    case 'certificateExpired':
      return t(
        'The certificate of the control plane has expired or is not valid yet. Renew it, and check the clock of this computer. If the certificate belongs to a proxy, check the setting http.proxy.',
      );
    case 'certificateHost':
      return t(
        'The certificate was issued for another host than that of the base URL. Check the base URL. If the certificate belongs to a proxy, check the setting http.proxy.',
      );
    case 'proxy':
      return t(
        'The proxy prevents the connection. Check the settings http.proxy and http.proxySupport.',
      );
    case 'cors':
      return t(
        'The control plane can be reached but does not allow requests from a browser (CORS). Use VS Code on the desktop or in a remote window.',
      );
    case 'offline':
      return t('This computer is not connected to a network.');
    case 'reset':
      return t('The connection to the control plane was interrupted. Try again.');
    case 'unreachable':
    case 'unknown':
    case undefined:
      return `${t('The control plane cannot be reached. Check the network and the base URL.')} (${plainText(error.message)})`;
  }
}

/** Why a base URL is not accepted, and what to enter instead. */
export function describeBaseUrlProblem(problem: BaseUrlProblem): string {
  switch (problem) {
    case 'empty':
      return t('Enter the URL of the control plane, such as https://control-plane.example.com');
    case 'notUrl':
      return t('Enter a valid URL, such as https://control-plane.example.com');
    case 'scheme':
      return t('The URL must start with https://');
    case 'httpNotLoopback':
      return t(
        'Use https. http is allowed on this computer only (localhost, 127.0.0.1), because it does not protect the API key.',
      );
    case 'userInfo':
      return t('Remove the user name and password. You enter the API key in the next step.');
    case 'trailingDot':
      return t('Remove the dot at the end of the host.');
    case 'blockedPort':
      return t(
        'Use another port. This one belongs to another protocol, and VS Code does not connect to it.',
      );
    case 'query':
      return t('Remove the question mark and everything after it.');
    case 'fragment':
      return t('Remove the # and everything after it.');
  }
}
