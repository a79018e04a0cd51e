import * as vscode from 'vscode';
import { parseBaseUrl } from '../../api/baseUrl';
import { describe, describeBaseUrlProblem } from '../../vscode/errorMessages';
import { ask, back } from '../../vscode/quickInput';
import type { KeyTrial } from '../check';
import { type Connection, makeConnection, maxConnectionName } from '../connections';
import * as settings from './connectionSettings';

const { t } = vscode.l10n;

/** The answers to the boxes of *Connect…*. */
export interface ConnectAnswers {
  baseUrl: string;
  /** Suggested by the URL until the user enters another. */
  name: string;
  apiKey: string;
  mayReadLogs: boolean;
  /** The number of boxes, including the question what to follow. */
  totalSteps: number;
}

type TryKey = (connection: Connection, apiKey: string, signal: AbortSignal) => Promise<KeyTrial>;
type Answer = 'next' | typeof back | undefined;
export type ConnectStep = (answers: ConnectAnswers, tryKey: TryKey) => Promise<Answer>;

export async function askBaseUrl(answers: ConnectAnswers): Promise<Answer> {
  const answer = await ask({
    title: t('Connect to a Control Plane'),
    step: 1,
    totalSteps: answers.totalSteps,
    prompt: t('Enter the URL of the control plane. The API key is sent only to this URL.'),
    placeholder: 'https://control-plane.example.com',
    value: answers.baseUrl,
    problemOf: problemOfBaseUrl,
  });
  if (answer === undefined || answer === back) return answer;
  answers.baseUrl = answer;
  return 'next';
}

export async function askApiKey(answers: ConnectAnswers, tryKey: TryKey): Promise<Answer> {
  const connection = makeConnection(answers.name, answers.baseUrl);
  if (connection === undefined) return back;
  let keptAnyway: string | undefined;
  const answer = await ask({
    title: t('Connect to {0}', answers.name),
    step: 2,
    totalSteps: answers.totalSteps,
    prompt: t('Enter your API key. It is saved only in the secret storage of VS Code.'),
    password: true,
    problemOf: problemOfApiKey,
    refusalOf: async (apiKey, signal) => {
      if (apiKey === keptAnyway) return undefined;
      const trial = await tryKey(connection, apiKey, signal);
      answers.mayReadLogs = trial.kind !== 'withoutLogs';
      if (trial.kind === 'invalid') return describe(trial.error);
      if (trial.kind !== 'unknown') return undefined;
      keptAnyway = apiKey;
      return t('{0} Press Enter again to connect anyway.', describe(trial.error));
    },
  });
  if (answer === undefined || answer === back) return answer;
  answers.apiKey = answer;
  return 'next';
}

/** Asked only if there is a connection with this URL, or one with its host as a name. */
export async function askName(answers: ConnectAnswers): Promise<Answer> {
  const url = makeConnection(answers.name, answers.baseUrl)?.baseUrl;
  const known = settings.connections();
  const same = known.find(({ baseUrl }) => baseUrl === url);
  const answer = await ask({
    title: t('Connect to {0}', answers.name),
    step: 3,
    totalSteps: answers.totalSteps,
    prompt:
      same === undefined
        ? t('Enter a name for this connection.')
        : t('The key is for {0}. Enter another name to add a connection.', same.name),
    placeholder: t('For example, production'),
    value: answers.name,
    problemOf: (name) =>
      known.some((one) => one.name === name && one.baseUrl !== url)
        ? t('Another connection has this name.')
        : problemOfName(name),
  });
  if (answer === undefined || answer === back) return answer;
  answers.name = answer;
  return 'next';
}

export function problemOfName(name: string): string | undefined {
  if (name.trim() === '') return t('Enter a name.');
  if (name.length > maxConnectionName) return t('At most {0} characters.', maxConnectionName);
  return undefined;
}

export function problemOfBaseUrl(text: string): string | undefined {
  const parsed = parseBaseUrl(text);
  return parsed.ok ? undefined : describeBaseUrlProblem(parsed.reason);
}

export function problemOfApiKey(apiKey: string): string | undefined {
  if (apiKey === '') return t('Enter an API key.');
  // Other characters are not valid in a header.
  return /^[\x21-\x7e]+$/.test(apiKey)
    ? undefined
    : t('The API key contains spaces, line breaks or special characters. Copy it again.');
}
