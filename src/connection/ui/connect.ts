import * as vscode from 'vscode';
import { parseBaseUrl, withScheme } from '../../api/baseUrl';
import { tryBaseUrl } from '../../api/createClient';
import { membersOf } from '../../base/json';
import { plainText } from '../../base/untrustedText';
import { operations } from '../../api/generated/operations';
import { registerCommand } from '../../vscode/commands';
import { commands } from '../../vscode/contributions';
import type { Diagnostics } from '../../vscode/diagnostics';
import {
  describe,
  describeBaseUrlProblem,
  describeRefusedKey,
  UserError,
} from '../../vscode/errorMessages';
import { machineName } from '../../vscode/extensionHost';
import { announce, showFailure } from '../../vscode/notifications';
import { ask, back } from '../../vscode/quickInput';
import type { ApiKeys } from '../apiKeys';
import { type KeyTrial, tryKey } from '../checkConnection';
import {
  type Connection,
  makeConnection,
  maxConnectionName,
  offerName,
  type Proposal,
  proposalOf,
} from '../connections';
import { clientOf, typedKey } from '../session';
import { connections, saveConnection, clientOptions, type Session } from './session';

const { t } = vscode.l10n;

/**
 * `controlPlane.connect`: asks for a connection and its key, or takes both as an argument.
 *
 * @param askAfterConnect shows what a new connection has and what its key cannot do, and asks what to follow, as the
 *   last box, of this number.
 */
export function registerConnect(
  session: Session,
  keys: ApiKeys,
  diagnostics: Diagnostics,
  askAfterConnect: (step: number, mayReadLogs: boolean) => Promise<void>,
): vscode.Disposable {
  const command = new ConnectCommand(session, keys, diagnostics, askAfterConnect);
  return registerCommand(
    commands.connect,
    (argument) => {
      if (argument === undefined) return command.connectByAsking(true);
      // See `promptToConnect`.
      if (membersOf(argument)['withinCommand'] === true) return command.connectByAsking(false);
      return command.connectByArgument(argument);
    },
    { diagnostics, failed: t('Could not connect.') },
  );
}

class ConnectCommand {
  constructor(
    private readonly session: Session,
    private readonly keys: ApiKeys,
    private readonly diagnostics: Diagnostics,
    private readonly askAfterConnect: (step: number, mayReadLogs: boolean) => Promise<void>,
  ) {}

  /** @param offersToFollow whether to ask what to follow if the connection is new. */
  async connectByAsking(offersToFollow: boolean): Promise<boolean> {
    const { state } = this.session;
    const current = state.kind === 'none' ? undefined : state.connection;
    if (state.kind === 'signedOut') {
      // Another window on this machine may have got the key.
      await this.session.use(current);
      if (this.session.signedIn !== undefined) return true;
    }
    if (current !== undefined && (await this.keys.isElsewhere(current))) {
      const answer = await askToUseHere(this.keys, current);
      if (answer !== 'connectToAnother') return answer === 'used';
    }
    // A user without a valid key wants a key for the current connection.
    const again = state.kind === 'signedOut' || !offersToFollow ? current : undefined;
    // The number of boxes is the same from the first one on: the third asks for the name if that is open,
    // otherwise what to follow. A user who only needs a key is asked neither.
    const totalSteps = offersToFollow && again === undefined ? 3 : 2;
    const answers: ConnectAnswers = {
      baseUrl: current?.baseUrl ?? '',
      name: '',
      apiKey: '',
      mayReadLogs: true,
      totalSteps,
    };
    const first: readonly ConnectStep[] = [
      (given) => this.askBaseUrl(given),
      (given) => this.askApiKey(given),
    ];
    let questions = first;
    for (let step = 0; step < questions.length;) {
      const answer = await questions[step]?.(answers);
      if (answer === undefined) return false;
      if (step === 0) {
        const { name, isToBeAsked } = offerName(answers.baseUrl, connections(), again);
        questions = isToBeAsked && totalSteps > 2 ? [...first, askName] : first;
        answers.name = name;
      }
      step += answer === back ? -1 : 1;
    }
    const connection = makeConnection(answers.name, answers.baseUrl);
    if (connection === undefined || !(await this.save(connection, answers.apiKey))) return false;
    if (totalSteps > questions.length) void this.askAfterConnect(totalSteps, answers.mayReadLogs);
    else {
      discoverAtFirst();
      if (!answers.mayReadLogs) void warnOfMissingLogs();
    }
    return true;
  }

