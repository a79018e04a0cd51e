import * as vscode from 'vscode';
import { parseBaseUrl } from '../api/baseUrl';
import { announce } from '../platform/announce';
import { systemClock } from '../platform/clock';
import { commands, type LateCommand } from '../platform/contributions';
import type { Diagnostics } from '../platform/diagnostics';
import { ask, back } from '../platform/inputs';
import type { LateCommands } from '../platform/latePart';
import { showFailure } from '../platform/messages';
import type { ApiKeys } from '../platform/secrets';
import type { Session } from '../platform/session';
import { clientFor } from '../platform/session';
import * as settings from '../platform/settings';
import { describe, describeBaseUrlProblem } from '../platform/wording';
import type { Connection } from '../workspace/connections';
import { makeConnection, maxConnectionName } from '../workspace/connections';
import type { KeyTrial } from '../workspace/keyTrial';
import { tryKey } from '../workspace/keyTrial';

const { t } = vscode.l10n;

export interface ConnectServices {
  readonly session: Session;
  readonly keys: ApiKeys;
  readonly diagnostics: Diagnostics;
  readonly lateCommands: LateCommands<LateCommand>;
}

/** `controlPlane.connect`: asks for a connection and its key, or takes both as an argument. */
export function registerConnect(services: ConnectServices): vscode.Disposable {
  return vscode.Disposable.from(
    services.lateCommands.register(commands.connect, (argument) =>
      argument === undefined ? connectByAsking(services) : connectByArgument(services, argument),
    ),
  );
}

interface Answers {
  name: string;
  baseUrl: string;
  apiKey: string;
}

async function connectByAsking(services: ConnectServices): Promise<boolean> {
  const answers: Answers = { name: suggestedName(services.session), baseUrl: '', apiKey: '' };
  const questions = [askName, askBaseUrl, askApiKey];
  for (let step = 0; step < questions.length;) {
    const answer = await questions[step]?.(services, answers);
    if (answer === undefined) return false;
    step += answer === back ? -1 : 1;
  }
  const connection = makeConnection(answers.name, answers.baseUrl);
  if (connection === undefined || !(await keep(services, connection, answers.apiKey))) return false;
  discoverAtFirst();
  return true;
}

/**
 * The trees are empty until something is known. Nobody waits for it; who connects by an argument is a
 * script and calls `discover` if it wants to.
 */
function discoverAtFirst(): void {
  const ignore = (): void => undefined;
  vscode.commands.executeCommand(commands.discover, { firstConnect: true }).then(ignore, ignore);
}

/** Signing in again is the usual reason to connect when there is a connection without a key. */
function suggestedName({ state }: Session): string {
  return state.kind === 'signedOut' ? state.connection.name : '';
}

type Answer = 'next' | typeof back | undefined;

async function askName(_services: ConnectServices, answers: Answers): Promise<Answer> {
  const answer = await ask({
    title: t('Connect to a Control Plane'),
    step: 1,
    totalSteps: 3,
    prompt: t('What do you want to call this connection?'),
    placeholder: t('such as production'),
    value: answers.name,
    problemOf: problemOfName,
  });
  if (answer === undefined || answer === back) return answer;
  answers.name = answer;
  answers.baseUrl ||= settings.connections().find(({ name }) => name === answer)?.baseUrl ?? '';
  return 'next';
}

async function askBaseUrl(_services: ConnectServices, answers: Answers): Promise<Answer> {
  const answer = await ask({
    title: t('Connect to {0}', answers.name),
    step: 2,
    totalSteps: 3,
    prompt: t('The URL of the control plane. The API key is sent to this origin and no other.'),
    placeholder: 'https://control-plane.example.com',
    value: answers.baseUrl,
    problemOf: problemOfBaseUrl,
  });
  if (answer === undefined || answer === back) return answer;
  answers.baseUrl = answer;
  return 'next';
}

