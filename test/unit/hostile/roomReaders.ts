import { assume, assumptions } from '../../../src/api/assumptions';
import { mayOnlyRead } from '../../../src/api/readingKey';
import {
  describedText,
  type ServerSettings,
  serverSettingsLines,
  serverSettingsText,
} from '../../../src/connection/serverSettings';
import { parseBaseUrl, isLoopback, withScheme } from '../../../src/api/baseUrl';
import { oldestFirst, queryPageOf } from '../../../src/api/cursors';
import * as errors from '../../../src/api/errors';
import { JsonReader, listingLimits } from '../../../src/api/jsonReader';
import {
  describedValue,
  isDescribedPath,
  readServerDescription,
} from '../../../src/api/serverDescription';
import { readQuota, ServerLimit } from '../../../src/api/serverLimit';
import { EventParser } from '../../../src/api/logStream';
import { readLogAnswer } from '../../../src/api/readLogPage';
import { ServerClock } from '../../../src/api/sendRequest';
import { day } from '../../../src/base/clock';
import { cleanupText, isHeaderValue, validateParameters } from '../../../src/api/validateRequest';
import * as contract from '../../../src/api/generated/validators';
import * as activityNodes from '../../../src/activity/activityNodes';
import { limitSize, readDeployments } from '../../../src/activity/activityStorage';
import { syncChoices } from '../../../src/actions/environmentDeployments';
import * as itemNames from '../../../src/actions/itemNames';
import * as pushKind from '../../../src/pushes/pushKind';
import * as targetNames from '../../../src/actions/targetNames';
import { cleanUpPlan, outcomeAnswer, syncPlan } from '../../../src/ai/actionOutcome';
import * as answer from '../../../src/ai/answer';
import { chatData } from '../../../src/ai/chatQuestion';
import { mcpUrl } from '../../../src/ai/mcpServer';
import * as outlines from '../../../src/ai/outlines';
import { problemAnswer, readInput } from '../../../src/ai/toolProblems';
import { clockSkew } from '../../../src/connection/checkConnection';
import * as connections from '../../../src/connection/connections';
import * as diagnostics from '../../../src/connection/diagnosticsReport';
import { NotifiedStates } from '../../../src/connection/perConnection';
import * as deployments from '../../../src/data/deployments';
import { addThings, discoveryOffer } from '../../../src/data/discovery/discoveryOffer';
import { knownNames, Names } from '../../../src/data/knownNames';
import * as labels from '../../../src/data/labels';
import { siteHost } from '../../../src/data/sites';
import * as states from '../../../src/data/states';
import * as stateWords from '../../../src/data/stateWords';
import * as targets from '../../../src/data/targets';
import * as branch from '../../../src/deployed/branch';
import * as push from '../../../src/deployed/push';
import * as sourceMatch from '../../../src/deployed/sourceMatch';
import {
  comparedCommits,
  commitText,
  rangeTitle,
  sectionsOf,
} from '../../../src/deployed/whatChanged';
import * as whereIs from '../../../src/deployed/whereIs';
import { alertChanges, changeText } from '../../../src/trees/alerts/alertWatch';
import * as ruleNodes from '../../../src/trees/alerts/ruleNodes';
import { integrationNodes } from '../../../src/trees/integrations/integrationNodes';
import * as nodes from '../../../src/trees/nodes';
import { problemNode } from '../../../src/trees/placeholderNodes';
import { serverNodes } from '../../../src/trees/servers/serverNodes';
import * as resourceNodes from '../../../src/trees/sources/resourceNodes';
import * as jobSchedules from '../../../src/trees/sources/jobSchedules';
import {
  isTimeZone,
  lastRuns,
  nextRun,
  readSchedule,
  scheduleText,
} from '../../../src/trees/sources/schedule';
import {
  compareSecretKeys,
  lackingKeys,
  secretComparisonText,
} from '../../../src/trees/sources/secretComparison';
import { secretsNode } from '../../../src/trees/sources/secretNodes';
import { environmentPath, sourceNodes } from '../../../src/trees/sources/sourceNodes';
import * as status from '../../../src/trees/status';
import { arrange, filterChoices, statesOf } from '../../../src/trees/treeOrder';
import { kinds } from '../activity/windows';
import { fakeClock } from '../fakeClock';
import { counted, t, uuid } from '../trees/treeText';
import { recordFacts } from '../../../src/logs/record/recordFacts';
import { pageWith, type Reader, recordWith } from './recordWith';
import {
  now,
  filters,
  timeFormat,
  orRefused,
  resourceWith,
  deploymentWith,
  ruleWith,
  secretsWith,
  contextWith,
  appsWith,
  environmentsWith,
  pushWith,
  syncWith,
  comparedWith,
  rangeWith,
  source,
  server,
} from './listingsWith';

