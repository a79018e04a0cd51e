import * as vscode from 'vscode';
import type { ProgressNotifications } from '../../activity/ui/progressNotifications';
import { hasKindsOfItems } from '../../api/describedCalls';
import { membersOf } from '../../base/json';
import { dotted } from '../../base/textFormat';
import type { TimeFormat } from '../../base/timeFormat';
import { boxText, labelText, plainText } from '../../base/untrustedText';
import { ensureConnection, type SignedInConnection } from '../../connection/ui/session';
import { Labels, idText } from '../../data/labels';
import type { CacheEntry } from '../../data/store';
import { isUuid } from '../../data/targets';
import { type ConnectionData, lookUp, lookUpTargets } from '../../data/ui/connectionData';
import { isRow } from '../../trees/ui/treeRow';
import type { Views } from '../../trees/ui/views';
import { registerCommand } from '../../vscode/commands';
import { commands } from '../../vscode/contributions';
import type { Diagnostics } from '../../vscode/diagnostics';
import { describe, errorText, UserError } from '../../vscode/errorMessages';
import { setPrompt } from '../../vscode/extensionHost';
import { showFailure } from '../../vscode/notifications';
import { counted, number } from '../../vscode/numbers';
import { pickOne, showBox } from '../../vscode/quickInput';
import type { ReadonlyDocuments } from '../../vscode/readonlyDocuments';
import { escapedName, type ItemsProblem, parseItemNames, readItemNames } from '../itemNames';
import { cleanUpKind } from '../kinds/cleanUp';
import {
  candidatesOf,
  findOrphanCandidates,
  knownItems,
  knownWorkloads,
  listedOrphans,
  type OrphanCandidates,
  orphanKeys,
} from '../orphans';
import { namedServer } from '../targetNames';
import { type CleanUpPlan, confirmCleanUp } from './cleanUpQuestions';
import { confirmPermission, offerDiscovery } from './confirmations';

const { t } = vscode.l10n;

/**
 * Registers `cleanUpOrphans`. Its argument is a row, `{ serverId, items }` or missing; then the user
 * picks. It always asks for confirmation, and returns the id of the entry that it started.
 */
export function registerCleanUpOrphans(
  data: ConnectionData,
  notifications: ProgressNotifications,
  views: Views,
  reports: ReadonlyDocuments,
  diagnostics: Diagnostics,
): vscode.Disposable {
  return registerCommand(commands.cleanUpOrphans, async (argument) => {
    // Before any wait, since the row may go meanwhile.
    const given = readArgument(views, argument);
    return given && cleanUp(data, notifications, reports, diagnostics, given);
  });
}

/** Returns the id of the entry that was started, or undefined if nothing was sent. */
async function cleanUp(
  data: ConnectionData,
  notifications: ProgressNotifications,
  reports: ReadonlyDocuments,
  diagnostics: Diagnostics,
  given: Given,
): Promise<string | undefined> {
  const signedIn = await ensureConnection(data.session);
  if (signedIn === undefined || !(await confirmPermission(data, cleanUpKind))) return undefined;
  const { connection, signal: lifetime } = signedIn;
  await lookUpTargets(data, 'servers', signedIn);
  const serverId = given.serverId ?? (await pickServer(data, lifetime));
  if (serverId === undefined) return undefined;
  const items =
    given.items === undefined
      ? await chooseItems(data, signedIn, serverId)
      : checked(given.items, diagnostics);
  if (items === undefined || lifetime.aborted) return undefined;
  const server = namedServer(data.context, serverId);
  const listed = await listedItems(signedIn, serverId, items, diagnostics);
  if (listed === 'failed') return undefined;
  const shown = listed?.map(({ name, kind }) => `${name} (${kind})`) ?? items;
  // What the control plane lists as an orphan is one.
  const known = listed === undefined ? await knownOf(data, serverId, items, lifetime) : [];
  const plan = { server, connection, items: shown, known };
  const isAgreed = await confirmCleanUp(plan, reports, lifetime);
  // After the end of the connection, it is said why nothing is sent.
  if (!isAgreed && !signedIn.signal.aborted) return undefined;
  const target = { serverId, serverName: server.name, items };
  return notifications.start(
    cleanUpKind,
    listed !== undefined && hasKindsOfItems(data.session.server?.facts)
      ? { ...target, listed }
      : target,
    lifetime,
  );
}

