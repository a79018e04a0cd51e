import * as vscode from 'vscode';
import type { RecentWorkloads, SeenItem } from '../../../data/discovery/recentWorkloads';
import { labelText } from '../../../base/plainText';
import { setContext } from '../../../vscode/contextKeys';
import { contextKeys } from '../../../vscode/contributions';
import { describe } from '../../../vscode/errorMessages';
import { setPrompt, toggleButton } from '../../../vscode/newerEditors';
import { showBox } from '../../../vscode/quickInput';
import {
  type Choice,
  editButton,
  firstStep,
  type Item,
  type PickerServices,
  queryItems,
  separator,
} from '../../query/ui/queryItems';

const { t } = vscode.l10n;

const errorsQuery = 'severity:error,fatal';

/** Milliseconds until VS Code has sent the changes of a quick pick, which it collects first. */
const sendingTime = 5;

/**
 * The quick pick for what to follow. The typed text can be a query.
 *
 * @param lifetime of the connection to follow on: the quick pick closes with it.
 */
export function pickWhatToFollow(
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
  const errorsOnly = toggleButton('error', t('Errors Only'));
  if (errorsOnly !== undefined) picker.buttons = [errorsOnly];
  const isErrorsOnly = (): boolean => errorsOnly?.toggle.checked === true;
  let found: Item[] = [];
  /** The number of the last list, and of the newest list that the window is known to show. */
  let made = 0;
  let shown = 0;
  /** The item that Enter accepts in the newest list if the user does not move the selection. */
  let next: Item | undefined;

  const show = (active?: Item): void => {
    picker.items = [...queryItems(services, picker.value), ...fixedItems(picker.value), ...found];
    // Keeps the selection of a user who moves through the list.
    const same = picker.items.find(
      ({ label, description }) => label === active?.label && description === active.description,
    );
    next = same ?? firstStep(services, picker) ?? picker.items.find(isChoice);
    // Always, because VS Code sends items by their index, and several lists at once as the last one: an
    // index of an earlier list could be that of a hidden item, and then Enter would not be reported.
    picker.activeItems = next === undefined ? [] : [next];
    const number = ++made;
    // The window does not answer after it is closed.
    windowIsUpToDate().then(
      () => (shown = number),
      () => undefined,
    );
  };
  /**
   * VS Code reports the accepted item by its index in the list that the window shows. While the window
   * may show an older list, the user cannot have selected in the newest.
   */
  const chosen = (): Item | undefined => (shown === made ? picker.selectedItems[0] : next);
  const fill = (query: string): void => {
    picker.value = query;
    show();
  };
  const load = async (whileOpen: AbortSignal): Promise<void> => {
    picker.busy = true;
    try {
      found = seenItems(await services.learn(whileOpen));
    } catch (error) {
      found = [
        {
          label: t('$(warning) Could not list recent workloads'),
          detail: labelText(describe(error), 300),
        },
      ];
    }
    if (whileOpen.aborted) return;
    picker.busy = false;
    show(shown === made ? picker.activeItems[0] : next);
  };

  return showBox<Choice>(picker, lifetime, (answer, whileOpen) => {
    const accept = (choice: Choice): void => answer(isErrorsOnly() ? errorsOf(choice) : choice);
    const follow = (query: string): void => {
      const parsed = services.parse(query);
      if ('choice' in parsed) accept({ ...parsed.choice, query });
      else if (query !== picker.value.trim()) fill(query);
    };
    picker.onDidChangeValue(() => show());
    picker.onDidAccept(() => {
      const item = chosen();
      if (item?.choice !== undefined) accept(item.choice);
      else if (item?.fills !== undefined) fill(item.fills);
      else if (item?.query !== undefined) follow(item.query);
    });
    picker.onDidTriggerButton(() => {
      setPrompt(
        picker,
        isErrorsOnly() ? t('Only errors of what you select are followed.') : undefined,
      );
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
    void load(whileOpen);
  });
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
