import * as errors from '../../../src/api/errors';
import { rangesOfOther } from '../../../src/logs/explorer/comparison';
import { readableDetails } from '../../../src/logs/explorer/details';
import * as editQuery from '../../../src/logs/explorer/editQuery';
import { extentOf } from '../../../src/logs/explorer/histogram';
import { RecordPatterns } from '../../../src/logs/explorer/recordPatterns';
import {
  readComparisonMessage,
  readComparisonState,
} from '../../../src/logs/explorer/protocol/comparisonMessages';
import { pageHtml } from '../../../src/logs/explorer/protocol/html';
import { readPageState, readToPanel } from '../../../src/logs/explorer/protocol/messages';
import { readListLayout } from '../../../src/logs/explorer/protocol/view';
import * as recordFields from '../../../src/logs/explorer/recordFields';
import * as rows from '../../../src/logs/explorer/recordRows';
import { hasContext } from '../../../src/logs/explorer/recordsAround';
import { readPins } from '../../../src/logs/explorer/pins';
import { newsText, readWatched } from '../../../src/logs/explorer/searchWatch';
import * as recordLinks from '../../../src/logs/explorer/recordLinks';
import * as saved from '../../../src/logs/explorer/savedSearches';
import { traceWaterfall } from '../../../src/logs/explorer/waterfall';
import { csv, ndjson, textFormat } from '../../../src/logs/explorer/writeExport';
import { completionsAt } from '../../../src/logs/query/completion';
import * as fields from '../../../src/logs/query/fields';
import { fieldReader, matches, recordTest } from '../../../src/logs/query/matches';
import { canonicalFilter, withOnly, without } from '../../../src/logs/query/narrow';
import { parseQuery } from '../../../src/logs/query/parser';
import { readRecent, recentFor, SeenValues, withRecent } from '../../../src/logs/query/remembered';
import * as search from '../../../src/logs/query/searchQuery';
import { parseDuration, parseTimeExpression } from '../../../src/logs/query/timeExpression';
import * as tokens from '../../../src/logs/query/queryTokens';
import { ChannelLines, countLines } from '../../../src/logs/tail/channelLines';
import { tailMeaning } from '../../../src/logs/tail/reconnectPolicy';
import { readSavedTails } from '../../../src/logs/tail/savedTails';
import { filterKey } from '../../../src/logs/tail/tails';
import { day } from '../../../src/base/clock';
import { sampleRecord } from '../logs/sampleRecord';
import { counted, t, uuid } from '../trees/treeText';
import { type Reader, recordWith } from './recordWith';
import { now, orRefused, ruleWith } from './listingsWith';

const when = { now, timeZone: 'utc' };
const names = { when, resolve: () => [] };
const rowFormat = rows.createRowFormat(
  'utc',
  { bodies: 'readable', severity: 'body' },
  rows.createReadColumns(['attr.a'], 'utc'),
);
const asText = textFormat({ timeZone: 'utc', showAttributes: true });
const knowledge = (text: string): Parameters<typeof completionsAt>[2] => ({
  names: () => [{ id: uuid(3), name: text }],
  values: () => [text],
  attributes: () => [text],
  attributeValues: () => [text],
});