/**
 * The items as the server lists them: there may be several of a name. Undefined if it does not list its orphans, so that
 * names are enough.
 */
async function listedItems(
  { client, signal }: SignedInConnection,
  serverId: string,
  items: readonly string[],
  diagnostics: Diagnostics,
): Promise<{ kind: string; name: string }[] | 'failed' | undefined> {
  try {
    const orphans = await listedOrphans(client, serverId, signal);
    if (orphans === undefined) return undefined;
    const missing = items.find((item) => !orphans.some(({ name }) => name === item));
    if (missing !== undefined) {
      throw new UserError(
        t(
          'The control plane does not list {0} as an orphan of this server.',
          plainText(missing, 60),
        ),
      );
    }
    return orphans
      .filter(({ name }) => items.includes(name))
      .map(({ kind, name }) => ({ kind, name }));
  } catch (error) {
    if (!signal.aborted) void showFailure(diagnostics, t('Nothing was sent.'), error);
    return 'failed';
  }
}

/** What is known to be no orphan: with each by whose name it is said. Never rejects. */
async function knownOf(
  { store, context }: ConnectionData,
  serverId: string,
  items: readonly string[],
  lifetime: AbortSignal,
): Promise<CleanUpPlan['known']> {
  const { missing } = knownWorkloads(context, serverId);
  await lookUp(store.refreshAll(missing), lifetime);
  const labels = new Labels(context);
  return knownItems(context, serverId, items).map(({ name, source }) => ({
    name,
    ...(source === undefined ? {} : { source: labels.source(source) }),
  }));
}

interface Given {
  readonly serverId?: string | undefined;
  /** Untrusted. */
  readonly items?: unknown;
}

/** Returns undefined for a row that is gone or is no server. */
function readArgument(views: Views, argument: unknown): Given | undefined {
  if (isRow(argument)) {
    const node = views.nodeOf(argument);
    return node?.kind === 'server' ? { serverId: node.target.serverId } : undefined;
  }
  const { serverId, items } = membersOf(argument);
  return { ...(isUuid(serverId) ? { serverId } : {}), ...(items === undefined ? {} : { items }) };
}

/** Validates the items of an argument, and shows what is wrong with them. */
function checked(items: unknown, diagnostics: Diagnostics): readonly string[] | undefined {
  const { names, problem } = readItemNames(items);
  if (problem === undefined) return names;
  const wrong = new UserError(itemsProblemText(problem));
  void showFailure(diagnostics, t('Nothing was sent.'), wrong);
  return undefined;
}

async function pickServer(
  { context }: ConnectionData,
  lifetime: AbortSignal,
): Promise<string | undefined> {
  const labels = new Labels(context);
  const items = context.servers().map((server) => ({
    label: labelText(labels.server(server)),
    description: idText(server, t),
    serverId: server.id,
  }));
  if (items.length === 0) return offerDiscovery(t('No server is known yet.'));
  const chosen = await pickOne(
    items,
    { title: t('Clean Up Orphans'), placeHolder: t('Select a server') },
    lifetime,
  );
  return chosen?.serverId;
}

/** Lets the user tick orphan candidates, or enter names. Undefined if the user dismissed it. */
async function chooseItems(
  data: ConnectionData,
  signedIn: SignedInConnection,
  serverId: string,
): Promise<readonly string[] | undefined> {
  const serverName = plainText(namedServer(data.context, serverId).name, 100);
  const { signal: lifetime } = signedIn;
  const picked = await pickCandidates(
    serverName,
    (signal) => findCandidates(data, signedIn, serverId, signal),
    data.context.timeFormat,
    lifetime,
  );
  return picked?.next === 'enterNames'
    ? askForItemNames(serverName, picked.text, picked.whyNone, lifetime)
    : picked?.names;
}

/** The ticked names. If the user wants to enter some, or if there is nothing to tick, the box for names comes next. */
type Picked =
  | { readonly next: 'confirm'; readonly names: readonly string[] }
  | {
      readonly next: 'enterNames';
      /** What the box shows at first. */
      readonly text: string;
      /** Why there is nothing to tick. */
      readonly whyNone?: string;
    };

