import * as vscode from 'vscode';
import type { Completion, QueryKnowledge } from '../logs/query/completion';
import { completionsAt } from '../logs/query/completion';
import type { LogFilter } from '../logs/query/filter';
import { signalOf } from '../platform/messages';
import { labelText } from '../platform/plainText';
import type { RecentQueries } from '../platform/queryMemory';
import { describe } from '../platform/wording';
import type { SeenItem, SeenLately } from '../workspace/seenLately';

const { t } = vscode.l10n;

/** What to follow, and how to call it. */
export interface Choice {
  readonly filter: LogFilter;
  readonly label: string;
  /** The query, where one was typed. */
  readonly query?: string;
}

export interface PickerServices {
  readonly learn: (signal: AbortSignal) => Promise<SeenLately>;
  readonly parse: (query: string) => { readonly choice: Choice } | { readonly problem: string };
  readonly knowledge: QueryKnowledge;
  readonly recent: RecentQueries;
}

interface Item extends vscode.QuickPickItem {
  readonly choice?: Choice;
  /** A query to follow. */
  readonly query?: string;
  /** What the box holds next: nothing is followed yet. */
  readonly fills?: string;
}

/** As many as can be seen together with what follows them. */
const maxCompletions = 12;

/** The quick pick of what to follow; what was typed is a query of its own. */
export async function pickWhatToFollow(services: PickerServices): Promise<Choice | undefined> {
  const { recent } = services;
  const picker = vscode.window.createQuickPick<Item>();
  picker.title = t('Follow Logs');
  picker.placeholder = t('Pick one, or type a query such as severity:error "timed out"');
  picker.matchOnDescription = true;
  const cancellation = new vscode.CancellationTokenSource();
  let found: Item[] = [];

  const show = (): void => {
    picker.items = [...queryItems(services, picker.value), ...fixedItems(), ...found];
    const next = firstStep(services, picker);
    if (next !== undefined) picker.activeItems = [next];
  };
  const fill = (query: string): void => {
    picker.value = query;
    show();
  };
  const load = async (): Promise<void> => {
    picker.busy = true;
    try {
      found = seenItems(await services.learn(signalOf(cancellation.token)));
    } catch (error) {
      if (cancellation.token.isCancellationRequested) return;
      found = [
        { label: t('$(warning) What logged lately cannot be listed'), detail: describe(error) },
      ];
    }
    picker.busy = false;
    const [active] = picker.activeItems;
    show();
    // Whoever is on the way through the list goes on from there.
    const same = picker.items.find(
      ({ label, description }) => label === active?.label && description === active.description,
    );
    if (same !== undefined) picker.activeItems = [same];
  };

  try {
    return await new Promise((resolve) => {
      const follow = (query: string): void => {
        const parsed = services.parse(query);
        if ('choice' in parsed) resolve({ ...parsed.choice, query });
        else if (query !== picker.value.trim()) fill(query);
      };
      picker.onDidChangeValue(show);
      picker.onDidHide(() => resolve(undefined));
      picker.onDidAccept(() => {
        const [item] = picker.selectedItems;
        if (item?.choice !== undefined) resolve(item.choice);
        else if (item?.fills !== undefined) fill(item.fills);
        else if (item?.query !== undefined) follow(item.query);
      });
      picker.onDidTriggerItemButton(({ item, button }) => {
        if (item.query === undefined) return;
        if (button === editButton) fill(item.query);
        else {
          recent.remove(item.query);
          show();
        }
      });
      show();
      picker.show();
      void load();
    });
  } finally {
    cancellation.cancel();
    cancellation.dispose();
    picker.dispose();
  }
}

/** What was typed, what it can go on with, and the queries that were followed before. */
function queryItems(services: PickerServices, value: string): Item[] {
  const query = value.trim();
  const before = services.recent.all.filter((one) => one !== query).map(recentItem);
  if (query === '') return before.length === 0 ? [] : [separator(t('Recent')), ...before];
  return [typed(services, query), ...completionItems(services.knowledge, value), ...before];
}

/** While a query is not complete, Enter takes the first thing that it can go on with. */
function firstStep(
  services: PickerServices,
  { value, items }: vscode.QuickPick<Item>,
): Item | undefined {
  const query = value.trim();
  const isComplete = query === '' || 'choice' in services.parse(query);
  return isComplete ? undefined : items.find(({ fills }) => fills !== undefined);
}

/**
 * The item for what was typed: a query that can be followed, or what is wrong with it. Its label is
 * the query alone, which VS Code sorts before everything else that begins with it.
 */
function typed(services: PickerServices, query: string): Item {
  const parsed = services.parse(query);
  const item = { label: asLabel(query), alwaysShow: true, query };
  return 'choice' in parsed
    ? { ...item, iconPath: new vscode.ThemeIcon('search'), description: t('Follow this query') }
    : { ...item, iconPath: new vscode.ThemeIcon('warning'), detail: parsed.problem };
}

const editButton: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('edit'),
  tooltip: t('Edit'),
};
const forgetButton: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('close'),
  tooltip: t('Remove from List'),
};

function recentItem(query: string): Item {
  return {
    label: asLabel(query),
    iconPath: new vscode.ThemeIcon('history'),
    buttons: [editButton, forgetButton],
    query,
  };
}

/** A query is a person's own text, and has icons nowhere. */
function asLabel(query: string): string {
  return query.replaceAll('$(', '\\$(');
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
      description: detail ?? completionWords(kind),
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
      return t('joins what stands beside it');
  }
}

function separator(label: string): Item {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function fixedItems(): Item[] {
  return [
    { label: t('$(broadcast) Everything'), choice: { filter: {}, label: t('everything') } },
    separator(t('Severity')),
    {
      label: t('$(error) Errors'),
      description: 'severity:error,fatal',
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

function seenItems({ workloads, servers, deployments }: SeenLately): Item[] {
  return [
    ...section(t('Workloads seen lately'), 'package', workloads, (item) => ({
      filter: { workloadIds: [item.id] },
      label: nameOf(item),
    })),
    ...section(t('Servers seen lately'), 'server', servers, (item) => ({
      filter: { serverIds: [item.id] },
      label: t('server {0}', nameOf(item)),
    })),
    ...section(t('Deployments seen lately'), 'rocket', deployments, (item) => ({
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
  return [
    separator(title),
    ...items.map((item) => {
      const choice = choiceOf(item);
      return { label: `$(${icon}) ${labelText(choice.label)}`, description: item.id, choice };
    }),
  ];
}

function nameOf({ id, name }: SeenItem): string {
  return name ?? id.slice(0, 8);
}
