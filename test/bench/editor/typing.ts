import type { LogRecord } from '../../../src/api/types';
import { createGitFolder } from '../../host/gitFolder';
import { temporaryFolder } from '../../host/processes';
import { figure } from '../figures';
import { codeLines, edited, lineCount, markCount, markedLines } from '../markedCode';
import { pageOf } from '../streamBytes';
import { queryPath } from './replayServer';
import type { EditorRow } from './rows';

/** Of a language that no other extension works for. */
const name = 'large.go';

/**
 * A large file whose deployed commit differs from it, with marks of errors: how much longer the extension
 * host works to open it and for each key that is typed in it, compared with the marks turned off.
 */
export const typing: EditorRow = async ({ measure, records: [sample], rounds }) => {
  const folder = await temporaryFolder('typing');
  const code = await createGitFolder(folder);
  const commitSha = await code.commit(name, edited(codeLines(), 40).join('\n'));
  await code.commit(name, codeLines().join('\n'));
  const timestamp = new Date().toISOString();
  const errors = markedLines().map((line, index): LogRecord => ({
    ...sample!,
    eventId: `error-${index}`,
    severity: 'error',
    timestamp,
    body: `TypeError: no value\n    at compute (/app/${name}:${line}:3)`,
  }));
  const { open, key } = await measure('typing', {
    rounds,
    folder,
    settings: {
      'git.enabled': true,
      'controlPlane.refresh.intervalSeconds': 0,
      'controlPlane.code.logStatements': 'off',
    },
    answers: () => ({
      [queryPath]: () => pageOf(errors),
      [`/v1/api/resources/${sample!.workloadId}/deployments`]: () => ({
        deployments: [{ id: sample!.deploymentId, commitSha }],
      }),
      '/bench/typing': () => ({ name, marks: markCount }),
    }),
  });
  const size = lineCount.toLocaleString('en');
  const opened = `opening ${size} lines with ${markCount} marks, in the host`;
  const typed = '…typing in it, each key and its share of the pause after it';
  const without = 'without marks';
  return [
    figure(opened, 'ms', open.on, {
      against: [without, open.off],
      by: 'difference',
      goal: '≤ 20',
    }),
    figure(typed, 'ms', key.on, { against: [without, key.off], by: 'difference', goal: '≤ 1' }),
  ];
};