interface Item extends vscode.QuickPickItem {
  /** Missing for the row to enter names. */
  readonly name?: string;
}

/** Shows orphan candidates, none of them ticked. Undefined if the list was dismissed. */
function pickCandidates(
  serverName: string,
  find: (signal: AbortSignal) => Promise<OrphanCandidates>,
  timeFormat: TimeFormat,
  lifetime: AbortSignal,
): Promise<Picked | undefined> {
  const picker = vscode.window.createQuickPick<Item>();
  const title = t('Clean Up Orphans on {0}', serverName);
  const enter: Item = { label: `$(edit) ${t('Enter Names…')}`, alwaysShow: true };
  picker.title = title;
  picker.placeholder = t('Looking for orphan candidates…');
  picker.canSelectMany = true;
  picker.ignoreFocusOut = true;
  picker.matchOnDescription = true;
  picker.items = [enter];
  picker.busy = true;

  return showBox<Picked>(picker, lifetime, (answer, whileOpen) => {
    const ticked = (): string[] => picker.selectedItems.flatMap(({ name }) => name ?? []);
    /** What the user typed is kept, unless it only served to find what is ticked. */
    const enterNames = (whyNone?: string): void => {
      const names = ticked();
      const text = names.length > 0 ? names.join(', ') : picker.value;
      answer({ next: 'enterNames', text, ...(whyNone === undefined ? {} : { whyNone }) });
    };
    let before: readonly Item[] = [];
    picker.onDidChangeSelection((selected) => {
      const added = selected.filter((item) => !before.includes(item));
      before = selected;
      picker.title = `${title}: ${ticked().length}`;
      if (!added.includes(enter)) return;
      if (added.length === 1) enterNames();
      // The box above the list ticks all rows. That means the candidates.
      else picker.selectedItems = selected.filter((item) => item !== enter);
    });
    picker.onDidAccept(() => {
      const { names, problem } = readItemNames(ticked());
      const [active] = picker.activeItems;
      if (problem === undefined) answer({ next: 'confirm', names });
      // Nothing is ticked, and no candidate has the focus.
      else if (names.length === 0 && active?.name === undefined) enterNames();
      // A quick pick has no validation message, so the title shows it.
      else picker.title = `${title}: ${itemsProblemText(problem)}`;
    });
    const load = async (): Promise<void> => {
      const { candidates, isWhole, isListed = false } = await find(whileOpen);
      if (whileOpen.aborted) return;
      if (candidates.length === 0) {
        enterNames(
          isListed
            ? t('The control plane lists no orphans. Enter the names.')
            : whyNoneText(isWhole),
        );
        return;
      }
      const { selectedItems } = picker;
      picker.items = [enter, ...candidateItems(candidates, timeFormat)];
      picker.selectedItems = selectedItems;
      picker.placeholder = t('Select what to clean up');
      setPrompt(
        picker,
        isListed ? t('The control plane lists these as orphans.') : candidatesText(isWhole),
      );
      picker.busy = false;
    };
    load().catch((error: unknown) => {
      if (!whileOpen.aborted) {
        enterNames(t('Could not look for orphan candidates: {0}', describe(error)));
      }
    });
  });
}

function candidateItems(found: OrphanCandidates['candidates'], timeFormat: TimeFormat): Item[] {
  return [
    {
      label: t('Orphan candidates'),
      kind: vscode.QuickPickItemKind.Separator,
    },
    ...found.map(({ name, lastSeen, listed }) =>
      itemOf(
        name,
        lastSeen === undefined
          ? listed
          : t('candidate, last seen {0}', timeFormat.relative(lastSeen)),
      ),
    ),
  ];
}

/** A name as it is sent. Different names look different. */
function itemOf(name: string, words?: string): Item {
  const { shown, mark } = escapedName(name, t, 100);
  return {
    label: labelText(shown),
    description: labelText(dotted([words, mark && `⚠ ${mark}`])),
    name,
  };
}

function whyNoneText(isWhole: boolean): string {
  return isWhole
    ? t(
        'There are no orphan candidates: everything that logged in the last 7 days is known. Enter the names.',
      )
    : t(
        'No orphan candidates were found, but not all logs of the last 7 days were searched. Enter the names.',
      );
}