/** Looks at each row as an editor does. */
function lookAt(all: readonly nodes.TreeNode[]): void {
  for (const one of all) {
    one.details();
    one.time();
    lookAt(one.children());
  }
}

const branchContext = {
  ...{ t, counted, timeFormat, sourceLabel: 'shop', describe: String },
  positionOf: () => undefined,
};

function branchWith(text: string): branch.BranchReading {
  const { store } = contextWith(text);
  return branch.readBranch({
    ...{ remotes: [text, `https://a.example/${text}`], head: { branch: text, commit: text } },
    ...{ choice: { sourceId: source.id }, sources: [source], store, holds: () => false },
  });
}

function wordsWith(text: string): branch.BranchWords | undefined {
  const { state } = branchWith(text);
  return state.kind === 'shown' ? branch.branchText(state.branch, branchContext) : undefined;
}

const fence = { mark: 'mark', secrets: ['cp_live_key', 'https://a.example'] };

/** Headers of which one has a text, as far as a header can. */
function headersWith(name: string, text: string): Headers {
  return new Headers({ [name]: text.replace(/[^ -~]/g, '') });
}

/** Every exported reader of text in the rooms of the control plane, by its module and its name. */
const settingsWith = (text: string): ServerSettings => ({
  own: { operationPath: text },
  facts: {
    version: text,
    operations: { listApps: { path: text, query: {}, body: {} } },
  },
  failure: text,
});