  /**
   * Connects with `{ name?, baseUrl, apiKey }`. Anything can call a command, so it asks if the user's own settings
   * do not have this connection, or if it has another key. The key is sent to nobody before, and saved only if the
   * control plane accepts it.
   */
  async connectByArgument(argument: unknown): Promise<boolean> {
    const { name, baseUrl, apiKey } = membersOf(argument);
    if (typeof baseUrl !== 'string' || typeof apiKey !== 'string') {
      throw new UserError(t('baseUrl and apiKey must be strings.'));
    }
    const givenName = typeof name === 'string' ? name : undefined;
    const problem =
      problemOfBaseUrl(baseUrl) ??
      (givenName === undefined ? undefined : problemOfName(givenName)) ??
      problemOfApiKey(apiKey);
    // The keys of connections that have left the settings are deleted by then.
    await this.session.ready;
    const proposal = proposalOf(givenName, baseUrl, connections());
    if (problem !== undefined || proposal === undefined) throw new UserError(problem);
    const { connection, isKnown } = proposal;
    const replacesKey = await this.keys.replacesAnother(connection, apiKey);
    const isAgreed = isKnown && !replacesKey;
    if (!isAgreed && !(await confirmProposal(proposal, replacesKey))) return false;
    const trial = await this.tryKey(connection, apiKey, new AbortController().signal);
    if (trial.kind === 'invalid' || trial.kind === 'unknown') throw trial.error;
    return this.save(connection, apiKey);
  }

  private async askBaseUrl(answers: ConnectAnswers): Promise<Answer> {
    let keptAnyway: string | undefined;
    const answer = await ask({
      title: t('Connect to a Control Plane'),
      step: 1,
      totalSteps: answers.totalSteps,
      prompt: t('Enter the URL of the control plane. The API key is sent only to this URL.'),
      placeholder: 'https://control-plane.example.com',
      value: answers.baseUrl,
      problemOf: problemOfBaseUrl,
      refusalOf: async (text, signal) => {
        const parsed = parseBaseUrl(withScheme(text));
        if (!parsed.ok || text === keptAnyway) return undefined;
        const problem = await tryBaseUrl(parsed.baseUrl, clientOptions(this.diagnostics), signal);
        if (problem === undefined) return undefined;
        keptAnyway = text;
        return t('{0} Press Enter again to connect anyway.', describe(problem));
      },
    });
    if (answer === undefined || answer === back) return answer;
    answers.baseUrl = withScheme(answer);
    return 'next';
  }

  private async askApiKey(answers: ConnectAnswers): Promise<Answer> {
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
        const trial = await this.tryKey(connection, apiKey, signal);
        answers.mayReadLogs = trial.kind !== 'withoutLogs';
        if (trial.kind === 'invalid') return describeRefusedKey(trial.error);
        if (trial.kind !== 'unknown') return undefined;
        keptAnyway = apiKey;
        return t('{0} Press Enter again to connect anyway.', describe(trial.error));
      },
    });
    if (answer === undefined || answer === back) return answer;
    answers.apiKey = answer;
    return 'next';
  }

  private tryKey(connection: Connection, apiKey: string, signal: AbortSignal): Promise<KeyTrial> {
    const client = clientOf(
      connection,
      typedKey(connection, apiKey),
      clientOptions(this.diagnostics),
    );
    return tryKey(client, signal);
  }

  private async save(connection: Connection, apiKey: string): Promise<boolean> {
    try {
      await this.keys.save(connection, apiKey, saveConnection);
      await this.session.use(connection);
      announce(t('Connected to {0}', connection.name));
      return true;
    } catch (error) {
      void showFailure(this.diagnostics, t('Could not save the connection.'), error);
      return false;
    }
  }
}

