import * as vscode from 'vscode';
import { membersOf } from '../../api/lenient';
import { labelText, plainText } from '../../text/plainText';
import { commands } from '../../vscode/contributions';
import type { Diagnostics } from '../../vscode/diagnostics';
import { announce, showFailure } from '../../vscode/notifications';
import { ask, back } from '../../vscode/quickInput';
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
} from '../targets';
import { createLabels, idText } from '../tree/labels';
import { changeTargets, type TargetKind, placeOf } from './targets';
import { isRow, type WorkspaceViews } from './treeRegistry';
import type { WorkspaceData } from './workspaceData';

const { t } = vscode.l10n;

export interface KnownThingServices {
  readonly data: WorkspaceData;
  readonly views: WorkspaceViews;
  readonly diagnostics: Diagnostics;
}

/** `addSource`, `addServer`, `rename` and `remove`: the lists of what the API does not list. */
export function registerTargetCommands(services: KnownThingServices): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.commands.registerCommand(commands.addSource, (argument) =>
      add(services, 'sources', argument),
    ),
    vscode.commands.registerCommand(commands.addServer, (argument) =>
      add(services, 'servers', argument),
    ),
    vscode.commands.registerCommand(commands.rename, (argument) => rename(services, argument)),
    vscode.commands.registerCommand(commands.remove, (argument) => remove(services, argument)),
  );
}

/** Asks, or takes `{ id, label? }`. True where the list has it now. */
async function add(
  services: KnownThingServices,
  kind: TargetKind,
  argument: unknown,
): Promise<boolean> {
  try {
    // The title of a view calls its commands with the row that has the focus there.
    const isAsked = argument === undefined || argument === null || isRow(argument);
    const thing = isAsked ? await askForThing(services, kind) : thingOf(argument);
    if (thing === undefined) return false;
    await changeTargets(kind, (setting) => addTarget(setting, thing), 'user');
    const name = thing.label ?? shortId(thing.id);
    announce(t('Added {0}', name));
    return true;
  } catch (error) {
    const what =
      kind === 'sources' ? t('The source was not added.') : t('The server was not added.');
    void showFailure(services.diagnostics, what, error);
    return false;
  }
}

/** @throws InvalidRequestError or Error that says what is wrong with the argument. */
function thingOf(argument: unknown): Target {
  const { id, label } = membersOf(argument);
  if (typeof id !== 'string') throw new Error(t('An id must be given as text.'));
  if (label !== undefined && typeof label !== 'string') {
    throw new Error(t('A label must be given as text.'));
  }
  return { id: parseId(id), ...(label === undefined ? {} : { label }) };
}

async function askForThing(
  { data }: KnownThingServices,
  kind: TargetKind,
): Promise<Target | undefined> {
  const title = kind === 'sources' ? t('Add a Source') : t('Add a Server');
  const known = data.known[kind]();
  let id: string | undefined = '';
  for (;;) {
    const typed = await ask({
      title,
      step: 1,
      totalSteps: 2,
      prompt: kind === 'sources' ? t('The id of the source.') : t('The id of the server.'),
      placeholder: '0b7d1c1e-4a52-4c1b-9f67-2d2a7f1f9a01',
      value: id,
      problemOf: (text) => problemOfId(text, known, nameIn(data, kind)),
    });
    if (typed === undefined || typed === back) return undefined;
    id = parseId(typed);
    const label = await ask({
      title,
      step: 2,
      totalSteps: 2,
      prompt: t('What do you want to call it? Leave it empty for what the API says of it.'),
      problemOf: problemOfLabel,
    });
    if (label === undefined) return undefined;
    if (label !== back) return { id, ...(label === '' ? {} : { label }) };
  }
}

