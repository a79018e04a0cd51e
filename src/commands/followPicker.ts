import * as vscode from 'vscode';
import type { LogFilter } from '../logs/query/filter';
import { signalOf } from '../platform/messages';
import { labelText } from '../platform/plainText';
import { describe } from '../platform/wording';
import type { SeenItem, SeenLately } from '../workspace/seenLately';

const { t } = vscode.l10n;

/** What to follow, and how to call it. */
export interface Choice {
  readonly filter: LogFilter;
  readonly label: string;
}

export interface PickerServices {
  readonly learn: (signal: AbortSignal) => Promise<SeenLately>;
  readonly parse: (query: string) => { readonly choice: Choice } | { readonly problem: string };
}

interface Item extends vscode.QuickPickItem {
  readonly choice?: Choice;
}

/** The quick pick of what to follow; what was typed is a query of its own. */
export async function pickWhatToFollow(services: PickerServices): Promise<Choice | undefined> {
  const picker = vscode.window.createQuickPick<Item>();
  picker.title = t('Follow Logs');
  picker.placeholder = t('Pick one, or type a query such as severity:error "timed out"');
  picker.matchOnDescription = true;
  const cancellation = new vscode.CancellationTokenSource();
  let found: Item[] = [];

  const show = (): void => {
    const query = picker.value.trim();
    picker.items = [...(query === '' ? [] : [typed(services, query)]), ...fixedItems(), ...found];
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
    show();
  };

  try {
    return await new Promise((resolve) => {
      picker.onDidChangeValue(show);
      picker.onDidHide(() => resolve(undefined));
      picker.onDidAccept(() => {
        const [item] = picker.selectedItems;
        if (item?.choice !== undefined) resolve(item.choice);
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

/** The item for what was typed: a query that can be followed, or what is wrong with it. */
function typed(services: PickerServices, query: string): Item {
  const parsed = services.parse(query);
  return 'choice' in parsed
    ? { label: t('$(search) Follow {0}', query), alwaysShow: true, choice: parsed.choice }
    : { label: `$(warning) ${query}`, detail: parsed.problem, alwaysShow: true };
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
