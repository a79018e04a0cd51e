import * as vscode from 'vscode';
import type { BaseUrlProblem } from '../api/baseUrl';
import { ApiError, InvalidRequestError, type LocalizableMessage } from '../api/errors';
import { networkProblem } from '../api/networkProblem';
import { plainText } from '../text/plainText';

const { t } = vscode.l10n;

/** A message of a core in the language of the person. */
export function errorText({ message, args }: LocalizableMessage): string {
  return t(message, ...args);
}

/** What happened, why and what to do, for any error of the layers below. */
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
  // A tail fails as if the server had refused what was not even sent to it.
  if (error.cause instanceof InvalidRequestError) return describe(error.cause);
  switch (error.kind) {
    case 'signedOut':
      return t('You are signed out. Connect to go on.');
    case 'timeout':
      return error.code === 'silentStream'
        ? `${t('Nothing came over the log stream for a while, so it was opened again. If there are new logs, a proxy holds them back: check the settings http.proxy and http.noProxy.')} (${plainText(error.message)})`
        : t(
            'The control plane did not answer in time. Check the network and the setting http.proxy, or raise controlPlane.api.timeoutSeconds.',
          );
    case 'redirect':
      return t(
        'The control plane answered with a redirect, which is refused so that the API key goes nowhere else. Check the base URL.',
      );
    case 'protocol':
      return error.code === 'cursorStuck'
        ? t('The log stream leads nowhere: the same records come again and again.')
        : `${describeProtocolError(error)} ${t('Check that the base URL leads to a control plane.')}`;
    case 'network':
      return describeNetworkError(error);
    case 'http':
      return `${describeStatus(error.status)} ${reference(error)}`;
  }
}

/** What about an answer is not as the API promises. */
function describeProtocolError({ code, message }: ApiError): string {
  switch (code) {
    case 'emptyAnswer':
      return t('The control plane sent an empty answer.');
    case 'notJson':
      return t('The answer is not JSON as the API promises it.');
    case 'notEventStream':
      return t('The answer is not the stream that the API promises.');
    case 'tooLarge':
      return t('The answer is larger than anything that the API promises.');
    default:
      return t('The answer is not what the API promises: {0}', plainText(message));
  }
}

function describeStatus(status: number | undefined): string {
  switch (status) {
    case 401:
      return t('The control plane does not accept this API key. Connect with a valid one.');
    case 403:
      return t(
        'The control plane does not allow this. “Check Connection and Permissions” tells what the API key may do.',
      );
    case 404:
      return t('The control plane does not know this.');
    case 407:
      return t('A proxy asks for a sign-in. Check the setting http.proxy.');
    case 429:
      return t('Too many requests; the control plane asks to wait.');
    default:
      return status !== undefined && status >= 500
        ? t('The control plane failed with status {0}. Try again later.', status)
        : t('The control plane refused the request with status {0}.', status ?? '?');
  }
}

/** The server's own words, code and request id, as text. */
function reference({ code, message, requestId }: ApiError): string {
  const words = t('The control plane says: {0}', plainText(message));
  const ids = [
    plainText(code, 80),
    ...(requestId === undefined ? [] : [t('request {0}', plainText(requestId, 80))]),
  ];
  return `${words} (${ids.join(', ')})`;
}

function describeNetworkError(error: ApiError): string {
  const detail = `(${plainText(error.message)})`;
  switch (networkProblem(error)) {
    case 'refused':
      return `${t('Nothing answers at the base URL. Is the control plane running, and the port right?')} ${detail}`;
    case 'dns':
      return `${t('The name of the control plane is not found. Check the base URL and the network.')} ${detail}`;
    case 'certificate':
      return `${t('The certificate of the control plane is not trusted. If your organisation has its own authority, check the setting http.systemCertificates.')} ${detail}`;
    case 'certificateExpired':
      return `${t('The certificate of the control plane has expired, or is not valid yet. Have it renewed, and check the clock of this machine. If the certificate is a proxy’s, check the setting http.proxy.')} ${detail}`;
    case 'certificateHost':
      return `${t('The certificate is made out to another host than that of the base URL. Check the base URL and, if the certificate is a proxy’s, the setting http.proxy.')} ${detail}`;
    case 'proxy':
      return `${t('The proxy is in the way. Check the settings http.proxy and http.proxySupport.')} ${detail}`;
    case 'cors':
      return `${t('The control plane is there but does not let a browser in (CORS). Use VS Code on the desktop or in a remote window.')} ${detail}`;
    case 'offline':
      return `${t('This machine has no network.')} ${detail}`;
    case 'reset':
      return `${t('The connection to the control plane broke. Try again.')} ${detail}`;
    case 'unreachable':
    case 'unknown':
    case undefined:
      return `${t('The control plane cannot be reached. Check the network and the base URL.')} ${detail}`;
  }
}

/** Why a base URL is not accepted, and what would be. */
export function describeBaseUrlProblem(problem: BaseUrlProblem): string {
  switch (problem) {
    case 'empty':
      return t('Enter the URL of the control plane, such as https://control-plane.example.com');
    case 'notUrl':
      return t('This is not a URL. Example: https://control-plane.example.com');
    case 'scheme':
      return t('The URL must begin with https://');
    case 'httpNotLoopback':
      return t(
        'http is accepted on this machine only (localhost, 127.0.0.1): elsewhere the API key could be read on the way. Use https.',
      );
    case 'userInfo':
      return t('Leave out the name and password before the host: the API key is asked for next.');
    case 'trailingDot':
      return t('Leave out the dot after the host: it makes another origin of the same server.');
    case 'query':
      return t('Leave out everything from the question mark on.');
    case 'fragment':
      return t('Leave out everything from the # on.');
  }
}