/** Every exported reader of text in the rooms of logs that are not in `readers.ts`. */
export const logReaders: Readonly<Record<string, Reader>> = {
  'logs/explorer/comparison rangesOfOther': (text) => {
    const side = { filter: { search: text }, range: { from: 0, to: day } };
    return orRefused(() => rangesOfOther({ now: side, before: side }));
  },
  'logs/explorer/details readableDetails': (text) =>
    readableDetails(recordWith(text), { timeZone: 'utc', filter: {} }),
  'logs/explorer/editQuery modelOf': (text) => editQuery.modelOf(text, names),
  'logs/explorer/editQuery shownRange': (text) =>
    editQuery.shownRange({ from: text, to: text }, 'utc'),
  'logs/explorer/editQuery applyEdit': (text) =>
    editQuery.applyEdit(
      'severity:error',
      { kind: 'exclude', field: 'service', value: text },
      names,
    ),
  'logs/explorer/editQuery chipsOf': (text) =>
    editQuery.chipsOf({ search: text, services: [text], attributes: [{ key: text, value: text }] }),
  'logs/explorer/histogram extentOf': (text) =>
    extentOf([{ ...recordWith(text), timestamp: text }]),
  'logs/explorer/recordPatterns RecordPatterns': (text) => {
    const patterns = new RecordPatterns();
    return patterns.templateOf(patterns.of(recordWith(text)));
  },
  'logs/explorer/protocol/comparisonMessages readComparisonMessage': (text) =>
    readComparisonMessage({ kind: text, request: text }),
  'logs/explorer/protocol/comparisonMessages readComparisonState': (text) =>
    readComparisonState({ now: text, before: text }),
  'logs/explorer/protocol/html pageHtml': (text) =>
    pageHtml({
      ...{ script: text, style: text, icons: text, cspSource: text, nonce: text, language: text },
      title: text,
    }),
  'logs/explorer/protocol/messages readToPanel': (text) =>
    readToPanel({ kind: 'request', id: 1, request: { kind: 'search', query: text } }),
  'logs/explorer/protocol/messages readPageState': (text) =>
    readPageState({ query: text, [text]: text }),
  'logs/explorer/protocol/view readListLayout': (text) =>
    readListLayout({ columns: [{ field: text }] }),
  'logs/explorer/recordFields isNamed': recordFields.isNamed,
  'logs/explorer/recordFields shownAttribute': recordFields.shownAttribute,
  'logs/explorer/recordFields fieldValueOf': (text) =>
    recordFields.fieldValueOf(recordWith(text), `attr.${text}`),
  'logs/explorer/recordRows capabilitiesOf': (text) =>
    rows.capabilitiesOf({ ...recordWith(text), traceId: text }),
  'logs/explorer/recordRows createRowFormat': (text) => rowFormat(recordWith(text)),
  'logs/explorer/recordRows createReadColumns': (text) =>
    rows.createReadColumns([`attr.${text}`, 'service'], 'utc')(recordWith(text)),
  'logs/explorer/recordsAround hasContext': (text) =>
    hasContext({ ...recordWith(text), timestamp: text }),
  'logs/explorer/savedSearches readSavedSearches': (text) =>
    saved.readSavedSearches([{ name: text, query: text, origin: text }]),
  'logs/explorer/savedSearches hasIds': saved.hasIds,
  'logs/explorer/savedSearches canRun': (text) =>
    saved.canRun({ name: text, query: text, origin: text }, 'a'),
  'logs/explorer/recordLinks linkToRecord': (text) =>
    recordLinks.linkToRecord(recordWith(text), `https://${text}`),
  'logs/explorer/pins readPins': (text) =>
    readPins([
      { eventId: text, containerId: 'c'.repeat(64), timestamp: text, source: text, note: text },
    ]),
  'logs/explorer/searchWatch newsText': (text) => newsText({ found: 1 }, text, { t, counted }),
  'logs/explorer/searchWatch readWatched': (text) =>
    readWatched([{ query: text, since: 1, found: 0 }]),
  'logs/explorer/recordLinks recordOfLink': (text) =>
    recordLinks.recordOfLink('/record', `q=${text}`),
  'logs/explorer/savedSearches linkedText': (text) => saved.linkedText('/record', text),
  'logs/explorer/savedSearches textOfLink': saved.textOfLink,
  'logs/explorer/savedSearches linkTo': saved.linkTo,
  'logs/explorer/savedSearches linkToComparison': (text) =>
    saved.linkToComparison({ now: text, before: text }),
  'logs/explorer/savedSearches queryOfLink': (text) => saved.queryOfLink('/logs', `q=${text}`),
  'logs/explorer/savedSearches comparisonOfLink': (text) =>
    saved.comparisonOfLink('/compare', `q=${text}`),
  'logs/explorer/waterfall traceWaterfall': (text) =>
    traceWaterfall(
      [{ ...recordWith(text), spanId: text }],
      'body',
      () => Promise.resolve(),
      () => true,
    ),
  'logs/explorer/writeExport textFormat': (text) =>
    [csv, ndjson, asText].map((format) => format.record(sampleRecord({ body: text }))),
  'logs/query/completion completionsAt': (text) => [
    completionsAt(text, text.length, knowledge('web')),
    completionsAt('service:', 8, knowledge(text)),
  ],
  'logs/query/fields attributeOfField': fields.attributeOfField,
  'logs/query/fields fieldNamed': fields.fieldNamed,
  'logs/query/fields normalised': (text) => fields.normalised('trace', text),
  'logs/query/fields isId': fields.isId,
  'logs/query/fields asLogFilter': (text) =>
    orRefused(() => fields.asLogFilter({ search: text, [text]: 1 })),
  'logs/query/matches matches': (text) => matches(recordWith(text), { search: text }),
  'logs/query/matches recordTest': (text) =>
    recordTest({
      conditionGroup: {
        match: 'or',
        conditions: [{ field: 'service', operator: 'contains', value: text }],
      },
    })?.(recordWith(text)),
  'logs/query/matches fieldReader': (text) => fieldReader(`attribute:${text}`)(recordWith(text)),
  'logs/query/narrow withOnly': (text) => withOnly({}, { field: `attr.${text}`, value: text }),
  'logs/query/narrow without': (text) => without({}, { field: 'service', value: text }),
  'logs/query/narrow canonicalFilter': (text) =>
    orRefused(() => canonicalFilter({ search: text, services: [text] })),
  'logs/query/parser parseQuery': (text) => parseQuery(text),
  'logs/query/remembered withRecent': (text) => withRecent([text], `${text} `),
  'logs/query/remembered recentFor': (text) => recentFor([text], text),
  'logs/query/remembered readRecent': (text) => readRecent([text]),
  'logs/query/remembered SeenValues': (text) => {
    const seen = new SeenValues();
    seen.remember([recordWith(text)]);
    return seen.attributes();
  },
  'logs/query/searchQuery searchSince': (text) => search.searchSince({ search: text }, now),
  'logs/query/searchQuery searchForRule': (text) => search.searchForRule(ruleWith(text), uuid(2)),
  'logs/query/searchQuery parseSearch': (text) => search.parseSearch(text, when),
  'logs/query/searchQuery windowOf': (text) => search.windowOf({ from: text, to: text }, when),
  'logs/query/searchQuery scopeOf': (text) =>
    search.scopeOf({ filter: {}, range: { last: text } }, when),
  'logs/query/searchQuery printSearch': (text) =>
    search.printSearch({ filter: { search: text }, range: { from: text } }),
  'logs/query/searchQuery printQuery': (text) =>
    search.printQuery({ services: [text], attributes: [{ key: text, value: text }] }),
  'logs/query/searchQuery writtenCondition': (text) =>
    search.writtenCondition({ field: `attribute:${text}`, operator: 'equals', value: text }),
  'logs/query/searchQuery printCondition': (text) =>
    search.printCondition({ field: `attribute:${text}`, operator: 'contains', value: text }),
  'logs/query/searchQuery unambiguousNames': (text) =>
    search.unambiguousNames({ nameOf: () => text, idsOf: () => [text] })('workload', text),
  'logs/query/timeExpression parseDuration': parseDuration,
  'logs/query/timeExpression parseTimeExpression': parseTimeExpression,
  'logs/query/queryTokens quote': tokens.quote,
  'logs/query/queryTokens quoteAlways': tokens.quoteAlways,
  'logs/query/queryTokens tokenizeQuery': tokens.tokenizeQuery,
  'logs/tail/channelLines countLines': countLines,
  'logs/tail/channelLines ChannelLines': (text) => {
    const lines = new ChannelLines(1000);
    lines.append(recordWith(text), text);
    return lines.find(text, 0);
  },
  'logs/tail/reconnectPolicy tailMeaning': (text) =>
    tailMeaning(new errors.ApiError({ kind: 'http', status: 400, code: text, message: text })),
  'logs/tail/savedTails readSavedTails': (text) =>
    readSavedTails({
      connection: text,
      tails: [{ filter: { search: text }, label: text, position: { cursor: text, seen: [text] } }],
    }),
  'logs/tail/tails filterKey': (text) => filterKey({ search: text }),
};

