import { jsonOf, parseJson, shallow } from '../../../src/base/json';
import { readLenient } from '../../../src/api/readLenient';
import { readLogAnswer, readLogPage } from '../../../src/api/readLogPage';
import { compareTimestamps, ordered, isTimeSet, utcTime } from '../../../src/api/utcTime';
import { ErrorGroups } from '../../../src/logs/errors/errorGroups';
import {
  isKeyOfKind,
  KindLookup,
  kindOf,
  kindWithKey,
  titleOf,
} from '../../../src/logs/errors/errorKind';
import { createFrameReader, PlaceFinder } from '../../../src/logs/errors/errorPlaces';
import {
  recordsQuery,
  searchForKind,
  traceIdsOf,
  tracesQuery,
  defaultScope,
  readMemory,
  searchOf,
} from '../../../src/logs/errors/errorScope';
import {
  nearest,
  aligned,
  compareNames,
  copyText,
  dotted,
  isBlank,
  joined,
  someNames,
  supportedLanguage,
  singular,
} from '../../../src/base/textFormat';
import { hashesIn, isCommit } from '../../../src/commits/commitFacts';
import { refMoves } from '../../../src/commits/refLog';
import { lineBefore, readPatch } from '../../../src/commits/patch';
import { functionAround, rankSuspects } from '../../../src/commits/suspects';
import { linesIn, mapLines } from '../../../src/commits/lineMapping';
import * as logLine from '../../../src/logs/record/logLine';
import { createTimestampFormat } from '../../../src/logs/record/logLine';
import { headline, spokenLine } from '../../../src/logs/record/headline';
import { readSlots } from '../../../src/logs/record/messageSlots';
import {
  candidatesIn,
  foldersOf,
  longestUniqueEnd,
  pathMappings,
  searchName,
} from '../../../src/logs/record/pathMapping';
import {
  leavesTooMuchOpen,
  PatternLookup,
  patternIds,
  Patterns,
  searchTextOf,
} from '../../../src/logs/record/patterns';
import { nameSet, withoutHolder } from '../../../src/logs/record/bodyNames';
import {
  repeatsSeverity,
  numberedSeverity,
  severityOfLevel,
  syslogSeverity,
} from '../../../src/logs/record/bodyLevel';
import { joinRecords, mayBeJoined, RecordJoiner } from '../../../src/logs/record/joinRecords';
import { shownSeverity } from '../../../src/logs/record/shownSeverity';
import {
  announcesTrace,
  continuedTrace,
  mayBeginTrace,
  mayContinueTrace,
  traceStateOf,
} from '../../../src/logs/record/traceLines';
import { announcement, formOf, isHeading, mayBeFirst } from '../../../src/logs/record/traceForms';
import { prefixLength, repeatsTime, textOfPrefix } from '../../../src/logs/record/bodyPrefix';
import { prettyJson } from '../../../src/logs/record/prettyJson';
import {
  bodyText,
  placeOfAttributes,
  readableBody,
  styledBody,
} from '../../../src/logs/record/readableBody';
import { isStackName, stackOf, stacksIn, unfolded } from '../../../src/logs/record/stackText';
import { entriesOf, foldsOf, logText } from '../../../src/logs/record/readLogText';
import { boundedRecord, recordSize } from '../../../src/logs/record/recordSize';
import { mayHaveSourceMap, SourceMap, sourceMapOf } from '../../../src/logs/record/sourceMap';
import { findFrames, findTraceIds } from '../../../src/logs/record/stackFrames';
import {
  mayBeStructured,
  messageMember,
  readStructure,
  shortJson,
} from '../../../src/logs/record/structuredBody';
import { readSgr, stripSgr, withoutReturns } from '../../../src/logs/record/terminalColors';
import {
  excludedFiles,
  findLanguage,
  isOtherCode,
  languageOfFile,
  statementLanguages,
} from '../../../src/logs/calls/languages';
import { fileSearches } from '../../../src/logs/calls/fileLogs';
import { findStatements } from '../../../src/logs/calls/findStatements';
import { canLog, severityOf } from '../../../src/logs/calls/loggers';
import { fillPlaceholders, hasPlaceholder } from '../../../src/logs/calls/expressions';
import { readStatementFacts, summariseValues } from '../../../src/logs/calls/statementFacts';
import { StatementIndex } from '../../../src/logs/calls/statementIndex';
import {
  statementQuery,
  describeTemplate,
  fitMessage,
  loggedMessage,
  statementTemplate,
} from '../../../src/logs/calls/statementTemplate';
import * as untrusted from '../../../src/base/untrustedText';
import { TimeFormat, timeOf } from '../../../src/base/timeFormat';
import { sampleRecord } from '../logs/sampleRecord';
import { pageWith, type Reader, recordWith } from './recordWith';

