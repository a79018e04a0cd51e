import * as vscode from 'vscode';
import { plainText } from '../../text/plainText';
import { onAbort } from '../../vscode/notifications';
import { counted } from '../../vscode/numbers';
import type { SignedInConnection } from '../../connection/signedIn';
import type { Discovery } from '../discovery/discovery';
import type { FollowLogs, NodeTarget } from '../tree/nodes';
import { countText } from './discoveryText';

const { t } = vscode.l10n;

/** The position of a box in a series. */
export interface Steps {
  readonly step: number;
  readonly totalSteps: number;
}

interface Item extends vscode.QuickPickItem {
  /** Undefined: follow nothing yet. */
  readonly follow: NodeTarget['follow'];
}

/**
 * The last box of *Connect…*: says what the control plane runs as soon as it is found, and asks what to
 * follow. It can be answered before that.
 *
 * @param finding undefined if the discovery was cancelled.
 * @returns whether the user answered; false if the box was dismissed.
 */
export async function askWhatToFollow(
  signedIn: SignedInConnection,
  finding: Promise<Discovery | undefined>,
  followLogs: FollowLogs,
  { step, totalSteps }: Steps,
): Promise<boolean> {
  const box = vscode.window.createQuickPick<Item>();
  const name = plainText(signedIn.connection.name, 64);
  box.title = t('Connected to {0}', name);
  box.step = step;
  box.totalSteps = totalSteps;
  box.ignoreFocusOut = true;
  box.placeholder = t('Looking for apps and servers…');
  box.busy = true;
  box.items = items();
  void finding.then(
    (found) => {
      box.busy = false;
      box.placeholder = foundText(found);
    },
    () => (box.busy = false),
  );
  let release: (() => void) | undefined;
  try {
    const chosen = await new Promise<Item | undefined>((resolve) => {
      box.onDidAccept(() => resolve(box.selectedItems[0]));
      box.onDidHide(() => resolve(undefined));
      box.show();
      release = onAbort(signedIn.signal, () => resolve(undefined));
    });
    if (chosen?.follow !== undefined) await followLogs(chosen.follow, signedIn);
    return chosen !== undefined;
  } finally {
    release?.();
    box.dispose();
  }
}

function items(): readonly Item[] {
  return [
    {
      label: t('$(error) Follow Errors'),
      description: 'severity:error,fatal',
      follow: { filter: { severities: ['error', 'fatal'] }, label: t('errors') },
    },
    { label: t('$(broadcast) Follow Everything'), follow: { filter: {}, label: t('everything') } },
    { label: t('$(circle-slash) Nothing Yet'), follow: undefined },
  ];
}

/** Such as `Found 4 sources, and 12 apps and jobs on 3 servers. What do you want to follow?` */
function foundText(discovery: Discovery | undefined): string {
  const question = t('What do you want to follow?');
  const { workloads = 0, sources = [], servers = [] } = discovery ?? {};
  if (workloads + sources.length + servers.length === 0) return question;
  const apps = counted(workloads, '{0} app or job', '{0} apps and jobs');
  const found = t(
    'Found {2}, and {0} on {1}.',
    apps,
    countText(0, servers.length),
    counted(sources.length, '{0} source', '{0} sources'),
  );
  return `${found} ${question}`;
}
