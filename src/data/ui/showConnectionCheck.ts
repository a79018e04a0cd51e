import * as vscode from 'vscode';
import type { Permission } from '../../api/types';
import {
  checkConnection,
  type ConnectionReport,
  type PermissionState,
} from '../../connection/checkConnection';
import type { Connection } from '../../connection/connections';
import { describedText } from '../../connection/serverSettings';
import { ensureConnection, type SignedInConnection } from '../../connection/ui/session';
import { serverSettings } from '../../connection/ui/showServerSettings';
import { systemClock } from '../../vscode/systemClock';
import { registerCommand } from '../../vscode/commands';
import { commands } from '../../vscode/contributions';
import { describe } from '../../vscode/errorMessages';
import { withProgress } from '../../vscode/notifications';
import type { ReadonlyDocuments } from '../../vscode/readonlyDocuments';
import type { ConnectionData } from './connectionData';

const { t } = vscode.l10n;

/** `checkConnection`: opens a report of what the connection and its API key can do. */
export function registerCheckConnection(
  data: ConnectionData,
  reports: ReadonlyDocuments,
): vscode.Disposable {
  const check = async (): Promise<void> => {
    const signedIn = await ensureConnection(data.session);
    if (signedIn === undefined) return;
    const { connection, signal: lifetime } = signedIn;
    const text = await withProgress(t('Checking {0}…', connection.name), lifetime, (signal) =>
      report(signedIn, data, signal),
    );
    if (text !== undefined) await reports.show(`${t('Connection')}.txt`, text, lifetime);
  };
  return registerCommand(commands.checkConnection, check);
}

/** Undefined if the user cancels or leaves the connection. */
async function report(
  { client, connection }: SignedInConnection,
  { lacking, context, session }: ConnectionData,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    await session.server?.read(client, { signal, priority: 'person' });
    signal.throwIfAborted();
    const found = await checkConnection(client, systemClock, signal, {
      sources: context.sources().map(({ id }) => id),
      servers: context.servers().map(({ id }) => id),
    });
    signal.throwIfAborted();
    // Actions that need a missing permission say so before they ask anything.
    for (const [permission, { kind }] of found.permissions) {
      if (kind === 'missing') lacking.add(permission);
      if (kind === 'granted') lacking.delete(permission);
    }
    return reportText(connection, found, lacking, describedText(serverSettings(session), t));
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

function reportText(
  connection: Connection,
  found: ConnectionReport,
  lacking: ReadonlySet<Permission>,
  described: string,
): string {
  const width = Math.max(...found.permissions.map(([permission]) => permission.length));
  return [
    t('Connection {0}', connection.name),
    '',
    t('Base URL: {0}', connection.baseUrl),
    found.reachable ? t('Reachable: yes') : t('Reachable: no'),
    clockText(found.clockSkew),
    described,
    '',
    t('Permissions of the API key:'),
    '',
    ...found.permissions.map(
      ([permission, state]) =>
        `  ${permission.padEnd(width)}  ${
          state.kind === 'notTried' && lacking.has(permission)
            ? t('✗ missing: the last request was refused')
            : stateText(state)
        }`,
    ),
    '',
  ].join('\n');
}

function clockText(skew: number | undefined): string {
  if (skew === undefined) return t('Clock: unknown, no response has a date');
  const seconds = Math.round(skew / 1000);
  if (Math.abs(seconds) <= 2) return t('Clock: same as this computer');
  return seconds > 0
    ? t('Clock: the control plane is {0} s ahead of this computer', seconds)
    : t('Clock: the control plane is {0} s behind this computer', -seconds);
}

function stateText(state: PermissionState): string {
  switch (state.kind) {
    case 'granted':
      return t('✓ granted');
    case 'missing':
      return t('✗ missing');
    case 'onlyReads':
      return t('✗ refused: the API key may only read');
    case 'failed':
      return t('? unknown: {0}', describe(state.error));
    case 'notTried':
      switch (state.why) {
        case 'changesThings':
          return t('– not tested: it would change something');
        case 'noServer':
          return t('– not tested: no server is known yet');
        case 'noSource':
          return t('– not tested: no source is known yet');
        case 'noResource':
          return t('– not tested: no app or job is known yet');
      }
  }
}