function candidatesText(isWhole: boolean): string {
  return isWhole
    ? t('Candidates logged in the last 7 days and are unknown.')
    : t('Candidates logged in the last 7 days and are unknown. Not all logs were searched.');
}

/**
 * Asks for item names. Undefined if the box was dismissed.
 *
 * @param text what the box shows at first.
 * @param whyNone why there are no candidates, if there are none.
 */
function askForItemNames(
  serverName: string,
  text: string,
  whyNone: string | undefined,
  lifetime: AbortSignal,
): Promise<readonly string[] | undefined> {
  const box = vscode.window.createInputBox();
  box.title = t('Clean Up Orphans on {0}', serverName);
  box.prompt = boxText(t('Enter item names, separated by commas or line breaks.'));
  box.placeholder = t('such as {0}', 'old-api, tmp-worker');
  box.value = text;
  box.ignoreFocusOut = true;

  const show = (): void => {
    const { names, problem } = parseItemNames(box.value);
    box.validationMessage =
      names.length > 0
        ? problem === undefined
          ? information(countText(names))
          : boxText(itemsProblemText(problem))
        : whyNone && warning(whyNone);
  };
  /** An input box replaces pasted line breaks with spaces. Restores them from the clipboard. */
  const restoreLines = async (value: string): Promise<void> => {
    if (!/\S\s+\S/.test(value)) return;
    const pasted = (await vscode.env.clipboard.readText()).trim();
    const flat = pasted.replace(/\r\n|\r|\n/g, ' ');
    if (flat === pasted || box.value !== value || !value.includes(flat)) return;
    box.value = value.replace(flat, () => parseItemNames(pasted).names.join(', '));
    show();
  };

  return showBox(box, lifetime, (answer) => {
    box.onDidChangeValue((value) => {
      show();
      // If the clipboard cannot be read, the text stays one long name, which the user can split.
      restoreLines(value).catch(() => undefined);
    });
    box.onDidAccept(() => {
      const { names, problem } = parseItemNames(box.value);
      if (problem === undefined) answer(names);
    });
    show();
  });
}

type Message = vscode.InputBoxValidationMessage;

function information(words: string): Message {
  return { message: boxText(words), severity: vscode.InputBoxValidationSeverity.Info };
}

function warning(words: string): Message {
  return { message: boxText(words), severity: vscode.InputBoxValidationSeverity.Warning };
}

function countText(names: readonly string[]): string {
  const list = names.map((name) => plainText(name, 60)).join(' | ');
  return counted(names.length, '{0} item: {1}', '{0} items: {1}', list);
}

/** What is wrong with the names, and what is allowed. */
function itemsProblemText(problem: ItemsProblem): string {
  switch (problem.kind) {
    case 'none':
      return t('Enter 1 to 100 item names.');
    case 'tooMany':
      return t('Too many items ({0}): {1}.', number(problem.count), errorText(problem.limit));
    case 'notText':
      return t('Item {0} is not a text.', problem.place);
    case 'malformed':
      return t(
        'Item {0} contains an invalid character: {1}',
        problem.place,
        plainText(problem.name, 60),
      );
    case 'notAllowed':
      return t(
        '{0} {1} (allowed: {2}).',
        problem.error.field,
        errorText(problem.error.problem),
        errorText(problem.error.limit),
      );
  }
}

/** @throws if the logs cannot be searched or the known workloads cannot be loaded. */
async function findCandidates(
  data: ConnectionData,
  { client, signal: lifetime }: SignedInConnection,
  serverId: string,
  cancelled: AbortSignal,
): Promise<OrphanCandidates> {
  const { context, store } = data;
  const signal = AbortSignal.any([cancelled, lifetime]);
  const listed = await listedOrphans(client, serverId, signal);
  if (listed !== undefined) return candidatesOf(listed);
  await store.refreshAll(orphanKeys(context, serverId));
  signal.throwIfAborted();
  const known = knownWorkloads(context, serverId);
  // Without their names, known resources would count as orphans.
  const [missing] = known.missing;
  if (missing !== undefined) throw errorOf(store.entry(missing));
  return findOrphanCandidates({ client, signal, serverId, known });
}

function errorOf({ error }: CacheEntry<unknown>): Error {
  return error instanceof Error
    ? error
    : new UserError(t('the list of what runs there is incomplete'));
}
