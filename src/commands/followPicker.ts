import * as vscode from 'vscode';
import { systemClock } from '../platform/clock';
import { signalOf } from '../platform/messages';
import { labelText } from '../platform/plainText';
import { describe } from '../platform/wording';
import type { SeenItem, SeenLately } from '../workspace/seenLately';
import {
  editButton,
  firstStep,
  queryItems,
  separator,
  type Choice,
  type Item,
  type PickerServices,
} from './followQueryItems';

const { t } = vscode.l10n;

/**
 * Milliseconds after a key in which Enter is about what was typed. Nobody has looked at the list by
 * then; and VS Code says by its place in the list what was chosen, in a list that was still the one
 * for what stood there before that key.
 */
const typingPause = 100;

/** Which of several boxes one is. */
export interface Steps {
  readonly step: number;
  readonly totalSteps: number;
}

/** The quick pick of what to follow; what was typed is a query of its own. */
export async function pickWhatToFollow(
  services: PickerServices,
  { step, totalSteps }: Partial<Steps> = {},
): Promise<Choice | undefined> {
  const { recent } = services;
  const picker = vscode.window.createQuickPick<Item>();
  picker.title = t('Follow Logs');
  picker.step = step;
  picker.totalSteps = totalSteps;
  picker.placeholder = t('Pick one, or type a query such as severity:error "timed out"');
  picker.matchOnDescription = true;
  const cancellation = new vscode.CancellationTokenSource();
  let found: Item[] = [];
  let typedAt = -Infinity;

  const show = (): void => {
    picker.items = [...queryItems(services, picker.value), ...fixedItems(), ...found];
    const next = firstStep(services, picker);
    if (next !== undefined) picker.activeItems = [next];
  };
  const chosen = (): Item | undefined =>
    systemClock.monotonic() - typedAt < typingPause
      ? (firstStep(services, picker) ?? picker.items.find(isChoice))
      : picker.selectedItems[0];
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
      picker.onDidChangeValue(() => {
        typedAt = systemClock.monotonic();
        show();
      });
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
    });
  } finally {
    cancellation.cancel();
    cancellation.dispose();
    picker.dispose();
  }
}

function isChoice({ kind }: Item): boolean {
  return kind !== vscode.QuickPickItemKind.Separator;
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
