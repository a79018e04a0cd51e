import * as vscode from 'vscode';
import type { LogRecord } from '../../../api/types';
import { compareNames } from '../../../base/textFormat';
import { labelText } from '../../../base/untrustedText';
import { StoredPerConnection } from '../../../connection/perConnection';
import type { Session } from '../../../connection/ui/session';
import type { Names } from '../../../data/knownNames';
import { showBox } from '../../../vscode/quickInput';
import { logSettings, logTimeZone } from '../../../vscode/settings';
import { unambiguousNames } from '../../query/searchQuery';
import type { QueryMemory } from '../../query/ui/queryMemory';
import type { Handlers } from '../protocol/messages';
import {
  type Column,
  defaultLayout,
  type ListLayout,
  type LogRow,
  longestField,
  mostColumns,
  readListLayout,
} from '../protocol/view';
import { recordFields, shownAttribute } from '../recordFields';
import { createReadColumns, createRowFormat } from '../recordRows';

const { t } = vscode.l10n;

/** How the list shows records. Each connection has its own layout. */
interface LayoutRequests {
  readonly layout: ListLayout;
  readonly timeZone: string;
  rowOf(record: LogRecord): LogRow;
  /** Formats rows with the current columns, settings and time zone from now on. */
  update(): void;
  readonly handlers: Pick<Handlers, 'layOut' | 'pickColumns'>;
}

const key = 'logExplorer.layouts';

/**
 * @param onNewColumns the rows need values that they do not have.
 * @param onPick the user picked other columns: the page does not know them.
 */
export function createLayoutRequests(
  session: Session,
  names: Names,
  memory: QueryMemory,
  workspaceState: vscode.Memento,
  onNewColumns: () => void,
  onPick: () => void,
): LayoutRequests {
  const stored = new StoredPerConnection(session, workspaceState, key, readListLayout);
  const current = (): ListLayout => stored.value ?? defaultLayout;
  const change = (layout: ListLayout): void => {
    const before = new Set(current().columns.map(({ field }) => field));
    stored.set(layout);
    if (current().columns.some(({ field }) => !before.has(field))) onNewColumns();
  };
  const newFormat = (): { timeZone: string; rowOf: (record: LogRecord) => LogRow } => {
    const timeZone = logTimeZone(session);
    const fields = current().columns.map(({ field }) => field);
    const readColumns = createReadColumns(fields, timeZone, unambiguousNames(names));
    return { timeZone, rowOf: createRowFormat(timeZone, logSettings(), readColumns) };
  };
  let format = newFormat();

  return {
    get layout() {
      return current();
    },
    get timeZone() {
      return format.timeZone;
    },
    rowOf: (record) => format.rowOf(record),
    update() {
      format = newFormat();
    },
    handlers: {
      layOut: ({ layout }) => change(layout),
      async pickColumns() {
        const lifetime = session.signedIn?.signal ?? AbortSignal.abort();
        const fields = await pickFields(
          current().columns.map(({ field }) => field),
          memory.knowledge.attributes().map(shownAttribute),
          lifetime,
        );
        if (fields === undefined || lifetime.aborted) return;
        const layout = current();
        change({ ...layout, columns: withFields(layout.columns, fields) });
        onPick();
      },
    },
  };
}

/** The columns that stay keep their order and widths; new ones come after them. */
function withFields(columns: readonly Column[], fields: readonly string[]): Column[] {
  const kept = columns.filter(({ field }) => fields.includes(field));
  const added = fields.filter((one) => !columns.some(({ field }) => field === one));
  return [...kept, ...added.map((field) => ({ field }))];
}

interface Item extends vscode.QuickPickItem {
  readonly field?: string;
}

/** Asks which fields to show as columns. Undefined if the user dismissed it. */
function pickFields(
  shown: readonly string[],
  attributes: readonly string[],
  lifetime: AbortSignal,
): Promise<readonly string[] | undefined> {
  const itemOf = (field: string): Item => ({ label: labelText(field), field });
  const others = [...new Set([...shown, ...attributes])].filter(
    (field) => !recordFields.has(field) && field.length <= longestField,
  );
  const picker = vscode.window.createQuickPick<Item>();
  const title = t('Columns');
  picker.title = title;
  picker.placeholder = t('Select the fields to show as columns before the body');
  picker.canSelectMany = true;
  picker.items = [
    { label: t('Fields'), kind: vscode.QuickPickItemKind.Separator },
    ...[...recordFields.keys()].map(itemOf),
    { label: t('Attributes'), kind: vscode.QuickPickItemKind.Separator },
    ...others.sort(compareNames).map(itemOf),
  ];
  picker.selectedItems = picker.items.filter(({ field = '' }) => shown.includes(field));
  return showBox<readonly string[]>(picker, lifetime, (answer) => {
    picker.onDidAccept(() => {
      const fields = picker.selectedItems.flatMap(({ field }) => field ?? []);
      if (fields.length <= mostColumns) answer(fields);
      // A quick pick has no validation message, so the title shows it.
      else picker.title = `${title}: ${t('Select at most {0}.', mostColumns)}`;
    });
  });
}