function problemOfId(
  text: string,
  known: readonly Target[],
  nameOf: (thing: Target) => string,
): string | undefined {
  if (text.trim() === '') return t('Enter an id.');
  if (!isUuid(text.trim())) {
    return t('This is not an id: 32 hexadecimal digits in five groups, such as {0}.', example);
  }
  const id = parseId(text);
  // What the workspace shares may become one's own, under a name of one's own.
  const there = known.find((one) => one.id === id && !one.isOfWorkspace);
  return there && t('It is in the list already: {0}.', plainText(nameOf(there)));
}

const example = '0b7d1c1e-4a52-4c1b-9f67-2d2a7f1f9a01';

function problemOfLabel(label: string): string | undefined {
  return label.length > maxLabel ? t('At most {0} characters.', maxLabel) : undefined;
}

async function rename(services: KnownThingServices, argument: unknown): Promise<void> {
  const chosen = await choose(services, argument, t('Rename which source or server?'));
  if (chosen === undefined) return;
  const { kind, thing } = chosen;
  const label = await ask({
    title: t('Rename {0}', plainText(nameIn(services.data, kind)(thing))),
    prompt: t('What do you want to call it? Leave it empty for what the API says of it.'),
    placeholder: plainText(nameIn(services.data, kind)({ id: thing.id })),
    value: thing.label ?? '',
    problemOf: problemOfLabel,
  });
  if (label === undefined || label === back) return;
  try {
    await changeTargets(kind, (setting) => renameTarget(setting, thing.id, label), placeOf(thing));
  } catch (error) {
    void showFailure(services.diagnostics, t('It was not renamed.'), error);
  }
}

/** Nothing is lost that could not be added again, so nobody is asked: a button takes it back. */
async function remove(services: KnownThingServices, argument: unknown): Promise<void> {
  const chosen = await choose(
    services,
    argument,
    t('Remove which source or server from the list?'),
  );
  if (chosen === undefined) return;
  const { kind, thing } = chosen;
  const place = placeOf(thing);
  const name = plainText(nameIn(services.data, kind)(thing));
  let before: unknown;
  try {
    const take = (setting: unknown): unknown[] => {
      before = setting;
      return removeTarget(setting, thing.id);
    };
    await changeTargets(kind, take, place);
    const undo = t('Undo');
    const message = t('{0} is not in the list any more. Nothing has changed where it runs.', name);
    if ((await vscode.window.showInformationMessage(message, undo)) !== undo) return;
    await changeTargets(kind, (setting) => restoreTarget(setting, thing.id, before), place);
  } catch (error) {
    void showFailure(services.diagnostics, t('The list could not be changed.'), error);
  }
}

interface Chosen {
  readonly kind: TargetKind;
  readonly thing: Target;
}

/** The source or server of the row, of the selected one, or the one that is picked. */
async function choose(
  { data, views }: KnownThingServices,
  argument: unknown,
  question: string,
): Promise<Chosen | undefined> {
  const node = views.nodeOf(argument);
  const kinds = ['sources', 'servers'] as const;
  const all = kinds.flatMap((kind) => data.known[kind]().map((thing) => ({ kind, thing })));
  const kindOfNode =
    node?.kind === 'source' ? 'sources' : node?.kind === 'server' ? 'servers' : undefined;
  const found = all.find(({ kind, thing }) => kind === kindOfNode && thing.id === node?.target.id);
  // A row that is gone, or another one, is no reason to ask about something else.
  if (found !== undefined || isRow(argument)) return found;
  const items = all.map((one) => ({
    label: labelText(nameIn(data, one.kind)(one.thing)),
    description: idText(one.thing, t),
    iconPath: new vscode.ThemeIcon(one.kind === 'sources' ? 'repo' : 'server'),
    chosen: one,
  }));
  return (await vscode.window.showQuickPick(items, { placeHolder: question }))?.chosen;
}

/** What the trees call it. */
function nameIn({ context }: WorkspaceData, kind: TargetKind): (thing: Target) => string {
  const labels = createLabels(context);
  return (thing) => (kind === 'sources' ? labels.source(thing) : labels.server(thing));
}
