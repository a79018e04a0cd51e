import * as vscode from 'vscode';
import { membersOf } from '../../base/json';
import { labelText, plainText } from '../../base/untrustedText';
import { Labels, idText } from '../../data/labels';
import {
  addTarget,
  isUuid,
  type Target,
  maxLabel,
  parseId,
  removeTarget,
  renameTarget,
  restoreTarget,
  shortId,
} from '../../data/targets';
import type { ConnectionData } from '../../data/ui/connectionData';
import { changeTargets, type TargetKind, placeOf } from '../../data/ui/targetSettings';
import { registerCommand } from '../../vscode/commands';
import { commands } from '../../vscode/contributions';
import type { Diagnostics } from '../../vscode/diagnostics';
import { UserError } from '../../vscode/errorMessages';
import { announce } from '../../vscode/notifications';
import { ask, back } from '../../vscode/quickInput';
import { isRow } from './treeRow';
import type { Views } from './views';

const { t } = vscode.l10n;

/** `addSource`, `addServer`, `rename` and `remove`: change the lists of sources and servers. */
export function registerTargetCommands(
  data: ConnectionData,
  views: Views,
  diagnostics: Diagnostics,
): vscode.Disposable {
  return vscode.Disposable.from(
    registerCommand(commands.addSource, (argument) => add(data, 'sources', argument), {
      diagnostics,
      failed: t('Could not add the source.'),
    }),
    registerCommand(commands.addServer, (argument) => add(data, 'servers', argument), {
      diagnostics,
      failed: t('Could not add the server.'),
    }),
    registerCommand(commands.rename, (argument) => rename(data, views, argument), {
      diagnostics,
      failed: t('Could not rename it.'),
    }),
    registerCommand(commands.remove, (argument) => remove(data, views, argument), {
      diagnostics,
      failed: t('Could not change the list.'),
    }),
  );
}

/** Asks for an id and a label, or takes `{ id, label? }`. Resolves with true if it is in the list now. */
async function add(data: ConnectionData, kind: TargetKind, argument: unknown): Promise<boolean> {
  // The title of a view passes its focused row.
  const isAsked = argument === undefined || argument === null || isRow(argument);
  const target = isAsked ? await askForTarget(data, kind) : readArgument(argument);
  if (target === undefined) return false;
  const listed = data.targets[kind]().find(({ id }) => id === target.id);
  if (!isAsked && listed !== undefined) {
    // Nothing changes, also if the folder lists it: an entry of the user's would hide its label.
    announce(t('Already in the list: {0}.', nameIn(data, kind)(listed)));
    return true;
  }
  await changeTargets(kind, (setting) => addTarget(setting, target), 'user');
  announce(t('Added: {0}', target.label ?? shortId(target.id)));
  return true;
}

/** @throws InvalidRequestError or UserError that says what is wrong with the argument. */
function readArgument(argument: unknown): Target {
  const { id, label } = membersOf(argument);
  if (typeof id !== 'string') throw new UserError(t('The ID must be a string.'));
  if (label !== undefined && typeof label !== 'string') {
    throw new UserError(t('The label must be a string.'));
  }
  return { id: parseId(id), ...(label === undefined ? {} : { label, labelledBy: 'program' }) };
}

async function askForTarget(data: ConnectionData, kind: TargetKind): Promise<Target | undefined> {
  const title = kind === 'sources' ? t('Add Source') : t('Add Server');
  const known = data.targets[kind]();
  let id: string | undefined = '';
  for (;;) {
    const typed = await ask({
      title,
      step: 1,
      totalSteps: 2,
      prompt:
        kind === 'sources' ? t('Enter the ID of the source.') : t('Enter the ID of the server.'),
      placeholder: example,
      value: id,
      problemOf: (text) => problemOfId(text, known, nameIn(data, kind)),
    });
    if (typed === undefined || typed === back) return undefined;
    id = parseId(typed);
    const label = await ask({
      title,
      step: 2,
      totalSteps: 2,
      prompt: t('Enter a label, or leave it empty to use the name from the API.'),
      problemOf: problemOfLabel,
    });
    if (label === undefined) return undefined;
    if (label !== back) return { id, ...(label === '' ? {} : { label }) };
  }
}

