import type { SearchTools } from './searchTools';
import { createLogExports, type ExportServices } from './exportLogs';
import type { LogTexts } from './openAsText';
import { createSearchSaving } from './saveSearch';
import { createSearchLinks } from './searchLinks';

/** What the Log Explorer offers beside searching. */
export function createSearchTools(services: ExportServices, texts: LogTexts): SearchTools {
  return {
    ...createSearchSaving(services),
    ...createSearchLinks(services),
    ...createLogExports(services),
    openAsText: (logs) => texts.openAsText(logs),
  };
}