const t = (message: string, ...args: (string | number)[]): string => [message, ...args].join(' ');
const formats = { dateFormat: 'day-month-year', timeZone: 'Asia/Kolkata' };
const timeFormat = new TimeFormat(
  () => formats,
  () => 'utc',
  () => 0,
  'en',
);
const withAll = { timeZone: 'Asia/Kolkata', showAttributes: true, bodies: 'readable' } as const;
const format = logLine.createFormatter(withAll);
const own = ['services/web', 'services/api'];

const template = statementTemplate([{ text: 'Order ' }, { expression: 'id' }, { text: ' failed' }]);
if (template === undefined) throw new Error('The statement has text.');

/** A language for each text, because each takes as long as all other readers together. */
function languageFor(text: string): string {
  const sum = (text.codePointAt(0) ?? 0) + (text.codePointAt(3) ?? 0);
  return statementLanguages[sum % statementLanguages.length] ?? '';
}

function kindWith(text: string): ReturnType<typeof kindOf> {
  const record = sampleRecord({ ...recordWith(text), severity: 'error' });
  const pattern = new Patterns().add(text);
  return kindOf(text, [{ record, severity: 'error', at: 0, places: [], pattern, bytes: 0 }]);
}

/** Every exported reader of text, by its module and its name. */
export const readers: Readonly<Record<string, Reader>> = {
  'api/readLenient readLenient': (text) =>
    readLenient('Operation', { createdAt: text, id: text, [text]: text }),
  'api/readLogPage readLogPage': (text) => readLogPage(pageWith(text)),
  'api/readLogPage readLogAnswer': (text) => readLogAnswer(pageWith(text)),
  'api/utcTime isTimeSet': isTimeSet,
  'api/utcTime utcTime': utcTime,
  'api/utcTime compareTimestamps': (text) => compareTimestamps(text, `${text} `),
  'api/utcTime ordered': (text) => ordered({ from: text, to: `${text}0` }),
  'logs/errors/errorGroups ErrorGroups': (text) =>
    new ErrorGroups(
      () => Promise.resolve(),
      () => Promise.resolve(undefined),
    ).add([recordWith(text)]),
  'logs/errors/errorKind isKeyOfKind': isKeyOfKind,
  'logs/errors/errorKind KindLookup': (text) =>
    new KindLookup([text], (key) => [key, `\t${key}\n`]).of(`${text}\n`),
  'logs/errors/errorKind kindWithKey': (text) => kindWithKey([kindWith(text)], `\t${text}`),
  'logs/errors/errorKind kindOf': kindWith,
  'logs/errors/errorKind titleOf': (text) => titleOf({ last: recordWith(text) }),
  'logs/errors/errorPlaces createFrameReader': (text) => createFrameReader()(recordWith(text)),
  'logs/errors/errorPlaces PlaceFinder': (text) =>
    new PlaceFinder(() => Promise.resolve(undefined)).of(recordWith(text), { left: 10 }),
  'logs/errors/errorScope recordsQuery': (text) => recordsQuery(kindWith(text), defaultScope),
  'logs/errors/errorScope searchForKind': (text) => searchForKind(kindWith(text)),
  'logs/errors/errorScope tracesQuery': (text) => tracesQuery(kindWith(text), defaultScope),
  'logs/errors/errorScope traceIdsOf': (text) => traceIdsOf([{ traceId: text }]),
  'logs/errors/errorScope readMemory': (text) =>
    readMemory({
      scope: { workloads: [{ id: text, name: text }] },
      muted: [{ key: text, template: text }],
    }),
  'logs/errors/errorScope searchOf': (text) => searchOf(defaultScope, [text]),
  'commits/commitFacts hashesIn': hashesIn,
  'commits/commitFacts isCommit': isCommit,
  'commits/lineMapping linesIn': linesIn,
  'commits/lineMapping mapLines': (text) => {
    const lines = linesIn(text);
    return mapLines(lines, [...lines].reverse())(5);
  },
  'commits/refLog refMoves': (text) => [
    refMoves(text),
    refMoves(`${'0'.repeat(40)} ${'a'.repeat(40)} ${text} 1 +0000\t${text}`),
  ],
  'commits/patch readPatch': (text) => {
    readPatch(text);
    readPatch(`@@ -1,9 +1,9 @@\n-${text}\n+${text}`);
    lineBefore(readPatch(`@@ -1,9 +1,9 @@\n${text}`), 9);
  },
  'commits/suspects functionAround': (text) => functionAround(text.split('\n'), 9),
  'commits/suspects rankSuspects': (text) =>
    rankSuspects([{ path: 'a', line: 1, text: [text] }], text, [
      { sha: 'a', patches: new Map([['a', `@@ -1,9 +1,9 @@\n${text}`]]) },
    ]),
  'logs/record/headline headline': headline,
  'logs/record/headline spokenLine': spokenLine,
  'logs/record/logLine cutLine': (text) => logLine.cutLine(text, logLine.lineLimit),
  'logs/record/logLine harmlessLines': (text) => logLine.harmlessLines(text, '  '),
  'logs/record/logLine recordSource': (text) => logLine.recordSource(recordWith(text)),
  'logs/record/logLine createTimeFormat': logLine.createTimeFormat('Asia/Kolkata'),
  'logs/record/logLine createFormatter': (text) => format(recordWith(text)),
  'logs/record/messageSlots readSlots': readSlots,
  'logs/record/sourceMap mayHaveSourceMap': mayHaveSourceMap,
  'logs/record/sourceMap sourceMapOf': (text) => [
    sourceMapOf(text, ''),
    sourceMapOf('x.js', text),
    sourceMapOf('x.js', `//# sourceMappingURL=${text}`),
    sourceMapOf('x.js', `//# sourceMappingURL=data:application/json;base64,${text}`),
  ],
  'logs/record/sourceMap SourceMap': (text) => {
    const map = { version: 3, sources: [text], names: [], mappings: 'AAAA', sourceRoot: text };
    return new SourceMap(JSON.stringify(map), `/${text}`).originalOf({ line: 1, column: 1 });
  },
  'logs/record/pathMapping candidatesIn': (text) =>
    candidatesIn(text, [{ name: 'shop', mappings: pathMappings({ '/app': 'src' }) }], own),
  'logs/record/pathMapping foldersOf': (text) => foldersOf({ context: text, dockerfile: text }),
  'logs/record/pathMapping pathMappings': (text) => pathMappings({ '/app': 'src', [text]: text }),
  'logs/record/pathMapping searchName': searchName,
  'logs/record/pathMapping longestUniqueEnd': (text) =>
    longestUniqueEnd(text, [{ path: 'src/a.ts' }, { path: 'lib/a.ts' }], own),
  'logs/record/patterns patternIds': (text) => patternIds([text, `${text} `, text.slice(1)]),
  'logs/record/patterns searchTextOf': (text) => searchTextOf(text, sampleRecord({ body: text })),
  'logs/record/patterns leavesTooMuchOpen': leavesTooMuchOpen,
  'logs/record/patterns PatternLookup': (text) => {
    const lookup = new PatternLookup<number>();
    lookup.add(text, 1);
    lookup.add(text.replaceAll('a', '\t<*>\t'), 2);
    return [lookup.of(text), lookup.of(`${text}<n>`)];
  },
  'logs/record/readableBody readableBody': (text) => readableBody(text, recordWith(text)),
  'logs/record/readableBody bodyText': (text) => bodyText(recordWith(text), 'readable'),
  'logs/record/readableBody styledBody': (text) => styledBody(recordWith(text), 'readable'),
  'logs/record/readLogText entriesOf': (text) => entriesOf(text.split('\n')),
  'logs/record/readLogText foldsOf': (text) => {
    const lines = text.split('\n');
    const last = lines.length - 1;
    return foldsOf({ first: 0, last, time: '', level: '', source: '', text: '' }, lines);
  },
  'logs/record/readLogText logText': (text) =>
    logText(
      [recordWith(text)],
      format,
      100,
      () => recordWith(text),
      () => Promise.resolve(),
    ),
  'logs/record/recordSize boundedRecord': (text) => boundedRecord(recordWith(text)),
  'logs/record/recordSize recordSize': (text) => recordSize(recordWith(text)),
  'logs/record/readableBody placeOfAttributes': (text) =>
    placeOfAttributes(
      sampleRecord({ attributes: { 'code.filepath': `${text}a.ts`, 'code.lineno': text } }),
    ),
  'logs/record/bodyLevel numberedSeverity': (text) => numberedSeverity(text, 30),
  'logs/record/bodyLevel repeatsSeverity': (text) => repeatsSeverity(text, recordWith(text)),
  'logs/record/bodyLevel severityOfLevel': severityOfLevel,
  'logs/record/bodyLevel syslogSeverity': syslogSeverity,
  'logs/record/joinRecords RecordJoiner': (text) => {
    const joiner = new RecordJoiner();
    for (let count = 0; count < 3; count++) joiner.add(recordWith(text));
    return [joiner.read(0), joiner.readAll()];
  },
  'logs/record/joinRecords joinRecords': (text) =>
    joinRecords([recordWith('Traceback (most recent call last):'), recordWith(text)]),
  'logs/record/joinRecords mayBeJoined': (text) => mayBeJoined(recordWith(text)),
  'logs/record/traceForms announcement': (text) => announcement().test(text.slice(0, 300)),
  'logs/record/traceForms formOf': (text) => formOf(text.slice(0, 4000)),
  'logs/record/traceForms isHeading': (text) => isHeading(text.slice(0, 4000)),
  'logs/record/traceForms mayBeFirst': mayBeFirst,
  'logs/record/traceLines announcesTrace': announcesTrace,
  'logs/record/traceLines mayBeginTrace': mayBeginTrace,
  'logs/record/traceLines mayContinueTrace': mayContinueTrace,
  'logs/record/traceLines continuedTrace': (text) =>
    [
      ...['', 'Traceback (most recent call last):', 'panic: a', "thread 'a' panicked at a:"],
      ...['/a.js:1', 'fail: A[0]', 'A::B (c):', '    at a {', 'Error: a'],
    ].map((before) => continuedTrace(traceStateOf(before), text)),
  'logs/record/traceLines traceStateOf': traceStateOf,
  'logs/record/shownSeverity shownSeverity': (text) =>
    shownSeverity({ ...recordWith(text), severity: 'error', stream: 'stderr' }, 'body'),
  'logs/record/bodyNames nameSet': nameSet,
  'logs/record/bodyNames withoutHolder': withoutHolder,
  'logs/record/bodyPrefix prefixLength': (text) => prefixLength(text, recordWith(text)),
  'logs/record/bodyPrefix repeatsTime': (text) => repeatsTime(text, recordWith(text)),
  'logs/record/bodyPrefix textOfPrefix': (text) => textOfPrefix(text, recordWith(text)),
  'logs/record/stackFrames findFrames': (text) => findFrames(text),
  'logs/record/stackFrames findTraceIds': findTraceIds,
  'logs/record/stackText isStackName': isStackName,
  'logs/record/stackText stackOf': (text) => [stackOf(text), stackOf([text, { file: text }])],
  'logs/record/stackText stacksIn': (text) =>
    stacksIn({ error: { name: text, message: text, stack: `${text}\n`, cause: { stack: text } } }),
  'logs/record/stackText unfolded': unfolded,
  'logs/record/prettyJson prettyJson': prettyJson,
  'logs/record/structuredBody messageMember': (text) =>
    messageMember(readStructure(text) ?? { byName: new Map() }),
  'logs/record/structuredBody mayBeStructured': mayBeStructured,
  'logs/record/structuredBody readStructure': readStructure,
  'logs/record/structuredBody shortJson': (text) => shortJson({ [text]: [text] }, 500),
  'logs/record/terminalColors readSgr': readSgr,
  'logs/record/terminalColors stripSgr': stripSgr,
  'logs/record/terminalColors withoutReturns': withoutReturns,
  'logs/record/logLine endOfRange': (text) => logLine.endOfRange(text, text),
  'logs/record/logLine createTimestampFormat': createTimestampFormat('Asia/Kolkata'),
  'logs/calls/languages excludedFiles': (text) => excludedFiles([{ [text]: true }]),
  'logs/calls/languages findLanguage': findLanguage,
  'logs/calls/languages isOtherCode': isOtherCode,
  'logs/calls/languages languageOfFile': languageOfFile,
  'logs/calls/fileLogs fileSearches': (text) => fileSearches(text, [], []),
  'logs/calls/findStatements findStatements': (text) =>
    findStatements(text, languageFor(text), { prints: true }),
  'logs/calls/loggers canLog': canLog,
  'logs/calls/loggers severityOf': severityOf,
  'logs/calls/expressions fillPlaceholders': (text) =>
    (['printf', 'braces', 'slf4j'] as const).map((style) =>
      fillPlaceholders([{ text }], style, { inOrder: ['a'], named: new Map(), namesInOrder: true }),
    ),
  'logs/calls/expressions hasPlaceholder': (text) =>
    (['printf', 'braces', 'slf4j'] as const).map((style) => hasPlaceholder(text, style)),
  'logs/calls/statementFacts readStatementFacts': (text) =>
    readStatementFacts(template, { records: [recordWith(text)], next: undefined }),
  'logs/calls/statementFacts summariseValues': (text) =>
    summariseValues([{ score: 1, values: [{ expression: text, value: text }] }]),
  'logs/calls/statementIndex StatementIndex': (text) => {
    const index = new StatementIndex();
    const message = [{ text }, { expression: text }, { text }];
    index.set(text, [{ start: 0, end: 1, line: 0, severity: 'info', message }]);
    return index.find(recordWith(text));
  },
  'logs/calls/statementTemplate statementQuery': (text) =>
    statementQuery({ message: [{ text }, { expression: text }, { text }], severity: 'info' }, []),
  'logs/calls/statementTemplate describeTemplate': (text) =>
    describeTemplate(statementTemplate([{ text }, { expression: text }, { text }]) ?? template),
  'logs/calls/statementTemplate fitMessage': (text) =>
    fitMessage(
      statementTemplate([{ text: text.slice(0, 500) }, { expression: 'a' }, { text: 'zzzz' }]) ??
        template,
      {
        text,
        start: 0,
      },
    ),
  'logs/calls/statementTemplate loggedMessage': (text) => loggedMessage(recordWith(text)),
  'logs/calls/statementTemplate statementTemplate': (text) =>
    statementTemplate([{ text }, { expression: text }, { text }]),
  'base/untrustedText markdownOf': (text) =>
    untrusted.markdownOf([
      text,
      { heading: text },
      { list: [text] },
      { code: text, language: 'log' },
    ]),
  'base/untrustedText markdownText': untrusted.markdownText,
  'base/textFormat singular': singular,
  'base/textFormat nearest': (text) => nearest(text, [text.slice(1), `${text}x`, 'workload']),
  'base/untrustedText boxText': untrusted.boxText,
  'base/untrustedText breakable': untrusted.breakable,
  'base/untrustedText clipboardText': untrusted.clipboardText,
  'base/untrustedText cut': (text) => untrusted.cut(text, 60_000),
  'base/untrustedText cutCounted': (text) => untrusted.cutCounted(text, 60_000),
  'base/untrustedText detached': untrusted.detached,
  'base/untrustedText diagnosticLine': untrusted.diagnosticLine,
  'base/untrustedText labelText': (text) => untrusted.labelText(text),
  'base/untrustedText oneLine': untrusted.oneLine,
  'base/untrustedText plainText': (text) => untrusted.plainText(text),
  'base/untrustedText rowText': (text) => untrusted.rowText(text),
  'base/untrustedText withoutIcons': untrusted.withoutIcons,
  'base/json jsonOf': (text) => jsonOf({ [text]: text }),
  'base/json parseJson': parseJson,
  'base/json shallow': (text) => shallow({ [text]: [text] }),
  'base/untrustedText isClean': untrusted.isClean,
  'base/untrustedText sanitise': untrusted.sanitise,
  'base/untrustedText sanitiseJson': untrusted.sanitiseJson,
  'base/textFormat aligned': (text) => aligned([[text, text], ['a']]),
  'base/textFormat compareNames': (text) => compareNames(text, `${text}0`),
  'base/textFormat copyText': copyText,
  'base/textFormat dotted': (text) => dotted([text, text]),
  'base/textFormat isBlank': isBlank,
  'base/textFormat joined': (text) => joined([text, text], ' '),
  'base/textFormat someNames': (text) => someNames([text], t),
  'base/textFormat supportedLanguage': supportedLanguage,
  'base/timeFormat TimeFormat': (text) => [
    timeFormat.moment(text),
    timeFormat.relative(text),
    timeFormat.clockOrMoment(Number(text)),
  ],
  'base/timeFormat timeOf': timeOf,
};

