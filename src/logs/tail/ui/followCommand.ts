import * as vscode from 'vscode';
import { InvalidRequestError, localizableMessage } from '../../../api/errors';
import { membersOf } from '../../../base/json';
import {
  ensureConnection,
  type Session,
  type SignedInConnection,
} from '../../../connection/ui/session';
import type { Names } from '../../../data/knownNames';
import { registerCommand } from '../../../vscode/commands';
import { commands } from '../../../vscode/contributions';
import type { Diagnostics } from '../../../vscode/diagnostics';
import { withProgress } from '../../../vscode/notifications';
import { asLogFilter, type LogFilter } from '../../query/filter';
import { parseQuery } from '../../query/parser';
import { printQuery } from '../../query/print';
import { lookUpNames } from '../../query/ui/lookUpNames';
import type { Choice } from '../../query/ui/queryItems';
import type { QueryMemory } from '../../query/ui/queryMemory';
import { describeQueryErrors, describeTimes, describeUnresolved } from '../../query/ui/queryText';
import type { Tails } from '../tails';
import { pickWhatToFollow } from './followPicker';
import type { LogChannels } from './logChannels';
import { askAndFollow } from './windowTails';

const { t } = vscode.l10n;

interface FollowServices {
  readonly session: Session;
  readonly tails: Tails;
  readonly names: Names;
  readonly memory: QueryMemory;
  readonly logChannels: Pick<LogChannels, 'newest'>;
  readonly diagnostics: Diagnostics;
}

/** How many of the newest records provide values for completions. */
const completedFrom = 2000;

/** `followLogs`: asks what to follow, or takes a filter object or a query as an argument. */
export function registerFollowLogs(services: FollowServices): vscode.Disposable {
  return registerCommand(commands.followLogs, (argument) => followLogs(services, argument), {
    diagnostics: services.diagnostics,
    failed: t('Could not follow these logs.'),
  });
}

/** Resolves with true if the logs are followed now. */
async function followLogs(services: FollowServices, argument: unknown): Promise<boolean> {
  const signedIn = await ensureConnection(services.session);
  if (signedIn === undefined) return false;
  const { tails, memory } = services;
  if (argument === undefined || isRowOfLogs(services, argument)) {
    const choice = await ask(services, signedIn);
    if (choice === undefined || !(await askAndFollow(tails, choice, signedIn.signal))) return false;
    if (choice.query !== undefined) memory.follows.add(choice.query);
    return true;
  }
  const { filter, label } = await read(services, signedIn, argument);
  if (signedIn.signal.aborted) return false;
  await vscode.commands.executeCommand(commands.showLogs, tails.follow(filter, label));
  return true;
}

/** @throws InvalidRequestError if the argument is neither a filter nor a query. */
async function read(
  services: FollowServices,
  signedIn: SignedInConnection,
  argument: unknown,
): Promise<Choice> {
  if (typeof argument === 'string') return parseWithNames(services, signedIn, argument);
  const filter = asLogFilter(argument);
  return { filter, label: labelOf(filter, services.names) };
}

function ask(services: FollowServices, signedIn: SignedInConnection): Promise<Choice | undefined> {
  const { memory, logChannels } = services;
  memory.learn(logChannels.newest(completedFrom));
  return pickWhatToFollow(
    {
      learn: (signal) => lookUpNames(signedIn, services.names, signal),
      parse: (query) => parse(services.names, query),
      knowledge: memory.knowledge,
      recent: memory.follows,
    },
    signedIn.signal,
  );
}

/** The title of the view passes the focused row, which is not the argument. */
function isRowOfLogs({ tails }: FollowServices, argument: unknown): boolean {
  if (tails.all.some((followed) => followed === argument)) return true;
  // Rows of other features are objects with methods; a filter is plain JSON.
  return typeof membersOf(argument)['item'] === 'function';
}

type Parsed =
  { readonly choice: Choice } | { readonly problem: string; readonly unresolved: boolean };

function parse(names: Names, query: string): Parsed {
  const result = parseQuery(query, (kind, name) => names.idsOf(kind, name));
  if (!result.ok) return { problem: describeQueryErrors(query, result.errors), unresolved: false };
  if (result.times.length > 0) return { problem: describeTimes(), unresolved: false };
  if (result.unresolved.length > 0) {
    return { problem: describeUnresolved(result.unresolved), unresolved: true };
  }
  return { choice: { filter: result.filter, label: labelOf(result.filter, names) } };
}

/** An unknown name may belong to a workload that logged recently. */
async function parseWithNames(
  services: FollowServices,
  signedIn: SignedInConnection,
  query: string,
): Promise<Choice> {
  let parsed = parse(services.names, query);
  if ('problem' in parsed && parsed.unresolved) {
    await withProgress(t('Looking up names…'), signedIn.signal, (signal) =>
      lookUpNames(signedIn, services.names, signal),
    );
    signedIn.signal.throwIfAborted();
    parsed = parse(services.names, query);
  }
  if ('choice' in parsed) return parsed.choice;
  throw new InvalidRequestError(
    'query',
    localizableMessage('{0}', parsed.problem),
    localizableMessage('see the query language reference'),
  );
}

/** The label of a filter: a query with names, or "everything". */
function labelOf(filter: LogFilter, names: Names): string {
  const query = printQuery(filter, (kind, id) => names.nameOf(kind, id));
  return query === '' ? t('everything') : query;
}
