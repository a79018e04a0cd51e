import * as vscode from 'vscode';
import { onAbort, signalOf } from '../../../vscode/notifications';
import { labelText } from '../../../text/plainText';
import { describe } from '../../../vscode/errorMessages';
import type { SeenItem, RecentWorkloads } from '../../../inventory/discovery/recentWorkloads';
import {
  editButton,
  firstStep,
  queryItems,
  separator,
  type Choice,
  type Item,
  type PickerServices,
} from '../../query/ui/queryItems';

const { t } = vscode.l10n;

/** Milliseconds after which VS Code has sent what was set of a quick pick, which it gathers for a moment. */
const sendingTime = 5;

/**
 * The quick pick of what to follow; what was typed is a query of its own.
 *
 * @param lifetime of the connection that is to be followed on: it is dismissed with it.
 */
export async function pickWhatToFollow(
  services: PickerServices,
  lifetime: AbortSignal,
): Promise<Choice | undefined> {
  const { recent } = services;
  const picker = vscode.window.createQuickPick<Item>();
  picker.title = t('Follow Logs');
  picker.placeholder = t(
    'Select what to follow, or type a query such as severity:error "timed out"',
  );
  picker.matchOnDescription = true;
  const cancellation = new vscode.CancellationTokenSource();
  let found: Item[] = [];
  /** The lists that were made, and the newest of them that the window is known to show. */
  let made = 0;
  let shown = 0;
  /** What Enter takes in the newest list unless somebody moves in it. */
  let next: Item | undefined;

  const show = (active?: Item): void => {
    picker.items = [...queryItems(services, picker.value), ...fixedItems(picker.value), ...found];
    // Whoever is on the way through the list goes on from there.
    const same = picker.items.find(
      ({ label, description }) => label === active?.label && description === active.description,
    );
    const first = same ?? firstStep(services, picker);
    if (first !== undefined) picker.activeItems = [first];
    next = first ?? picker.items.find(isChoice);
    const number = ++made;
    // A window that goes away answers no more.
    windowIsUpToDate().then(
      () => (shown = number),
      () => undefined,
    );
  };
  /**
   * VS Code says what was chosen by its place in the list that the window shows. As long as that may be
   * an older one, nobody can have chosen in the newest.
   */
  const chosen = (): Item | undefined => (shown === made ? picker.selectedItems[0] : next);
  const fill = (query: string): void => {
    picker.value = query;
    show();
  };
  const load = async (): Promise<void> => {
    picker.busy = true;
    try {
      found = seenItems(await services.learn(signalOf(cancellation.token)));
    } catch (error) {
      if (cancellation.token.isCancellationRequested || lifetime.aborted) return;
      found = [{ label: t('$(warning) Could not list recent workloads'), detail: describe(error) }];
    }
    picker.busy = false;
    show(shown === made ? picker.activeItems[0] : next);
  };

  let release: (() => void) | undefined;
  try {
    return await new Promise((resolve) => {
      const follow = (query: string): void => {
        const parsed = services.parse(query);
        if ('choice' in parsed) resolve({ ...parsed.choice, query });
        else if (query !== picker.value.trim()) fill(query);
      };
      picker.onDidChangeValue(() => show());
      picker.onDidHide(() => resolve(undefined));
      picker.onDidAccept(() => {
        const item = chosen();
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
      release = onAbort(lifetime, () => resolve(undefined));
    });
  } finally {
    release?.();
    cancellation.cancel();
    cancellation.dispose();
    picker.dispose();
  }
}

/** Resolves once the window has handled what was set before: it answers in order. */
async function windowIsUpToDate(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, sendingTime));
  await vscode.commands.executeCommand('setContext', 'controlPlane.followList', true);
}

function isChoice({ kind }: Item): boolean {
  return kind !== vscode.QuickPickItemKind.Separator;
}

/** @param value that was typed. */
function fixedItems(value: string): Item[] {
  return [
    {
      label: t('$(broadcast) Everything'),
      // Of a list with nothing in it Enter is not heard, and typing leaves none of this until the next
      // list has come.
      alwaysShow: value.trim() === '',
      choice: { filter: {}, label: t('everything') },
    },
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