/**
 * The other exported functions of the rooms with readers, by module, and why they are not walked: they take no
 * text, or readers pass them what they have read.
 */
export const others: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'take no text': {
    'base/json': 'hasOnlyTexts isObject keepEqual membersOf',
    'api/utcTime': 'logWindow utcTimeOf',
    'logs/errors/deployedCode': 'DeployedCommits DeployedTexts commitOf',
    'logs/errors/errorChange':
      'errorChangeOf compareFrequency NewKinds lastDeployment seenDeployments',
    'logs/errors/errorKind': 'byTime keyOfKind messageKeyOf',
    'logs/errors/errorScope': 'fixedMark hideKinds isNarrowed mutedKeyOf withMuted withoutMuted',
    'logs/errors/errorSuspects': 'Suspects newSince',
    'commits/commitFacts': 'CommitAges CommitFacts',
    'commits/commitRange': 'filesOfRange kindOfRange missingCommits readRange',
    'commits/lineMapping': 'keptLines unknownMapping',
    'commits/changesOfFiles': 'readChanges',
    'commits/patch': 'distanceTo lineBefore',
    'commits/pushes': 'PushDetector',
    'commits/refLog': 'readRefMoves',
    'logs/errors/marks': 'lineMarks neighborOf',
    'logs/errors/markText': 'noteOf',
    'logs/record/logLine': 'isRecord',
    'logs/record/messageSlots': 'joinedSlot',
    'logs/record/pathMapping': 'firstFile',
    'logs/record/patterns': 'Pattern Patterns',
    'logs/record/severity': 'isErrorSeverity isWorse',
    'logs/record/shownSeverity': 'hasSeverityOfBody readsBody withShownSeverity',
    'logs/record/recordStyle': 'usualStyle',
    'logs/record/joinRecords': 'containerKeyOf entrySize entryRecords',
    'logs/record/seenIds': 'SeenIds',
    'logs/calls/calls': 'isJoint',
    'logs/calls/fileLogs': 'allRecords',
    'base/boundedMap': 'BoundedMap',
    'base/clock': 'RateLimiter atMost delay inTurns onAbort untilAborted',
    'base/event': 'Emitter',
    'base/maps': 'getOrMake groupedBy',
    'base/storedValue': 'StoredValue listOf maybe readStored',
    'base/textFormat': 'createNumbers lazy lazyRegExp',
    'base/timeFormat': 'instantOf utc wallTime zonedFormat',
  },
  'are given tokens by findStatements': {
    'logs/calls/calls': 'argumentsAfter chainBefore splitArguments',
    'logs/calls/sourceTokens': 'tokenizeSource',
    'logs/calls/expressions': 'fill readBlock readMessageParts sourceOf',
    'logs/calls/loggers': 'readLogging',
  },
  'pass records to readers': {
    'logs/errors/errorFeed': 'ErrorFeed',
    'logs/errors/errorNodes': 'KindOrder errorNodes',
    'logs/errors/linesNow': 'LinesNow',
    'logs/errors/errorScope': 'followOfKind',
    'logs/errors/marks': 'changedBadges fileBadges FileMarks',
    'logs/errors/markText': 'hoverLines lineText markPositionText markProblemText',
    'commits/suspects': 'findSuspects',
    'logs/calls/fileLogs': 'findFileRecords',
    'logs/calls/statementLookups': 'StatementLookups',
  },
};
