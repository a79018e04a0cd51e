import * as vscode from 'vscode';
import { views } from '../../vscode/contributions';
import type { WorkspaceData } from './workspaceData';
import { sourceNodes } from '../sources/sourceNodes';
import { leftWords } from './viewText';
import { registerWorkspaceView, type RegisteredView } from './workspaceView';

/** What runs where: sources with their environments, apps and jobs, deployments and secret key names. */
export function registerSourcesView(data: WorkspaceData, memento: vscode.Memento): RegisteredView {
  return registerWorkspaceView(
    {
      id: views.sources,
      title: vscode.l10n.t('Sources'),
      roots: sourceNodes,
      topics: () => [],
      names: ({ sources }) =>
        sources().flatMap(({ id }) => [
          { kind: 'resources', sourceId: id },
          { kind: 'secrets', sourceId: id },
        ]),
      count: ({ sources }) => sources().length,
      note: () => leftWords(data.known.left('sources')),
    },
    data,
    memento,
  );
}
