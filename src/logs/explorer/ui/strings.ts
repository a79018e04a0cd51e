import * as vscode from 'vscode';
import { textLocale } from '../../../vscode/numbers';
import { queryWords } from './queryStrings';

const { t } = vscode.l10n;

/**
 * All strings of the page, by the ids that its code knows them by. What depends on records comes in
 * words with the view. `{0}` and so on are for the page to fill in.
 */
export function pageStrings() {
  return {
    ...queryWords(),
    /** Whose plural forms these words have. */
    language: textLocale,
    title: t('Log Explorer'),
    'severity.trace': t('trace'),
    'severity.debug': t('debug'),
    'severity.info': t('info'),
    'severity.warn': t('warning'),
    'severity.error': t('error'),
    'severity.fatal': t('fatal'),
    'severity.unknown': t('unknown'),
    listLabel: t('Log Records'),
    listTime: t('Time'),
    listSeverity: t('Severity'),
    listWorkload: t('Workload'),
    listBody: t('Body'),
    listIdle: t('Type a query and press Enter to search.'),
    listNone: t('No record matches the query.'),
    newRecords: t('{0} New', '{0}'),
    goOn: t('Resume'),
    findLabel: t('Find in Loaded Records'),
    findMatchCase: t('Match Case'),
    findPrevious: t('Previous Match'),
    findNext: t('Next Match'),
    findClose: t('Close'),
    findCount: t('{0} of {1}', '{0}', '{1}'),
    findNone: t('No Results'),
    findWorking: t('Searching…'),
    detailsActions: t('What Can Be Done with the Record'),
    detailsClose: t('Close Details'),
    detailsSplitter: t('Size of the Details'),
    detailsFields: t('Fields'),
    detailsAttributes: t('Attributes'),
    detailsOnly: t('Add to Query'),
    detailsExclude: t('Exclude'),
    detailsCopyValue: t('Copy Value'),
    detailsFormat: t('Format JSON'),
    detailsOpenFrame: t('Open in the Editor'),
    detailsTrace: t('Show Trace'),
    detailsContext: t('Show Context'),
    detailsDeployment: t('Show Deployment'),
    detailsResource: t('Show Resource'),
    detailsCopyJson: t('Copy as JSON'),
    detailsCopyLine: t('Copy Line'),
  } as const;
}

/** An id of a string. */
export type StringId = keyof ReturnType<typeof pageStrings>;
