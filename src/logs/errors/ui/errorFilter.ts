import * as vscode from 'vscode';
import { compareNames, someNames } from '../../../base/textFormat';
import { knownNames, type Names } from '../../../data/knownNames';
import { isUuid } from '../../../data/targets';
import type { ConnectionData } from '../../../data/ui/connectionData';
import { labelText, plainText } from '../../../base/plainText';
import { registerCommand } from '../../../vscode/commands';
import { commands } from '../../../vscode/contributions';
import { type ChosenWorkload, errorRanges, type ErrorRange, type ErrorScope } from '../errorScope';
import { mostWorkloads } from '../../query/filter';
import type { Errors } from './errors';

const { t } = vscode.l10n;

interface FilterServices {
  readonly errors: Errors;
  readonly data: ConnectionData;
  readonly names: Names;
}

/** The commands for what the view shows, and in which order. */
export function registerErrorFilter(services: FilterServices): vscode.Disposable {
  const { errors } = services;
  const filter = (): Promise<void> => changeFilter(services);
  return vscode.Disposable.from(
    registerCommand(commands.filterErrors, filter),
    // The same with a filled icon, for when a filter is set.
    registerCommand(commands.changeErrorsFilter, filter),
    registerCommand(commands.resetErrorsFilter, () =>
      errors.changeScope({ workloads: 'all', environment: undefined }),
    ),
    registerCommand(commands.sortErrors, () => changeSorting(errors)),
  );
}

interface ScopeItem extends vscode.QuickPickItem {
  /** What changes; `choose`: asks for workloads. */
  readonly change?: Partial<ErrorScope> | 'choose';
}

async function changeFilter(services: FilterServices): Promise<void> {
  const { errors } = services;
  const chosen = await vscode.window.showQuickPick(scopeItems(errors.memory.scope), {
    title: t('Filter {0}', t('Errors')),
    placeHolder: t('Choose a range, workloads or an environment'),
  });
  if (chosen?.change === undefined) return;
  if (chosen.change !== 'choose') {
    errors.changeScope(chosen.change);
    return;
  }
  const { signedIn } = services.data.session;
  const workloads = await chooseWorkloads(services);
  // They are those of the connection that was signed in.
  if (workloads === undefined || signedIn !== services.data.session.signedIn) return;
  errors.changeScope({ workloads });
}

function scopeItems({ range, workloads, environment }: ErrorScope): ScopeItem[] {
  const item = (label: string, isNow: boolean, change: ScopeItem['change']): ScopeItem => ({
    label,
    ...(isNow ? { description: t('current') } : {}),
    iconPath: new vscode.ThemeIcon(isNow ? 'check' : 'blank'),
    ...(change === undefined ? {} : { change }),
  });
  const group = (label: string): ScopeItem => ({
    label,
    kind: vscode.QuickPickItemKind.Separator,
  });
  const ranges = Object.keys(errorRanges) as ErrorRange[];
  return [
    group(t('Range')),
    ...ranges.map((one) => item(rangeText(one), one === range, { range: one })),
    group(t('Workloads')),
    item(t('Of this folder if known'), workloads === 'auto', { workloads: 'auto' }),
    item(t('Of this folder only'), workloads === 'folder', { workloads: 'folder' }),
    item(t('All workloads'), workloads === 'all', { workloads: 'all' }),
    item(t('Choose…'), typeof workloads === 'object', 'choose'),
    group(t('Environment')),
    ...([undefined, 'production', 'preview'] as const).map((one) =>
      item(environmentText(one), one === environment, { environment: one }),
    ),
  ];
}

/** Undefined if cancelled, or none was chosen. */
async function chooseWorkloads({
  errors,
  data,
  names,
}: FilterServices): Promise<readonly ChosenWorkload[] | undefined> {
  const { workloads } = errors.memory.scope;
  const before = typeof workloads === 'object' ? workloads : [];
  const known = new Map<string, string>();
  const add = (id: string, name: string): void => {
    if (isUuid(id)) known.set(id, name);
  };
  for (const { kind, id, name } of knownNames(data.context)) if (kind === 'workload') add(id, name);
  for (const { id, name } of names.all('workload')) add(id, name);
  for (const { workloads: seen } of errors.all) for (const { id, name } of seen) add(id, name);
  for (const { id, name } of before) add(id, name);
  const items = [...known]
    .map(([id, name]) => ({
      label: labelText(name),
      description: labelText(id),
      id,
      name,
      picked: before.some((one) => one.id === id),
    }))
    .sort((one, other) => compareNames(one.label, other.label));
  const chosen = await vscode.window.showQuickPick(items, {
    title: t('Workloads'),
    placeHolder:
      items.length === 0
        ? t('No workload is known yet. Show the errors of all workloads first.')
        : t('Choose at most {0}', mostWorkloads),
    canPickMany: true,
    matchOnDescription: true,
  });
  if (chosen === undefined || chosen.length === 0) return undefined;
  return chosen.slice(0, mostWorkloads).map(({ id, name }) => ({ id, name }));
}

async function changeSorting(errors: Errors): Promise<void> {
  const { scope } = errors.memory;
  const items = (['newest', 'frequent'] as const).map((sorting) => ({
    label:
      sorting === 'newest'
        ? t('By Last Occurrence: Newest First')
        : t('By Count: Most Frequent First'),
    ...(sorting === scope.sorting ? { description: t('current') } : {}),
    iconPath: new vscode.ThemeIcon(sorting === scope.sorting ? 'check' : 'blank'),
    sorting,
  }));
  const chosen = await vscode.window.showQuickPick(items, { title: t('Sort {0}', t('Errors')) });
  if (chosen !== undefined) errors.changeScope({ sorting: chosen.sorting });
}

/** Such as `24 h`. */
export function rangeText(range: ErrorRange): string {
  switch (range) {
    case '1h':
      return t('1 h');
    case '24h':
      return t('24 h');
    case '7d':
      return t('7 d');
  }
}

/** What the view shows, next to its title. */
export function scopeText({ memory: { scope }, isOfFolder }: Errors): string {
  const { range, workloads, environment } = scope;
  const which =
    typeof workloads === 'object'
      ? plainText(
          someNames(
            workloads.map(({ name }) => name),
            t,
          ) ?? '',
          80,
        )
      : isOfFolder || workloads === 'folder'
        ? t('this folder')
        : t('all workloads');
  const parts = [rangeText(range), which, environment && environmentText(environment)];
  return parts.filter((part) => part !== undefined).join(' · ');
}

function environmentText(environment: ErrorScope['environment']): string {
  switch (environment) {
    case 'production':
      return t('production');
    case 'preview':
      return t('preview');
    case undefined:
      return t('any environment');
  }
}
