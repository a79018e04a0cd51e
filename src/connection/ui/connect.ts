import * as vscode from 'vscode';
import { membersOf } from '../../api/lenient';
import { systemClock } from '../../vscode/clock';
import { commands } from '../../vscode/contributions';
import type { Diagnostics } from '../../vscode/diagnostics';
import { announce, showFailure } from '../../vscode/notifications';
import { back } from '../../vscode/quickInput';
import { type KeyTrial, tryKey } from '../check';
import { type Connection, hostName, makeConnection, offerName } from '../connections';
import { clientOf, typedKey } from '../signedIn';
import type { ApiKeys } from './apiKeys';
import {
  type ConnectAnswers,
  askApiKey,
  askBaseUrl,
  askName,
  problemOfApiKey,
  problemOfBaseUrl,
  problemOfName,
  type ConnectStep,
} from './connectQuestions';
import * as settings from './connectionSettings';
import { clientOptions, type Session } from './session';

const { t } = vscode.l10n;

interface ConnectServices {
  readonly session: Session;
  readonly keys: ApiKeys;
  readonly diagnostics: Diagnostics;
  /** Shows what a new connection has, and asks what to follow, as the last box. */
  readonly askAfterConnect: (steps: { step: number; totalSteps: number }) => Promise<void>;
}

/** `controlPlane.connect`: asks for a connection and its key, or takes both as an argument. */
export function registerConnect(services: ConnectServices): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.commands.registerCommand(commands.connect, (argument) => {
      if (argument === undefined) return connectByAsking(services, true);
      if (isOnTheWay(argument)) return connectByAsking(services, false);
      return connectByArgument(services, argument);
    }),
  );
}

/** Whether a command that needs a connection calls this; see `connectOnTheWay`. */
function isOnTheWay(argument: unknown): boolean {
  return membersOf(argument)['onTheWay'] === true;
}

/** @param offersToFollow whether to ask what to follow if the connection is new. */
async function connectByAsking(
  services: ConnectServices,
  offersToFollow: boolean,
): Promise<boolean> {
  const { state } = services.session;
  const current = state.kind === 'none' ? undefined : state.connection;
  // A user without a valid key wants a key for the current connection.
  const again = state.kind === 'signedOut' || !offersToFollow ? current : undefined;
  const answers: ConnectAnswers = {
    baseUrl: current?.baseUrl ?? '',
    name: '',
    apiKey: '',
    mayReadLogs: true,
    totalSteps: offersToFollow && current === undefined ? 3 : 2,
  };
  const tried = (connection: Connection, apiKey: string, signal: AbortSignal): Promise<KeyTrial> =>
    tryKeyOf(services, connection, apiKey, signal);
  let questions: readonly ConnectStep[] = [askBaseUrl, askApiKey];
  for (let step = 0; step < questions.length;) {
    const answer = await questions[step]?.(answers, tried);
    if (answer === undefined) return false;
    if (step === 0) {
      const known = settings.connections();
      const { name, isKnown, isToBeAsked } = offerName(answers.baseUrl, known, again);
      questions = [askBaseUrl, askApiKey, ...(isToBeAsked ? [askName] : [])];
      answers.name = name;
      answers.totalSteps = questions.length + (offersToFollow && !isKnown ? 1 : 0);
    }
    step += answer === back ? -1 : 1;
  }
  const connection = makeConnection(answers.name, answers.baseUrl);
  if (connection === undefined || !(await save(services, connection, answers.apiKey))) return false;
  const { totalSteps } = answers;
  if (totalSteps > questions.length && answers.mayReadLogs) {
    void services.askAfterConnect({ step: totalSteps, totalSteps });
  } else discoverAtFirst();
  return true;
}

/** Starts a discovery in the background. Scripts, which connect by an argument, can run it themselves. */
function discoverAtFirst(): void {
  const ignore = (): void => undefined;
  vscode.commands.executeCommand(commands.discover, { firstConnect: true }).then(ignore, ignore);
}

/** Connects with `{ name?, baseUrl, apiKey }` for scripts and tests, without asking. */
async function connectByArgument(services: ConnectServices, argument: unknown): Promise<boolean> {
  const failed = t('Could not connect.');
  const { name, baseUrl, apiKey } = membersOf(argument);
  if (typeof baseUrl !== 'string' || typeof apiKey !== 'string') {
    void showFailure(services.diagnostics, failed, t('baseUrl and apiKey must be strings.'));
    return false;
  }
  const chosenName = typeof name === 'string' ? name : hostName(baseUrl);
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
  return save(services, connection, apiKey);
}

function tryKeyOf(
  { diagnostics }: ConnectServices,
  connection: Connection,
  apiKey: string,
  signal: AbortSignal,
): Promise<KeyTrial> {
  const client = clientOf(connection, typedKey(connection, apiKey), clientOptions(diagnostics));
  return tryKey(client, systemClock, signal);
}

/** Saves the key first, because a connection without a key is shown as signed out. */
async function save(
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
    void showFailure(diagnostics, t('Could not save the connection.'), error);
    return false;
  }
}
