import { assert } from 'chai';
import type { LineMapping } from '../../../../src/commits/lineMapping';
import { LinesNow } from '../../../../src/logs/errors/linesNow';
import { settle } from '../../fakeClock';
import { spotAt } from './spottedKinds';

describe('the lines that rows name', () => {
  it('are those of the files now, once these were compared, and again when they change', async () => {
    let added = 1;
    const read: string[] = [];
    const mappingOf = (file: string, sha: string): Promise<LineMapping> => {
      read.push(`${sha} ${file.split('/').at(-1)}`);
      const by = added;
      return Promise.resolve((line) => ({ line: line + by, certainty: 'same' }));
    };
    const lines = new LinesNow(
      ({ deploymentId }) => (deploymentId === null ? undefined : 'sha'),
      mappingOf,
    );
    let changes = 0;
    lines.onDidChange(() => changes++);
    const spot = spotAt(4, { deploymentId: 'one' });

    assert.equal(lines.lineOf(spot), 4, 'not known yet');
    await settle();
    assert.equal(changes, 1);
    assert.equal(lines.lineOf(spot), 5);
    assert.equal(lines.lineOf(spotAt(9, { deploymentId: 'one' })), 10, 'of the same file');
    assert.equal(lines.lineOf(spotAt(4, { deploymentId: null })), 4, 'the commit is unknown');
    assert.lengthOf(read, 1, 'a file is compared once');

    added = 3;
    lines.recheck();
    assert.equal(lines.lineOf(spot), 5, 'until it was read again');
    await settle();
    assert.equal(lines.lineOf(spot), 7);
    assert.lengthOf(read, 2);
    lines.dispose();
  });
});
