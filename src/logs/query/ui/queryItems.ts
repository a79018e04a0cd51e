import * as vscode from 'vscode';
import type { LogQueryFilters } from '../../../api/types';
import { labelText, withoutIcons } from '../../../base/untrustedText';
import {
  ensureConnection,
  type Session,
  type SignedInConnection,
} from '../../../connection/ui/session';
import type { Names } from '../../../data/knownNames';
import { type CommandId, registerCommand } from '../../../vscode/commands';
import type { Diagnostics } from '../../../vscode/diagnostics';
import { ask, back } from '../../../vscode/quickInput';
import { completionsAt, type Completion, type QueryKnowledge } from '../completion';
import type { LogFilter } from '../fields';
import type { QueryMemory } from './queryMemory';
import { filtersNow, problemOfSearch, readSearch } from './readSearch';

const { t } = vscode.l10n;

/** What to follow, and its label. */
export interface Choice {
  readonly filter: LogFilter;
  readonly label: string;
  /** The query, if one was typed. */
  readonly query?: string;
}

/** What commands for the records of a query need. */
export interface QueryCommandServices {
  readonly session: Session;
  readonly names: Names;
  readonly memory: QueryMemory;
  readonly diagnostics: Diagnostics;
}

type ParseChoice = (
  query: string,
) => { readonly choice: Choice; readonly note: string | undefined } | { readonly problem: string };

export interface Item extends vscode.QuickPickItem {
  readonly choice?: Choice;
  /** A query to follow. */
  readonly query?: string;
  /** The new text of the box. Following does not start yet. */
  readonly fills?: string;
}

/** So many that the recent queries below them stay visible. */
const maxCompletions = 12;

/** The typed query, its completions, and the recent queries. */
export function queryItems(
  { follows, knowledge }: QueryMemory,
  parse: ParseChoice,
  value: string,
): Item[] {
  const query = value.trim();
  const before = follows.all.filter((one) => one !== query).map(recentItem);
  if (query === '') return before.length === 0 ? [] : [separator(t('Recent')), ...before];
  return [typed(parse(query), query), ...completionItems(knowledge, value), ...before];
}

/** The first completion, which Enter takes while the query is not valid. */
export function firstStep(
  parse: ParseChoice,
  { value, items }: vscode.QuickPick<Item>,
): Item | undefined {
  const query = value.trim();
  const isComplete = query === '' || 'choice' in parse(query);
  return isComplete ? undefined : items.find(({ fills }) => fills !== undefined);
}

/**
 * The item of the typed query, or of its error. The label is only the query, because VS Code sorts the
 * exact text first.
 */
function typed(parsed: ReturnType<ParseChoice>, query: string): Item {
  const item = { label: withoutIcons(query), alwaysShow: true, query };
  return 'choice' in parsed
    ? {
        ...item,
        iconPath: new vscode.ThemeIcon('search'),
        description: parsed.note ?? t('Follow this query'),
      }
    : {
        ...item,
        iconPath: new vscode.ThemeIcon('warning'),
        detail: labelText(parsed.problem, 300),
      };
}

export const editButton: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('edit'),
  tooltip: t('Edit'),
};
const forgetButton: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('close'),
  tooltip: t('Remove from List'),
};

function recentItem(query: string): Item {
  return {
    label: withoutIcons(query),
    iconPath: new vscode.ThemeIcon('history'),
    buttons: [editButton, forgetButton],
    query,
  };
}

const completionIcons: Readonly<Record<Completion['kind'], string>> = {
  field: 'symbol-field',
  operator: 'symbol-operator',
  value: 'symbol-constant',
  name: 'tag',
  word: 'symbol-keyword',
};

function completionItems(knowledge: QueryKnowledge, value: string): Item[] {
  const { start, end, items } = completionsAt(value, value.length, knowledge);
  return items
    .map((item) => ({ item, fills: value.slice(0, start) + item.text + value.slice(end) }))
    .filter(({ fills }) => fills !== value)
    .slice(0, maxCompletions)
    .map(({ item: { kind, label, detail }, fills }) => ({
      label: labelText(label),
      description: detail === undefined ? completionWords(kind) : labelText(detail),
      iconPath: new vscode.ThemeIcon(completionIcons[kind]),
      alwaysShow: true,
      fills,
    }));
}

function completionWords(kind: Completion['kind']): string {
  switch (kind) {
    case 'field':
      return t('field');
    case 'operator':
      return t('operator');
    case 'value':
    case 'name':
      return t('value');
    case 'word':
      return t('joins conditions');
  }
}

export function separator(label: string): Item {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

/**
 * Asks for a query with its range, starting with the last query. Undefined if the user cancels.
 *
 * @param on the connection to search on, if there is one. The box closes with it.
 */
export async function askForQuery(
  title: string,
  { session, memory }: { readonly session: Session; readonly memory: QueryMemory },
  on?: SignedInConnection,
): Promise<string | undefined> {
  const query = await ask({
    title,
    prompt: t('Enter a query, such as severity:error last:1h. The default range is the last hour.'),
    value: memory.searches.all[0] ?? '',
    problemOf: (value) => problemOfSearch(value, session),
    ...(on === undefined ? {} : { lifetime: on.signal }),
  });
  return query === back ? undefined : query;
}

interface QueryCommand {
  /** What it does, as the title of its box. */
  readonly title: string;
  /** What failed, as a sentence. */
  readonly failed: string;
  readonly run: (on: SignedInConnection, filters: LogQueryFilters) => Promise<void>;
  /** For a row that is no query. Returns false for any other argument. */
  readonly runForRow?: (on: SignedInConnection, argument: unknown) => Promise<boolean>;
}

/** Registers a command for the records of a query, which is its argument, or which it asks for. */
export function registerQueryCommand(
  command: CommandId,
  services: QueryCommandServices,
  { title, failed, run, runForRow }: QueryCommand,
): vscode.Disposable {
  const { session, names, diagnostics } = services;
  return registerCommand(
    command,
    async (argument) => {
      const on = await ensureConnection(session);
      if (on === undefined) return;
      if ((await runForRow?.(on, argument)) === true) return;
      const query =
        typeof argument === 'string' ? argument : await askForQuery(title, services, on);
      if (query === undefined) return;
      await run(on, filtersNow(await readSearch(query, session, names, on), session));
    },
    { diagnostics, failed },
  );
}