function problemOfId(
  text: string,
  known: readonly Target[],
  nameOf: (target: Target) => string,
): string | undefined {
  if (text.trim() === '') return t('Enter an ID.');
  if (!isUuid(text.trim())) return t('Enter a UUID, such as {0}.', example);
  const id = parseId(text);
  // An entry of the workspace can be added to the user's own list.
  const listed = known.find((one) => one.id === id && !one.isOfWorkspace);
  return listed && t('Already in the list: {0}.', plainText(nameOf(listed)));
}

const example = '0b7d1c1e-4a52-4c1b-9f67-2d2a7f1f9a01';

function problemOfLabel(label: string): string | undefined {
  return label.length > maxLabel ? t('At most {0} characters.', maxLabel) : undefined;
}

async function rename(data: ConnectionData, views: Views, argument: unknown): Promise<void> {
  const chosen = await choose(data, views, argument, t('Select a source or server to rename'));
  if (chosen === undefined) return;
  const { kind, target } = chosen;
  const label = await ask({
    title: t('Rename {0}', plainText(nameIn(data, kind)(target))),
    prompt: t('Enter a label, or leave it empty to use the name from the API.'),
    placeholder: plainText(nameIn(data, kind)({ id: target.id })),
    value: target.label ?? '',
    problemOf: problemOfLabel,
  });
  if (label === undefined || label === back) return;
  const change = (setting: unknown): unknown[] => renameTarget(setting, target.id, label);
  await changeTargets(kind, change, placeOf(target));
}

/** Removes without asking, because *Undo* adds the entry back. */
async function remove(data: ConnectionData, views: Views, argument: unknown): Promise<void> {
  const chosen = await choose(data, views, argument, t('Select a source or server to remove'));
  if (chosen === undefined) return;
  const { kind, target } = chosen;
  const place = placeOf(target);
  const name = plainText(nameIn(data, kind)(target));
  let before: unknown;
  const withoutTarget = (setting: unknown): unknown[] => {
    before = setting;
    return removeTarget(setting, target.id);
  };
  await changeTargets(kind, withoutTarget, place);
  const undo = t('Undo');
  const message = t('Removed {0} from the list. The control plane is not changed.', name);
  if ((await vscode.window.showInformationMessage(message, undo)) !== undo) return;
  await changeTargets(kind, (setting) => restoreTarget(setting, target.id, before), place);
}

interface Chosen {
  readonly kind: TargetKind;
  readonly target: Target;
}

/** The source or server of the row, or of the selected one from a key, or one that the user picks. */
async function choose(
  data: ConnectionData,
  views: Views,
  argument: unknown,
  placeHolder: string,
): Promise<Chosen | undefined> {
  const isAlone = argument === undefined || argument === null;
  const node = isRow(argument) ? views.nodeOf(argument) : isAlone ? views.selected : undefined;
  const kinds = ['sources', 'servers'] as const;
  const all = kinds.flatMap((kind) => data.targets[kind]().map((target) => ({ kind, target })));
  const found = all.find(
    ({ kind, target }) => kind === `${node?.kind}s` && target.id === node?.target.id,
  );
  // Does not ask if the row is gone or is of another kind.
  if (found !== undefined || isRow(argument)) return found;
  const items = all.map((one) => ({
    label: labelText(nameIn(data, one.kind)(one.target)),
    description: idText(one.target, t),
    iconPath: new vscode.ThemeIcon(one.kind === 'sources' ? 'repo' : 'server'),
    chosen: one,
  }));
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.chosen;
}

/** The labels that the trees show. */
function nameIn({ context }: ConnectionData, kind: TargetKind): (target: Target) => string {
  const labels = new Labels(context);
  return (target) => (kind === 'sources' ? labels.source(target) : labels.server(target));
}
