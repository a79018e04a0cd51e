import { assert } from 'chai';
import { DeployedTexts } from '../../../../src/logs/errors/deployedCode';

describe('texts of deployed files', () => {
  it('are read once, as lines', async () => {
    const asked: string[] = [];
    const texts = new DeployedTexts((file, sha) => {
      asked.push(`${file} ${sha}`);
      return Promise.resolve('a\r\nb');
    });
    assert.deepEqual(await texts.linesAt('x', '1'), ['a', 'b']);
    await Promise.all([texts.linesAt('x', '1'), texts.linesAt('x', '2'), texts.linesAt('x', '2')]);
    assert.deepEqual(asked, ['x 1', 'x 2']);
  });

  it('that are missing or cannot be read are looked for again only if they may be there', async () => {
    let asked = 0;
    const texts = new DeployedTexts((file) => {
      asked++;
      if (file === 'there') return Promise.resolve('');
      return file === 'gone' ? Promise.resolve(undefined) : Promise.reject(new Error('no Git'));
    });
    const look = async (): Promise<unknown[]> =>
      Promise.all(['there', 'gone', 'broken'].map((file) => texts.linesAt(file, '1')));
    assert.deepEqual(await look(), [[''], undefined, undefined]);
    await look();
    assert.equal(asked, 3);
    texts.recheck();
    await look();
    assert.equal(asked, 5);
  });

  it('take a bounded amount of memory: those that were used longest ago are dropped', async () => {
    const asked: string[] = [];
    const text = 'x'.repeat(6 * 1024 * 1024);
    const texts = new DeployedTexts((file) => {
      asked.push(file);
      return Promise.resolve(text);
    });
    for (const file of ['a', 'b', 'a', 'c', 'a', 'b']) await texts.linesAt(file, '1');
    assert.deepEqual(asked, ['a', 'b', 'c', 'b']);
  });
});