export const roomReaders: Readonly<Record<string, Reader>> = {
  'api/baseUrl parseBaseUrl': (text) =>
    [text, `https://a${text}`, `https://a/${text}x`].map(parseBaseUrl),
  'api/baseUrl isLoopback': isLoopback,
  'api/baseUrl withScheme': withScheme,
  'api/cursors queryPageOf': (text) =>
    orRefused(() => queryPageOf({ filters }, readLogAnswer(pageWith(text)))),
  'api/cursors oldestFirst': (text) =>
    oldestFirst([{ ...recordWith(text), timestamp: text }, recordWith(text)], 'older'),
  'api/errors statusOfCode': errors.statusOfCode,
  'api/errors inEnglish': (text) =>
    errors.inEnglish(errors.localizableMessage('{0} and {1}', text, text)),
  'api/errors readServerError': (text) =>
    errors.readServerError({ error: { code: text, message: text, requestId: text } }, 'key'),
  'api/errors httpError': (text) =>
    errors.httpError(new Response('', { status: 500 }), { error: { message: text } }, 'key', now),
  'api/errors networkError': (text) => errors.networkError(new Error(text), 'https://a.example'),
  'api/errors networkProblemOf': (text) => errors.networkProblemOf(new Error(text)),
  'api/errors statusOfError': (text) => errors.statusOfError({ error: { code: text } }),
  'api/errors withoutSecrets': (text) => errors.withoutSecrets(text, [text.slice(0, 20)]),
  'api/errors parseRetryAfter': (text) => errors.parseRetryAfter(text, now),
  'api/errors parseHttpDate': errors.parseHttpDate,
  'api/jsonReader JsonReader': (text) => {
    const reader = new JsonReader(listingLimits);
    reader.read(text);
    const whole = new JsonReader(listingLimits);
    whole.read(JSON.stringify({ [text]: [text, { [text]: text }] }));
    return [reader.end(), whole.end()];
  },
  'api/serverLimit ServerLimit': (text) => {
    const limit = new ServerLimit(fakeClock());
    limit.update(headersWith('x-ratelimit-limit', text), now);
    return limit.freeIn(0.5, 1);
  },
  'api/serverLimit readQuota': (text) => readQuota(headersWith('ratelimit', text), now),
  'api/serverDescription readServerDescription': (text) =>
    readServerDescription({
      openapi: '3.1.0',
      info: { version: text },
      servers: [{ url: text }],
      paths: {
        [text]: { get: { description: text, parameters: [{ $ref: text }] } },
        [`/servers/{id}/${text}`]: { get: { parameters: [{ name: text, in: 'query' }] } },
        '/logs/query': { post: { 'x-permission': text, description: `permission ${text}` } },
      },
    }),
  'api/assumptions assume': (text) =>
    assume(
      'operationPath',
      {},
      {
        operations: { getOperation: { path: text, query: {}, body: {} } },
      },
    ),
  'api/assumptions assumptions': (text) => assumptions({ operationPath: text }, undefined),
  'api/readingKey mayOnlyRead': (text) => mayOnlyRead([text]),
  'api/serverDescription isDescribedPath': isDescribedPath,
  'logs/record/recordFacts recordFacts': (text) => {
    const names = { nameOf: () => text };
    const record = { ...recordWith(text), deploymentId: text, traceId: text };
    return recordFacts(record, { context: contextWith(text), names });
  },
  'connection/serverSettings serverSettingsText': (text) =>
    serverSettingsText({ name: text, baseUrl: text }, settingsWith(text), contextWith(text).t),
  'connection/serverSettings serverSettingsLines': (text) =>
    serverSettingsLines(settingsWith(text)),
  'connection/serverSettings describedText': (text) =>
    describedText(settingsWith(text), contextWith(text).t),
  'api/serverDescription describedValue': (text) =>
    describedValue(
      { operations: { getOperation: { path: text, query: {}, body: {} } } },
      'operationPath',
    ),
  'api/logStream EventParser': (text) => {
    const parser = new EventParser('key');
    const bytes = new TextEncoder().encode(`${text}\n\nevent: records\ndata: ${text}\n\n`);
    return [parser.push(bytes), parser.failure];
  },
  'api/sendRequest ServerClock': (text) => new ServerClock(fakeClock()).update(text, now),
  'api/validateRequest isHeaderValue': isHeaderValue,
  'api/validateRequest validateParameters': (text) =>
    orRefused(() => validateParameters(contract.parameters_get_operation, { operationId: text })),
  'api/validateRequest cleanupText': (text) => orRefused(() => cleanupText([text])),
  'activity/activityNodes stateText': (text) =>
    activityNodes.stateText(syncWith(text), kinds, contextWith(text)),
  'activity/activityNodes statusOfEntry': (text) =>
    activityNodes.statusOfEntry(pushWith(text), kinds, contextWith(text)),
  'activity/activityNodes detailsOfEntry': (text) =>
    activityNodes.detailsOfEntry(syncWith(text), kinds, contextWith(text)),
  'activity/activityNodes activityNodes': (text) =>
    lookAt(activityNodes.activityNodes(contextWith(text), kinds, [pushWith(text), syncWith(text)])),
  'activity/activityNodes failureText': (text) =>
    activityNodes.failureText(
      {
        ...pushWith(text),
        progress: { kind: 'failed', problem: { code: text, message: text } } as never,
      },
      kinds,
    ),
  'activity/activityStorage limitSize': (text) => limitSize({ [text]: [text, { [text]: text }] }),
  'activity/activityStorage readDeployments': (text) => readDeployments([deploymentWith(text)]),
  'activity/entryKind EntryKinds': (text) =>
    [pushWith(text), syncWith(text)].map((one) => kinds.read(one)),
  'actions/environmentDeployments syncChoices': (text) =>
    syncChoices(contextWith(text).store, source.id),
  'actions/itemNames parseItemNames': itemNames.parseItemNames,
  'actions/itemNames readItemNames': (text) => itemNames.readItemNames([text]),
  'actions/itemNames escapedText': (text) => itemNames.escapedText(text),
  'actions/itemNames escapedName': (text) => itemNames.escapedName(text, t),
  'actions/itemNames escapedItem': (text) => itemNames.escapedItem(text, t),
  'actions/itemNames dialogItems': (text) => itemNames.dialogItems([text], t),
  'actions/targetNames environmentNames': (text) =>
    targetNames.environmentNames(contextWith(text), { sourceId: uuid(1), environmentId: uuid(4) }),
  'actions/targetNames resourceNames': (text) =>
    targetNames.resourceNames(contextWith(text), { sourceId: uuid(1), environmentId: uuid(4) }),
  'actions/targetNames isLikeProduction': targetNames.isLikeProduction,
  'actions/targetNames namedServer': (text) =>
    targetNames.namedServer(contextWith(text), server.id),
  'actions/targetNames namedSource': (text) =>
    targetNames.namedSource(contextWith(text), source.id),
  'ai/actionOutcome syncPlan': (text) =>
    syncPlan(contextWith(text), text, { sourceId: uuid(1), environmentId: uuid(4) }),
  'ai/actionOutcome cleanUpPlan': (text) =>
    cleanUpPlan(contextWith(text), text, { serverId: uuid(2), items: [text] }),
  'ai/actionOutcome outcomeAnswer': (text) => outcomeAnswer(pushWith(text), kinds, 'logs.read'),
  'ai/answer answerText': (text) =>
    answer.answerText(
      {
        words: ['Found.'],
        data: { entries: [[text], [`${text}\n`]], keep: 'last', noun: 'record' },
      },
      fence,
      20_000,
    ),
  'ai/answer cleanData': (text) =>
    answer.cleanData([{ [text]: text }, new answer.Excerpt(text, 500)], fence.secrets),
  'ai/answer fenced': (text) => answer.fenced([[text]], fence, 20_000, 'first'),
  'ai/answer utf8Length': answer.utf8Length,
  'ai/chatQuestion chatData': (text) => {
    const record = recordWith(text);
    return chatData(
      {
        count: 1,
        change: undefined,
        workloads: [{ id: text, name: text, count: 1 }],
        first: record,
        last: record,
      },
      [text],
      fence,
    );
  },
  'ai/mcpServer mcpUrl': (text) =>
    mcpUrl({ name: 'c', baseUrl: 'https://a.example', origin: 'https://a.example' }, text),
  'ai/outlines resourceOutline': (text) => outlines.resourceOutline(resourceWith(text)),
  'ai/outlines deploymentOutline': (text) => outlines.deploymentOutline(deploymentWith(text)),
  'ai/outlines ruleOutline': (text) =>
    outlines.ruleOutline(ruleWith(text), [{ id: text, name: text }]),
  'ai/outlines comparisonEntries': (text) => outlines.comparisonEntries(comparedWith(text), false),
  'ai/outlines secretKeysOutline': (text) =>
    outlines.secretKeysOutline({ environment: text, keys: [text], missingKeys: [text] }),
  'ai/toolProblems problemAnswer': (text) =>
    problemAnswer(
      new errors.ApiError({ kind: 'http', status: 400, code: text, message: text }),
      'logs.read',
    ),
  'ai/toolProblems readInput': (text) =>
    orRefused(() =>
      readInput(contract.parameters_get_operation, { operationId: text, [text]: text }),
    ),
  'connection/checkConnection clockSkew': (text) => clockSkew(text, now),
  'connection/connections readConnections': (text) =>
    connections.readConnections([{ name: text, baseUrl: text }]),
  'connection/connections makeConnection': (text) => connections.makeConnection(text, text),
  'connection/connections hostName': (text) => connections.hostName(`https://a${text}`),
  'connection/connections offerName': (text) => connections.offerName(`https://a${text}`, []),
  'connection/connections proposalOf': (text) =>
    [undefined, text].map((name) => connections.proposalOf(name, `https://a/${text}x`, [])),
  'connection/connections httpsUrl': connections.httpsUrl,
  'connection/diagnosticsReport diagnosticsReport': (text) =>
    diagnostics.diagnosticsReport({
      ...{
        takenAt: now,
        about: [[text, text]],
        server: [text],
        tails: [text],
        keys: [text.slice(0, 20)],
      },
      connections: [{ name: text, origin: text, is: text }],
      settings: [],
      requests: [
        {
          ...{
            method: 'GET',
            path: text,
            status: 200,
            milliseconds: 1,
            requestId: text,
            date: text,
          },
          ...{ failure: text, leftOut: [text], at: now },
        },
      ],
    }),
  'connection/diagnosticsReport changedSettings': (text) =>
    diagnostics.changedSettings([{ properties: { [text]: { default: text } } }], () => ({
      globalValue: text,
    })),
  'connection/diagnosticsReport plainWord': diagnostics.plainWord,
  'connection/perConnection NotifiedStates': (text) => {
    let stored: unknown;
    const storage = {
      get: () => stored,
      update: (_: string, value: unknown) => Promise.resolve(void (stored = value)),
    };
    const connection = { name: 'a', baseUrl: 'https://a', origin: 'https://a' };
    const session = { state: { kind: 'signedOut', connection } } as const;
    const notified = new NotifiedStates(session, storage, 'told');
    return notified.claim(
      [text],
      (one) => one,
      (one) => one,
    );
  },
  'data/deployments deploymentTime': (text) => deployments.deploymentTime(deploymentWith(text)),
  'data/deployments newestFirst': (text) => deployments.newestFirst([deploymentWith(text)]),
  'data/deployments shortSha': deployments.shortSha,
  'data/deployments shortRef': deployments.shortRef,
  'data/deployments hasRun': (text) =>
    deployments.hasRun(deploymentWith(text), [deploymentWith(text), deploymentWith(`${text}.`)]),
  'data/deployments mayHaveRun': (text) =>
    deployments.mayHaveRun(deploymentWith(text), [
      deploymentWith(text),
      deploymentWith(`${text}.`),
    ]),
  'data/deployments isIn': (text) =>
    deployments.isIn(deploymentWith(text), deployments.placeOfResource(resourceWith(text))),
  'data/deployments environmentOf': (text) => deployments.environmentOf(deploymentWith(text)),
  'data/deployments isSameCommit': (text) => deployments.isSameCommit(text, `${text}.`),
  'data/deployments runsSince': (text) => deployments.runsSince(deploymentWith(text)),
  'data/deployments siteOf': (text) =>
    [text, `https://${text}`, `a.${text}`].map(deployments.siteOf),
  'data/deployments deploymentPair': (text) =>
    deployments.deploymentPair(contextWith(text), { deploymentId: text, resourceId: uuid(3) }),
  'data/deployments deployedIn': (text) =>
    deployments.deployedIn([resourceWith(text)], () => [deploymentWith(text)]),
  'data/deployments previewOf': (text) =>
    deployments.previewOf([resourceWith(text)], [text], () => [deploymentWith(text)]),
  'data/discovery/discoveryOffer discoveryOffer': (text) =>
    discoveryOffer(
      {
        ...{ sources: [], workloads: 1, unseen: [], cut: [] },
        servers: [{ id: uuid(2), names: [text], foundBy: ['logs'] }],
      } as never,
      { sources: [], servers: [] },
      t,
    ),
  'data/discovery/discoveryOffer addThings': (text) => addThings([], [{ id: text, label: text }]),
  'data/knownNames knownNames': (text) => [...knownNames(contextWith(text))],
  'data/knownNames Names': (text) => {
    const known = new Names();
    known.remember('workload', text, text);
    return known.idsOf('workload', text);
  },
  'data/labels Labels': (text) => {
    const all = new labels.Labels(contextWith(text));
    return [all.source(source), all.server(server)];
  },
  'data/labels nameOfResource': (text) => labels.nameOfResource(resourceWith(text)),
  'data/labels withUniqueIds': (text) => labels.withUniqueIds([source, server], () => text),
  'data/labels labelOfKey': (text) =>
    labels.labelOfKey({ kind: 'deployments', id: uuid(3) }, contextWith(text)),
  'data/sites siteHost': (text) =>
    [`https://a.example/${text}`, `https://${text}`].map((url) => {
      const site = connections.httpsUrl(url);
      return site === undefined ? undefined : siteHost(site);
    }),
  'data/states stateKey': states.stateKey,
  'data/states stateMeaning': states.stateMeaning,
  'data/states hasEnded': (text) => states.hasEnded(deploymentWith(text)),
  'data/states isRunning': (text) => states.isRunning(deploymentWith(text)),
  'data/states hasSucceeded': (text) => states.hasSucceeded(deploymentWith(text)),
  'data/states isFiring': (text) => states.isFiring(ruleWith(text)),
  'data/states isAsWanted': (text) => states.isAsWanted(text, `${text}.`),
  'data/states isStopped': states.isStopped,
  'data/stateWords stateInWords': (text) => stateWords.stateInWords(text, t),
  'data/stateWords workText': (text) => stateWords.workText(text, t),
  'data/targets readTargets': (text) =>
    targets.readTargets([{ id: uuid(1), label: text }, { id: text }]),
  'data/targets listedTargets': (text) =>
    targets.listedTargets({
      sources: [{ id: text, repositoryOwner: text, repositoryName: text, status: text }],
      servers: [{ id: text, name: text }],
    }),
  'data/targets withListed': (text) =>
    targets.withListed(
      [],
      [
        { id: text, name: text },
        { id: uuid(1), name: text },
      ],
    ),
  'data/targets isUuid': targets.isUuid,
  'data/targets parseId': (text) => orRefused(() => targets.parseId(text)),
  'data/targets addTarget': (text) => targets.addTarget([{ id: text }], { id: text, label: text }),
  'data/targets renameTarget': (text) => targets.renameTarget([{ id: text }], text, text),
  'data/targets isSameId': (text) => targets.isSameId(text, text),
  'data/targets shortId': targets.shortId,
  'deployed/branch readSourceChoice': (text) => branch.readSourceChoice({ [text]: text }, text),
  'deployed/branch readBranch': branchWith,
  'deployed/branch branchText': wordsWith,
  'deployed/branch environmentName': (text) => branch.environmentName({ name: text }, t),
  'deployed/push readApp': (text) =>
    push.readApp(
      { resourceId: uuid(3), name: text, isOptional: false, state: 'waiting' },
      [deploymentWith(text)],
      { sha: text, pushedAt: now, ageOf: () => 'unknown', isStill: () => true },
    ),
  'deployed/push countedEnvironments': (text) => push.countedEnvironments(environmentsWith(text)),
  'deployed/push appOf': (text) => push.appOf(resourceWith(text)),
  'deployed/push durationOf': (text) => push.durationOf(appsWith(text), now),
  'deployed/push withPush': (text) =>
    push.withPush(
      { text, label: text, tooltip: [text], isBusy: false, isFailed: false },
      { environments: [], head: { branch: text } } as never,
      pushWith(text) as never,
      { t, counted, timeFormat },
    ),
  'deployed/sourceMatch remoteName': (text) =>
    [text, `https://${text}`, `git@a:${text}`, `https://a/${text}`].map(sourceMatch.remoteName),
  'deployed/sourceMatch isNameOf': (text) =>
    sourceMatch.isNameOf(text, { name: text, path: `a/${text}` }),
  'deployed/sourceMatch matchSource': (text) =>
    sourceMatch.matchSource({
      remotes: [text, 'https://a.example/b'],
      sources: [{ id: uuid(1), label: text }, source],
      resourcesOf: () => [resourceWith(text)],
      holds: () => false,
    }),
  'deployed/whereIs placesByEnvironment': (text) =>
    whereIs.placesByEnvironment([placeWith(text)], { t }),
  'deployed/whereIs whereaboutsText': (text) =>
    whereIs.whereaboutsText([placeWith(text)], { t, counted, timeFormat }),
  'deployed/whereIs placeText': (text) => whereIs.placeText(placeWith(text), { t, timeFormat }),
  'deployed/whereIs nameOfPlace': (text) => whereIs.nameOfPlace(placeWith(text)),
  'deployed/whereIs commitOfLine': (text) => whereIs.commitOfLine(text, 1),
  'deployed/whereIs hashAt': (text) => whereIs.hashAt(text, text.length),
  'deployed/whatChanged comparedCommits': (text) =>
    comparedCommits({ deployment: deploymentWith(text), previous: deploymentWith(text) }),
  'deployed/whatChanged sectionsOf': (text) => sectionsOf(rangeWith(text), { t, counted }),
  'deployed/whatChanged rangeTitle': (text) => rangeTitle(rangeWith(text), { t, counted }),
  'deployed/whatChanged commitText': (text) =>
    commitText(
      { sha: text, title: text, author: text, at: now, parents: [] },
      { counted, timeFormat },
    ),
  'pushes/pushKind endedText': (text) =>
    pushKind.endedText([{ ...appsWith(text)[0], state: 'ended' } as never], t),
  'pushes/pushKind environmentsText': (text) =>
    pushKind.environmentsText(environmentsWith(text), t),
  'pushes/pushKind kindsText': (text) => pushKind.kindsText([{ title: text, change: 'new' }]),
  'pushes/pushKind failureOf': (text) => appsWith(text).map(pushKind.failureOf),
  'pushes/pushKind isReplaced': (text) => appsWith(text).map(pushKind.isReplaced),
  'trees/alerts/alertWatch alertChanges': (text) =>
    alertChanges(text, { rules: [ruleWith(text)] }, { rules: [ruleWith(`${text}.`)] }),
  'trees/alerts/alertWatch changeText': (text) =>
    changeText(
      {
        ...{ serverId: server.id, rule: ruleWith(text), from: text, to: text },
        ...{ isFiring: true, wasFiring: false },
      },
      contextWith(text),
    ),
  'trees/alerts/ruleNodes rulePath': (text) => ruleNodes.rulePath(text, text),
  'trees/alerts/ruleNodes ruleNodes': (text) =>
    lookAt(ruleNodes.ruleNodes(contextWith(text), 'a', server.id, { rules: [ruleWith(text)] })),
  'trees/alerts/ruleNodes ruleLabel': (text) =>
    ruleNodes.ruleLabel(ruleWith(text), contextWith(text)),
  'trees/alerts/ruleNodes ruleFollow': (text) =>
    ruleNodes.ruleFollow(ruleWith(text), server.id, contextWith(text)),
  'trees/alerts/ruleNodes ruleText': (text) =>
    ruleNodes.ruleText(ruleWith(text), contextWith(text)),
  'trees/integrations/integrationNodes integrationNodes': (text) =>
    lookAt(integrationNodes(contextWith(text))),
  'trees/nodes createKeys': (text) => nodes.createKeys(text, text)(text),
  'trees/nodes detailsOf': (text) =>
    nodes.detailsOf({ [text]: [{ [text]: text }, text] }, { t, timeFormat }),
  'trees/nodes factsOf': (text) =>
    nodes.factsOf('Resource', resourceWith(text), { t, timeFormat }, [[text, text]]),
  'trees/nodes spokenText': (text) =>
    nodes.spokenText(
      nodes.makeNode({
        id: 'a',
        kind: 'none',
        label: text,
        description: text,
        status: { icon: 'dash', words: text, states: [], rank: 0 },
      }),
    ),
  'trees/nodes timeText': (text) => nodes.timeText(text, { timeFormat }),
  'trees/placeholderNodes problemNode': (text) =>
    problemNode(
      contextWith(text),
      text,
      { kind: 'integrations', id: '' },
      new errors.ApiError({ kind: 'http', status: 400, code: text, message: text }),
    ),
  'trees/servers/serverNodes serverNodes': (text) => lookAt(serverNodes(contextWith(text))),
  'trees/sources/resourceNodes resourceNodes': (text) =>
    lookAt(resourceNodes.resourceNodes(contextWith(text), 'a', [resourceWith(text)])),
  'trees/sources/resourceNodes deploymentNodes': (text) =>
    lookAt(
      resourceNodes.deploymentNodes(contextWith(text), 'a', [deploymentWith(text)], {
        resource: resourceWith(text),
      } as never),
    ),
  'trees/sources/resourceNodes failingText': (text) =>
    resourceNodes.failingText([resourceWith(text)], { t, counted }),
  'trees/sources/resourceNodes lastDeployed': (text) =>
    resourceNodes.lastDeployed(contextWith(text), resourceWith(text)),
  'trees/sources/resourceNodes deploymentDetails': (text) =>
    resourceNodes.deploymentDetails(deploymentWith(text), contextWith(text)),
  'trees/sources/resourceNodes deploymentTarget': (text) =>
    resourceNodes.deploymentTarget(deploymentWith(text), text),
  'trees/sources/jobSchedules isJob': (text) => jobSchedules.isJob(resourceWith(text)),
  'trees/sources/jobSchedules rawSchedules': (text) =>
    jobSchedules.rawSchedules(resourceWith(text), t),
  'trees/sources/jobSchedules schedulesInWords': (text) =>
    jobSchedules.schedulesInWords(resourceWith(text), contextWith(text)),
  'trees/sources/jobSchedules nextRunOf': (text) =>
    jobSchedules.nextRunOf(resourceWith(text), contextWith(text)),
  'trees/sources/jobSchedules nextRunText': (text) =>
    jobSchedules.nextRunText(resourceWith(text), contextWith(text)),
  'trees/sources/jobSchedules lastRecordKeys': (text) =>
    jobSchedules.lastRecordKeys([resourceWith(text)], contextWith(text)),
  'trees/sources/jobSchedules lastLoggedText': (text) =>
    jobSchedules.lastLoggedText(resourceWith(text), contextWith(text)),
  'trees/sources/jobSchedules silenceText': (text) =>
    jobSchedules.silenceText({ ...resourceWith(text), kind: 'job' }, now - day, contextWith(text)),
  'trees/sources/schedule readSchedule': readSchedule,
  'trees/sources/schedule isTimeZone': isTimeZone,
  'trees/sources/schedule lastRuns': (text) => {
    const schedule = readSchedule('*/5 * * * *');
    return schedule && lastRuns(schedule, text, now);
  },
  'trees/sources/schedule nextRun': (text) =>
    ['*/5 * * * *', '0-59 0-23 31 2,4 *'].map((cron) => {
      const schedule = readSchedule(cron);
      return schedule && [nextRun(schedule, text, now), nextRun(schedule, 'Europe/Berlin', now)];
    }),
  'trees/sources/schedule scheduleText': (text) => {
    const schedule = readSchedule('0 3 * * *');
    return schedule && scheduleText(schedule, text, { t, counted, timeFormat });
  },
  'trees/sources/secretComparison compareSecretKeys': (text) =>
    compareSecretKeys(secretsWith(text)),
  'trees/sources/secretComparison lackingKeys': (text) => lackingKeys(secretsWith(text), text),
  'trees/sources/secretComparison secretComparisonText': (text) =>
    secretComparisonText(compareSecretKeys(secretsWith(text)), text, text, t),
  'trees/sources/secretNodes secretsNode': (text) =>
    lookAt(
      secretsNode(
        contextWith(text),
        { id: text, label: text, bindings: [{ stage: text, keys: [text], revision: text }] },
        text,
        { value: {}, isLoading: false, failures: 0 },
      ),
    ),
  'trees/sources/sourceNodes sourceNodes': (text) => lookAt(sourceNodes(contextWith(text))),
  'trees/sources/sourceNodes environmentPath': (text) => environmentPath(text, text),
  'trees/status deploymentStatus': (text) => status.deploymentStatus(text, t),
  'trees/status workStatus': status.workStatus,
  'trees/status stateStatus': (text) => status.stateStatus(status.healthStates, text),
  'trees/status alertStatus': (text) => status.alertStatus(ruleWith(text), t),
  'trees/treeOrder arrange': (text) =>
    arrange(sourceNodes(contextWith(text)), { text, states: [text] }, 'name', []),
  'trees/treeOrder statesOf': (text) => statesOf(sourceNodes(contextWith(text))),
  'trees/treeOrder filterChoices': (text) => filterChoices([text], { text, states: [text] }),
};

