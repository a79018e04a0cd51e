import * as vscode from 'vscode';
import { views } from '../../vscode/contributions';
import type { WorkspaceData } from './workspaceData';
import { integrationNodes, integrationTopics } from '../integrations/integrationNodes';
import { registerWorkspaceView, type RegisteredView } from './workspaceView';

/** What the workspace is connected to: integrations by category, and its repositories. */
export function registerIntegrationsView(
  data: WorkspaceData,
  memento: vscode.Memento,
): RegisteredView {
  return registerWorkspaceView(
    {
      id: views.integrations,
      title: vscode.l10n.t('Integrations'),
      roots: integrationNodes,
      topics: integrationTopics,
    },
    data,
    memento,
  );
}