/** See `others`. */
export const logOthers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'take no text, or compare and keep it': {
    'logs/explorer/comparison': 'fixedSearch rangeBefore',
    'logs/explorer/explorerState': 'newerPaging olderPaging restOf searchedText',
    'logs/explorer/bars': 'Bars',
    'logs/explorer/patternChanges': 'frequencyOf sizeOf',
    'logs/explorer/protocol/pageMessages': 'PageError',
    'logs/explorer/entryList': 'EntryList',
    'logs/explorer/pins': 'PinnedRecords Pins pinKey',
    'logs/explorer/recordRows': 'rowKey keepKey',
    'logs/explorer/savedSearches': 'hasRoomFor withRenamedSearch withSavedSearch withoutSearch',
    'logs/query/fields': 'fieldOfAttribute queryFilters signOf tailFilters workloadFilter',
    'logs/query/searchQuery': 'searchForTrace',
    'logs/tail/history': 'streamWindow',
    'logs/tail/tail': 'signedOutError',
    'logs/tail/tails': 'Rate activityOf endedBySignOut hasTailEnded',
  },
  'send and watch: what comes is read by readers': {
    'logs/explorer/comparison': 'Comparison',
    'logs/explorer/explorerModel': 'ExplorerModel RecordGoneError',
    'logs/explorer/exportRecords': 'exportRecords',
    'logs/explorer/liveSearch': 'LiveSearch createProgressReporter',
    'logs/explorer/pagedSearch': 'PagedSearch',
    'logs/explorer/protocol/messages': 'messageReader handleMessage',
    'logs/explorer/protocol/view': 'listLayout',
    'logs/explorer/protocol/pageChannel': 'PageChannel',
    'logs/explorer/protocol/pageMessages': 'PageMessages SavedPageState',
    'logs/explorer/pinLines': 'loadPinned',
    'logs/explorer/recordsAround': 'loadAround',
    'logs/explorer/searchFollower': 'SearchFollower',
    'logs/explorer/searchWatch': 'SearchWatch',
    'logs/tail/connectionAttempt': 'ConnectionAttempt IdleLimit TailRun watchStream',
    'logs/tail/deduplication': 'Deduplication',
    'logs/tail/readPosition': 'ReadPosition',
    'logs/tail/history': 'TailHistory loadHistory streamStart',
    'logs/tail/reconnectPolicy': 'ReconnectPolicy',
    'logs/tail/savedTails': 'TailSaver',
    'logs/tail/stateNotifier': 'TailStateNotifier',
    'logs/tail/tail': 'Tail',
    'logs/tail/tailBuffer': 'TailBuffer',
    'logs/tail/tails': 'Tails',
  },
  'pass records, listings and rows to readers': {
    'logs/explorer/comparison': 'comparedPeriod comparedPlaces queryOfSide',
    'logs/explorer/histogram': 'DeploymentMarks TimeCounter axisOf histogramOf restOfRange',
    'logs/explorer/logSummary': 'summarise',
    'logs/explorer/patternChanges': 'comparePatterns',
    'logs/explorer/pinLines': 'pinLines',
    'logs/explorer/recordPatterns': 'PatternFilter findPatterns',
    'logs/explorer/setsApart': 'setsApart',
    'logs/explorer/writeExport': 'loadedRecords writeExport',
    'logs/tail/tailReport': 'tailReport',
  },
  'are given what parseQuery has read': {
    'logs/query/filterBuilder': 'allowedValues meantBy toFilter',
    'logs/query/readValues':
      'applyExclusions dropRepeated existence isExistence isMissing join newParseState partsOf readExistence readSigned readValues report',
    'logs/query/searchQuery': 'isPast runnable acceptsNames',
    'logs/query/timeExpression': 'instantOfTimeExpression printTimeExpression',
  },
};