/** An app that waits for a deployment. */
function placeWith(text: string): whereIs.CommitPlace {
  return {
    resource: resourceWith(text),
    where: { kind: 'waits' },
    deployment: deploymentWith(text),
  };
}

/** See `others`. */
export const roomOthers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'take no text, or compare and keep it': {
    'actions/environmentDeployments':
      'appsWithout deploymentsSince environmentKeys pausesDeployment resourcesOf',
    'actions/kinds/cleanUp': 'mayBeForgotten',
    'actions/sendAction': 'failureMeaning',
    'actions/syncConsent': 'SyncConsent canGiveConsent',
    'actions/targetNames': 'isNamedByOthers',
    'activity/activityEntry':
      'belongsTo compareEntries grantedPermission isUnsettled lacksPermission',
    'activity/entryKind': 'durationHere isOfKind',
    'activity/problems': 'errorOf problemOf',
    'ai/answer': 'Excerpt count',
    'ai/mcpServer': 'mcpHeaders tryMcpServer',
    'ai/toolProblems': 'lackingAnswer nothingKnown',
    'api/cursors':
      'PageCursor StreamCursor mayRefuseCursor queryRequestOf streamPageOf tailRequestOf',
    'api/describedCalls': 'hasKindsOfItems joinDescribed requiresConnection',
    'api/readingKey': 'withReasonOfRefusal',
    'api/errors':
      'ApiError ConnectionEndedError InvalidRequestError failedAs isAccessLost localizableMessage meaningOfStatus networkProblem protocolError',
    'api/jsonSchema': 'validatorOf',
    'api/logStream': 'streamItemOf',
    'api/retryPolicy': 'backOff isOutage nextTry pollDelay retryDelay',
    'api/validateRequest':
      'cleanUpContent cleanupBody logQueryContent logTailContent parametersContent validateCleanup validateLogQuery validateLogTail',
    'connection/connections': 'connectionId secretKeyOf',
    'connection/perConnection': 'StoredPerConnection currentConnection',
    'data/deployments': 'placeOfResource',
    'data/discovery/discoveryOffer': 'foundByText keyLimits',
    'data/listings': 'hiddenWithout',
    'data/readListings': 'ReadListings',
    'data/states': 'setOwnFiringStates setOwnMeanings',
    'data/store': 'cacheKeyId isRefusal',
    'data/targets': 'joinTargets removeTarget restoreTarget targetWithId',
    'deployed/branch': 'branchesOf positionText runsIn withChoice',
    'deployed/push': 'countedApps endOfPush environmentsOfPush hasCome isPushOf isSincePush',
    'pushes/pushKind': 'appsOf hasResult isReplaced lengthOfPush pathOfApp',
    'trees/integrations/integrationNodes': 'integrationKeys repositoriesPath',
    'trees/nodes': 'detailLines makeNode ownerDetails pathTo',
    'trees/placeholderNodes': 'childrenFrom loadingNode noneNode availabilityText staleText',
    'trees/servers/serverNodes': 'serverKeys',
    'trees/sources/resourceNodes': 'deploymentKeys latest',
    'trees/sources/sourceNodes': 'followOfResources',
    'trees/status': 'failed plain warning worst',
    'trees/treeOrder': 'isFiltering',
  },
  'read the texts of package.json, which are ours': {
    'trees/treeState': 'accessibilityHelp',
  },
  'send and watch: what comes is read by readers': {
    'actions/environmentDeployments': 'completeBaselines readLastDeployed',
    'actions/kinds/cleanUp': 'CleanUpRunner',
    'actions/orphans':
      'candidatesOf findOrphanCandidates knownItems knownWorkloads listedOrphans orphanKeys',
    'actions/sendAction': 'oneAtATime sendAction',
    'activity/activity': 'Activity',
    'activity/activityLog': 'ActivityLog',
    'activity/runner': 'WatchedWork pollUntil throwUnlessStopped',
    'ai/actionOutcome': 'whenAnswered',
    'ai/outlines': 'listing',
    'api/buildRequest': 'buildRequest',
    'api/createClient': 'createClient tryBaseUrl',
    'api/fetchPages': 'fetchEach fetchNewest fetchPages',
    'api/logStream': 'readLogStream',
    'api/readAnswers': 'lenient readDescription readLogQueryPage readOperation',
    'api/requestScheduler': 'RequestScheduler',
    'api/sendRequest': 'chunksOf inTime readJson sendRequest',
    'connection/apiKeys': 'ApiKeys',
    'connection/checkConnection': 'checkConnection tryKey',
    'connection/describedServer': 'DescribedServer',
    'connection/forgetting': 'Forgetting removeConnection',
    'connection/session': 'Session SessionMemory clientOf signInto typedKey',
    'data/discovery/discovery': 'discover recentWorkloads',
    'data/polling': 'Polling',
    'data/outage': 'Outage',
    'data/store': 'Store inParallel',
    'pushes/pushHealth': 'PushHealthCheck',
    'pushes/pushNews': 'PushNewsFinder',
    'deployed/whereIs': 'whereIsCommit',
    'pushes/pushRunner': 'PushRunner',
  },
  'pass records, listings and rows to readers': {
    'actions/targetNames': 'resourceCount syncChoice',
    'ai/chatQuestion': 'comparisonData',
    'ai/outlines': 'comparisonWords',
    'data/labels': 'idText ownerText serverName sourceName',
    'deployed/push': 'DeploymentEnds',
    'trees/alerts/alertWatch': 'AlertWatch firingCount firingRules',
    'trees/treeRows': 'TreeRows',
    'trees/treeState': 'treeState viewMessage welcomeKey',
  },
};