async function askApiKey(services: ConnectServices, answers: Answers): Promise<Answer> {
  const connection = makeConnection(answers.name, answers.baseUrl);
  if (connection === undefined) return back;
  let keptAnyway: string | undefined;
  const answer = await ask({
    title: t('Connect to {0}', answers.name),
    step: 3,
    totalSteps: 3,
    prompt: t('Your API key. It is kept in the secret storage of VS Code and nowhere else.'),
    password: true,
    problemOf: problemOfApiKey,
    refusalOf: async (apiKey, signal) => {
      if (apiKey === keptAnyway) return undefined;
      const trial = await tryKeyOf(services, connection, apiKey, signal);
      if (trial.kind === 'invalid') return describe(trial.error);
      if (trial.kind !== 'unknown') return undefined;
      keptAnyway = apiKey;
      return t('{0} Press Enter again to connect all the same.', describe(trial.error));
    },
  });
  if (answer === undefined || answer === back) return answer;
  answers.apiKey = answer;
  return 'next';
}

/** For scripts and tests: `{ name?, baseUrl, apiKey }`; asks nothing, and says what is wrong. */
async function connectByArgument(services: ConnectServices, argument: unknown): Promise<boolean> {
  const failed = t('Not connected.');
  const { name, baseUrl, apiKey } =
    typeof argument === 'object' && argument !== null ? (argument as Record<string, unknown>) : {};
  if (typeof baseUrl !== 'string' || typeof apiKey !== 'string') {
    void showFailure(services.diagnostics, failed, t('baseUrl and apiKey must be given as text.'));
    return false;
  }
  const parsed = parseBaseUrl(baseUrl);
  const chosenName = typeof name === 'string' ? name : parsed.ok ? new URL(parsed.origin).host : '';
  const problem = problemOfBaseUrl(baseUrl) ?? problemOfName(chosenName) ?? problemOfApiKey(apiKey);
  const connection = makeConnection(chosenName, baseUrl);
  if (problem !== undefined || connection === undefined) {
    void showFailure(services.diagnostics, failed, problem);
    return false;
  }
  const trial = await tryKeyOf(services, connection, apiKey, new AbortController().signal);
  if (trial.kind === 'invalid') {
    void showFailure(services.diagnostics, failed, trial.error);
    return false;
  }
  return keep(services, connection, apiKey);
}

function tryKeyOf(
  { diagnostics }: ConnectServices,
  connection: Connection,
  apiKey: string,
  signal: AbortSignal,
): Promise<KeyTrial> {
  const client = clientFor(connection, () => Promise.resolve(apiKey), diagnostics.request);
  return tryKey(client, systemClock, signal);
}

/** The key goes first: a connection that appears without one would be shown as signed out. */
async function keep(
  { session, keys, diagnostics }: ConnectServices,
  connection: Connection,
  apiKey: string,
): Promise<boolean> {
  try {
    await keys.set(connection, apiKey);
    await settings.saveConnection(connection);
    await session.use(connection);
    announce(t('Connected to {0}', connection.name));
    return true;
  } catch (error) {
    void showFailure(diagnostics, t('The connection could not be kept.'), error);
    return false;
  }
}

function problemOfName(name: string): string | undefined {
  if (name.trim() === '') return t('Enter a name.');
  if (name.length > maxConnectionName) return t('At most {0} characters.', maxConnectionName);
  return undefined;
}

function problemOfBaseUrl(text: string): string | undefined {
  const parsed = parseBaseUrl(text);
  return parsed.ok ? undefined : describeBaseUrlProblem(parsed.reason);
}

function problemOfApiKey(apiKey: string): string | undefined {
  if (apiKey === '') return t('Enter an API key.');
  // Anything else could not stand in a header, and is a slip of the clipboard.
  return /^[\x21-\x7e]+$/.test(apiKey)
    ? undefined
    : t('An API key has no spaces, line breaks or special letters: copy it again.');
}
