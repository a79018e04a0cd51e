import * as vscode from 'vscode';
import { InvalidRequestError, localizableMessage } from '../../../api/errors';
import { membersOf } from '../../../base/json';
import { labelText } from '../../../base/untrustedText';
import {
  ensureConnection,
  type Session,
  type SignedInConnection,
} from '../../../connection/ui/session';
import type { RecentWorkloads, SeenItem } from '../../../data/discovery/discovery';
import type { Names } from '../../../data/knownNames';
import { registerCommand, setContext } from '../../../vscode/commands';
import { commands, contextKeys } from '../../../vscode/contributions';
import type { Diagnostics } from '../../../vscode/diagnostics';
import { describe } from '../../../vscode/errorMessages';
import { setPrompt, toggleButton } from '../../../vscode/extensionHost';
import { withProgress } from '../../../vscode/notifications';
import { showBox } from '../../../vscode/quickInput';
import { asLogFilter, type LogFilter } from '../../query/fields';
import { parseQuery } from '../../query/parser';
import { printQuery } from '../../query/searchQuery';
import {
  type Choice,
  editButton,
  firstStep,
  type Item,
  queryItems,
  separator,
} from '../../query/ui/queryItems';
import type { QueryMemory } from '../../query/ui/queryMemory';
import {
  describeQueryErrors,
  describeTimes,
  describeUnresolved,
  pastedNote,
} from '../../query/ui/queryText';
import { lookUpNames } from '../../query/ui/readSearch';
import type { Tails } from '../tails';
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
    memory.remember(services.logChannels.newest(completedFrom));
    const choice = await new FollowPicker(memory, services.names, signedIn).pick();
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

/** The title of the view passes the focused row, which is not the argument. */
function isRowOfLogs({ tails }: FollowServices, argument: unknown): boolean {
  if (tails.all.some((followed) => followed === argument)) return true;
  // Rows of other features are objects with methods; a filter is plain JSON.
  return typeof membersOf(argument)['item'] === 'function';
}

type Parsed =
  | { readonly choice: Choice; readonly note: string | undefined }
  | { readonly problem: string; readonly unresolved: boolean };

function parse(names: Names, query: string): Parsed {
  const result = parseQuery(query, (kind, name) => names.idsOf(kind, name));
  if (!result.ok) return { problem: describeQueryErrors(query, result.errors), unresolved: false };
  if (result.times.length > 0) return { problem: describeTimes(), unresolved: false };
  if (result.unresolved.length > 0) {
    return { problem: describeUnresolved(result.unresolved), unresolved: true };
  }
  const note = result.pasted && pastedNote(result.pasted);
  return { choice: { filter: result.filter, label: labelOf(result.filter, names) }, note };
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

const errorsQuery = 'severity:error,fatal';

/** Milliseconds until VS Code has sent the changes of a quick pick, which it collects first. */
const sendingTime = 5;

/** The quick pick for what to follow, which closes with the connection. The typed text can be a query. */
class FollowPicker {
  private readonly picker = vscode.window.createQuickPick<Item>();
  private readonly errorsOnly = toggleButton('error', t('Errors Only'));
  private found: readonly Item[] = [];
  /** The number of the last list, and of the newest list that the window is known to show. */
  private made = 0;
  private shown = 0;
  /** The item that Enter accepts in the newest list if the user does not move the selection. */
  private next: Item | undefined;

  constructor(
    private readonly memory: QueryMemory,
    private readonly names: Names,
    private readonly signedIn: SignedInConnection,
  ) {
    const { picker, errorsOnly } = this;
    picker.title = t('Follow Logs');
    picker.placeholder = t(
      'Select what to follow, or type a query such as severity:error "timed out"',
    );
    picker.matchOnDescription = true;
    if (errorsOnly !== undefined) picker.buttons = [errorsOnly];
  }

  pick(): Promise<Choice | undefined> {
    const { picker, memory } = this;
    return showBox<Choice>(picker, this.signedIn.signal, (answer, whileOpen) => {
      const accept = (choice: Choice): void =>
        answer(this.isErrorsOnly ? errorsOf(choice) : choice);
      picker.onDidChangeValue(() => this.show());
      picker.onDidAccept(() => {
        const item = this.chosen;
        if (item?.choice !== undefined) accept(item.choice);
        else if (item?.fills !== undefined) this.fill(item.fills);
        else if (item?.query !== undefined) this.follow(item.query, accept);
      });
      picker.onDidTriggerButton(() => {
        const prompt = t('Only errors of what you select are followed.');
        setPrompt(picker, this.isErrorsOnly ? prompt : undefined);
      });
      picker.onDidTriggerItemButton(({ item, button }) => {
        if (item.query === undefined) return;
        if (button === editButton) this.fill(item.query);
        else {
          memory.follows.remove(item.query);
          this.show();
        }
      });
      this.show();
      void this.load(whileOpen);
    });
  }

  private get isErrorsOnly(): boolean {
    return this.errorsOnly?.toggle.checked === true;
  }

  /**
   * VS Code reports the accepted item by its index in the list that the window shows. While the window
   * may show an older list, the user cannot have selected in the newest.
   */
  private get chosen(): Item | undefined {
    return this.shown === this.made ? this.picker.selectedItems[0] : this.next;
  }

  private follow(query: string, accept: (choice: Choice) => void): void {
    const parsed = this.parse(query);
    if ('choice' in parsed) accept({ ...parsed.choice, query });
    else if (query !== this.picker.value.trim()) this.fill(query);
  }

  private fill(query: string): void {
    this.picker.value = query;
    this.show();
  }

  private async load(whileOpen: AbortSignal): Promise<void> {
    const { picker, signedIn, names } = this;
    picker.busy = true;
    try {
      this.found = seenItems(await lookUpNames(signedIn, names, whileOpen));
    } catch (error) {
      this.found = [
        {
          label: t('$(warning) Could not list recent workloads'),
          detail: labelText(describe(error), 300),
        },
      ];
    }
    if (whileOpen.aborted) return;
    picker.busy = false;
    this.show(this.shown === this.made ? picker.activeItems[0] : this.next);
  }

  /** @param active the item to stay on, for a user who moves through the list. */
  private show(active?: Item): void {
    const { picker } = this;
    const parseTyped = (query: string): Parsed => this.parse(query);
    picker.items = [
      ...queryItems(this.memory, parseTyped, picker.value),
      ...fixedItems(picker.value),
      ...this.found,
    ];
    const same = picker.items.find(
      ({ label, description }) => label === active?.label && description === active.description,
    );
    this.next = same ?? firstStep(parseTyped, picker) ?? picker.items.find(isChoice);
    // Always, because VS Code sends items by their index, and several lists at once as the last one: an
    // index of an earlier list could be that of a hidden item, and then Enter would not be reported.
    picker.activeItems = this.next === undefined ? [] : [this.next];
    const number = ++this.made;
    // The window does not answer after it is closed.
    windowIsUpToDate().then(
      () => (this.shown = number),
      () => undefined,
    );
  }

  private parse(query: string): Parsed {
    return parse(this.names, query);
  }
}

/** Resolves when the window has handled all earlier changes, because it answers in order. */
async function windowIsUpToDate(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, sendingTime));
  await setContext(contextKeys.followList, true);
}

