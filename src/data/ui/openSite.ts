import * as vscode from 'vscode';
import { dotted } from '../../base/textFormat';
import { labelText, plainText } from '../../base/untrustedText';
import { pickOne } from '../../vscode/quickInput';
import { siteHost } from '../sites';

const { t } = vscode.l10n;

/** A site that can be opened. */
export interface Site {
  /** As `httpsUrl` returns it. */
  readonly url: string;
  /** What runs there. Untrusted. */
  readonly detail?: string;
}

/**
 * Opens one of the sites. Their addresses come from the control plane, so the user sees the whole host before, also
 * of a single one: VS Code asks only about hosts that are not trusted. True if one was opened.
 *
 * @param lifetime of the connection.
 */
export async function openSite(sites: readonly Site[], lifetime: AbortSignal): Promise<boolean> {
  if (sites.length === 0) return false;
  const items = sites.map(({ url, detail }) => {
    const { label, path } = siteHost(url);
    return {
      label: labelText(label),
      description: labelText(dotted([path, detail])),
      iconPath: new vscode.ThemeIcon('link-external'),
      url,
    };
  });
  const chosen = await pickOne(items, { placeHolder: t('Select a site to open') }, lifetime);
  if (chosen === undefined || !(await confirmLongHost(chosen.url)) || lifetime.aborted)
    return false;
  return vscode.env.openExternal(vscode.Uri.parse(chosen.url, true));
}

/** A line of a box would cut a long host, which can hide whose site it is; a dialog shows all of it. */
async function confirmLongHost(url: string): Promise<boolean> {
  const { host, isWhole } = siteHost(url);
  if (isWhole) return true;
  const open = t('Open');
  const options = { modal: true, detail: plainText(host, host.length) };
  return (await vscode.window.showWarningMessage(t('Open this site?'), options, open)) === open;
}
