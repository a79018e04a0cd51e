import type { Row } from '../../src/logs/explorer/panel/messages';

/** What VS Code decides by, which items the menu of a row has (`webview/context` in package.json). */
export function menuContext({ key, hasTrace, hasContext }: Row): Record<string, unknown> {
  return {
    webviewSection: 'controlPlaneRecord',
    recordKey: key,
    controlPlaneRecordHasTrace: hasTrace,
    controlPlaneRecordHasContext: hasContext,
  };
}
