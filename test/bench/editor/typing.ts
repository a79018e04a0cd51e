import type { LogRecord } from '../../../src/api/types';
import { createGitFolder } from '../../host/gitFolder';
import { temporaryFolder } from '../../host/processes';
import type { Figure } from '../figures';
import { codeLines, edited, lineCount, markCount, markedLines } from '../markedCode';
import { median, medianDifference } from '../statistics';
import type { Typing, TypingTask } from './extension/typing';
import { measureInEditor, readRecords } from './inEditor';
import { pageOf } from './replayServer';
import type { EditorRow } from './rows';

/** Of a language that no other extension works for. */
const name = 'large.go';

/**
 * A large file whose deployed commit differs from it, with marks of errors: how much longer the extension
 * host works to open it and for each key that is typed in it, compared with the marks turned off.
 */
export const typing: EditorRow = async (bench, recordsFile, rounds) => {
  const folder = await temporaryFolder('typing');
  const code = await createGitFolder(folder);
  const deployed = edited(codeLines(), 40).join('\n');
  const commitSha = await code.commit(name, deployed);
  await code.commit(name, codeLines().join('\n'));
  const [sample] = readRecords(recordsFile);
  if (sample === undefined) throw new Error('There are no records.');
  const records = errorsIn(sample);
  const result = (await measureInEditor(bench, {
    row: 'typing',
    rounds,
    recordsFile,
    folder,
    settings: {
      'git.enabled': true,
      'controlPlane.refresh.intervalSeconds': 0,
      'controlPlane.code.logStatements': 'off',
    },
    serve(server) {
      const deployments = [{ id: sample.deploymentId, commitSha }];
      server.onRequest('/v1/api/logs/query', () => pageOf(records, undefined));
      server.onRequest(`/v1/api/resources/${sample.workloadId}/deployments`, () => ({
        deployments,
      }));
      server.onRequest('/bench/typing', (): TypingTask => ({ name, marks: markCount }));
    },
  })) as Typing;
  const figure = (what: string, { on, off }: Typing['open'], most: number): Figure => ({
    what,
    measure: 'ms',
    ours: median(on),
    other: { name: 'without marks', value: median(off) },
    result: medianDifference(on, off),
    unit: 'ms',
    goal: { is: '≤', value: most },
  });
  const size = lineCount.toLocaleString('en');
  return [
    figure(`opening ${size} lines with ${markCount} marks, in the host`, result.open, 20),
    figure('…typing in it, each key and its share of the pause after it', result.key, 1),
  ];
};

/** An error at each marked line. */
function errorsIn(sample: LogRecord): LogRecord[] {
  const timestamp = new Date().toISOString();
  return markedLines().map((line, index) => ({
    ...sample,
    eventId: `error-${index}`,
    severity: 'error',
    timestamp,
    body: `TypeError: no value\n    at compute (/app/${name}:${line}:3)`,
  }));
}
