import '@vscode-elements/elements/dist/vscode-button/index.js';
import '../logExplorer/base.css';
import './comparison.css';
import { readComparisonState } from '../../src/logs/explorer/protocol/comparisonMessages';
import { connectPanel, createStrings } from '../logExplorer/panel';
import { createHead, type ComparisonHead } from './head';
import type { ComparisonHost } from './panel';
import { createTable, type Table } from './table';

let parts: { readonly head: ComparisonHead; readonly table: Table } | undefined;

const panel: ComparisonHost = connectPanel(
  {
    start: ({ strings, locale }) => void (parts ??= build(createStrings(strings, locale))),
    view({ view }) {
      parts?.head.show(view);
      parts?.table.show(view);
      const { now, before } = view.sides ?? {};
      if (now && before) panel.save({ now: now.query, before: before.query });
    },
    problem: ({ message }) => parts?.head.fail(new Error(message)),
  },
  readComparisonState,
);

function build(strings: ReturnType<typeof createStrings>): NonNullable<typeof parts> {
  const root = document.getElementById('page') ?? document.body;
  document.title = strings('comparison.title');
  const head = createHead((kind, rest) => panel.ask(kind, rest), strings);
  const table = createTable((kind, rest) => panel.ask(kind, rest), strings, head.fail);
  root.append(head.element, table.element);
  return { head, table };
}