/** The errors of a choice, unless it names severities itself. */
function errorsOf(choice: Choice): Choice {
  const { filter, label, query } = choice;
  if (filter.severities !== undefined) return choice;
  return {
    filter: { ...filter, severities: ['error', 'fatal'] },
    label: Object.keys(filter).length === 0 ? t('errors') : t('errors of {0}', label),
    ...(query === undefined ? {} : { query: `${errorsQuery} ${query}` }),
  };
}

function isChoice({ kind }: Item): boolean {
  return kind !== vscode.QuickPickItemKind.Separator;
}

/** @param value the typed text. */
function fixedItems(value: string): Item[] {
  return [
    {
      label: t('$(broadcast) Everything'),
      // While the list is empty, VS Code does not report Enter, so these items stay until the next list.
      alwaysShow: value.trim() === '',
      choice: { filter: {}, label: t('everything') },
    },
    separator(t('Severity')),
    {
      label: t('$(error) Errors'),
      description: errorsQuery,
      choice: { filter: { severities: ['error', 'fatal'] }, label: t('errors') },
    },
    {
      label: t('$(warning) Warnings and errors'),
      description: 'severity:warn,error,fatal',
      choice: {
        filter: { severities: ['warn', 'error', 'fatal'] },
        label: t('warnings and errors'),
      },
    },
  ];
}

function seenItems({ workloads, servers, deployments }: RecentWorkloads): Item[] {
  return [
    ...section(t('Recent workloads'), 'package', workloads, (item) => ({
      filter: { workloadIds: [item.id] },
      label: nameOf(item),
    })),
    ...section(t('Recent servers'), 'server', servers, (item) => ({
      filter: { serverIds: [item.id] },
      label: t('server {0}', nameOf(item)),
    })),
    ...section(t('Recent deployments'), 'rocket', deployments, (item) => ({
      filter: { deploymentIds: [item.id] },
      label: t('deployment {0}', `${item.name ?? ''} ${item.id.slice(0, 8)}`.trim()),
    })),
  ];
}

function section(
  title: string,
  icon: string,
  items: readonly SeenItem[],
  choiceOf: (item: SeenItem) => Choice,
): Item[] {
  if (items.length === 0) return [];
  const choices = items.map((item) => ({ item, choice: choiceOf(item) }));
  return [
    separator(title),
    ...choices.map(({ item, choice }) => {
      // The id is shown only if the label is not unique.
      const isUnique = choices.every(
        (one) => one.item === item || one.choice.label !== choice.label,
      );
      return {
        label: `$(${icon}) ${labelText(choice.label)}`,
        ...(isUnique ? {} : { description: labelText(item.id) }),
        choice,
      };
    }),
  ];
}

function nameOf({ id, name }: SeenItem): string {
  return name ?? id.slice(0, 8);
}