/** Where no box says it. */
async function warnOfMissingLogs(): Promise<void> {
  const check = t('Check Connection');
  const chosen = await vscode.window.showWarningMessage(
    t(
      'The API key does not have the permission {0}: logs cannot be followed, searched or compared, and no errors are shown.',
      operations.queryLogs.permission,
    ),
    check,
  );
  if (chosen === check) await vscode.commands.executeCommand(commands.checkConnection);
}

/** Where this window runs. */
function machineLabel(): string {
  return plainText(machineName() ?? t('this browser'), 100);
}

/**
 * Asks once on each machine whether the key of a loopback connection may be used there, because the same
 * URL leads to another server on each.
 */
async function askToUseHere(
  keys: ApiKeys,
  connection: Connection,
): Promise<'used' | 'connectToAnother' | undefined> {
  const [here, another] = [t('Use Here'), t('Connect to Another…')];
  const machine = machineLabel();
  const url = plainText(connection.baseUrl, 200);
  const chosen = await vscode.window.showWarningMessage(
    t('Use the connection {0} on {1}?', plainText(connection.name, 100), machine),
    {
      modal: true,
      detail: t(
        'You connected on another machine. On {0}, its URL {1} leads to another server, which gets your API key if you continue.',
        machine,
        url,
      ),
    },
    here,
    another,
  );
  if (chosen === another) return 'connectToAnother';
  if (chosen !== here) return undefined;
  await keys.useHere(connection);
  return 'used';
}

/** Starts a discovery in the background. Scripts, which connect by an argument, can run it themselves. */
function discoverAtFirst(): void {
  const ignore = (): void => undefined;
  vscode.commands.executeCommand(commands.discover, { firstConnect: true }).then(ignore, ignore);
}

/** Asks whether to connect as another program wants. What changes nothing has the focus. */
async function confirmProposal(
  { connection, replaced, namesake }: Proposal,
  replacesKey: boolean,
): Promise<boolean> {
  const name = plainText(connection.name, 100);
  const detail = [
    t(
      'Another program passes an API key for {0}. VS Code stores it and sends it to this origin only.',
      plainText(connection.baseUrl, 200),
    ),
    ...(replacesKey ? [t('It replaces the API key that you use for {0}.', name)] : []),
    ...(replaced === undefined
      ? []
      : [t('The connection {0} had the URL {1}.', name, plainText(replaced.baseUrl, 200))]),
    ...(namesake === undefined
      ? []
      : [
          t(
            'The connection {0} to {1} stays as it is, so the new one gets another name.',
            plainText(namesake.name, 100),
            plainText(namesake.origin, 200),
          ),
        ]),
  ];
  const connect = t('Connect');
  const chosen = await vscode.window.showWarningMessage(
    t('Connect to {0} at {1}?', name, plainText(connection.origin, 200)),
    { modal: true, detail: detail.join('\n\n') },
    t('Do Not Connect'),
    connect,
  );
  return chosen === connect;
}

/** The answers to the boxes of *Connect…*. */
interface ConnectAnswers {
  baseUrl: string;
  /** Suggested by the URL until the user enters another. */
  name: string;
  apiKey: string;
  mayReadLogs: boolean;
  /** The number of boxes, including the question what to follow. */
  totalSteps: number;
}

type Answer = 'next' | typeof back | undefined;
type ConnectStep = (answers: ConnectAnswers) => Promise<Answer>;

/** Asked only if there is a connection with this URL, or one with its host as a name. */
async function askName(answers: ConnectAnswers): Promise<Answer> {
  const url = makeConnection(answers.name, answers.baseUrl)?.baseUrl;
  const known = connections();
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

function problemOfName(name: string): string | undefined {
  if (name.trim() === '') return t('Enter a name.');
  if (name.length > maxConnectionName) return t('At most {0} characters.', maxConnectionName);
  return undefined;
}

function problemOfBaseUrl(text: string): string | undefined {
  const parsed = parseBaseUrl(withScheme(text));
  return parsed.ok ? undefined : describeBaseUrlProblem(parsed.reason);
}

function problemOfApiKey(apiKey: string): string | undefined {
  if (apiKey === '') return t('Enter an API key.');
  // Other characters are not valid in a header.
  return /^[\x21-\x7e]+$/.test(apiKey)
    ? undefined
    : t('The API key contains spaces, line breaks or special characters. Copy it again.');
}
