import * as vscode from 'vscode';
import { act, registerActivityActions } from './actions/ui/activityActions';
import { registerCleanUpOrphans } from './actions/ui/cleanUpOrphans';
import { askAboutUnknown } from './actions/ui/cleanUpQuestions';
import { createForeground } from './actions/ui/foreground';
import { registerRetryPreviewReporting } from './actions/ui/retryPreviewReporting';
import { registerSyncEnvironment } from './actions/ui/syncEnvironment';
import { createSessionActivity } from './actions/ui/sessionActivity';
import { registerActivityView, registerRunningBadge } from './actions/ui/activityView';
import type { Activity } from './actions/activity';
import type { LateServices, WorkspaceFeatures } from './workspaceFeatures';

/** What the parts that come after this one share with it. */
export interface ActionFeatures {
  readonly activity: Activity;
  dispose(): void;
}

/**
 * The list of features that change something, and what became of it. A part of the extension as
 * `workspaceFeatures.ts` is, loaded after that; nothing but `extension.ts` may import it.
 */
export function registerActionFeatures(
  { diagnostics, lateCommands, workspaceState, globalStorage }: LateServices,
  { data, views, reports, news }: WorkspaceFeatures,
): ActionFeatures {
  const kept = createSessionActivity({
    data,
    diagnostics,
    globalStorage,
    ask: (entry, lifetime) => askAboutUnknown(entry, { reports, lifetime }),
  });
  const { activity } = kept;
  const activities = registerActivityView(data, activity, workspaceState);
  views.add(activities);
  const actions = { data, activity, views, reports };
  const foreground = createForeground({
    data,
    activity,
    act: (offer, entry) => act(actions, offer, entry),
  });
  const acting = { data, activity, views, foreground, diagnostics, lateCommands };
  const features = vscode.Disposable.from(
    kept,
    registerRunningBadge(activities, activity),
    foreground,
    registerActivityActions(actions, foreground, lateCommands),
    registerSyncEnvironment({ ...acting, news }),
    registerCleanUpOrphans({ ...acting, reports }),
    registerRetryPreviewReporting(acting),
  );
  return { activity, dispose: () => void features.dispose() };
}
