import { assert } from 'chai';
import { severityOf } from '../../../../src/logs/calls/loggers';
import { fillPlaceholders } from '../../../../src/logs/calls/expressions';
import {
  fitMessage,
  loggedMessage,
  statementTemplate,
} from '../../../../src/logs/calls/statementTemplate';
import { sampleRecord } from '../sampleRecord';
import { logged } from './logged';
import { message } from './message';

/** Of each limit the last code, or text, that is read, and the first that is not. */
describe('What is read of logging calls', () => {
  for (const [what, languageId, most, code] of [
    ['a chain', 'javascript', 29, (n: number) => `log${'.a()'.repeat(n)}.info("text")`],
    [
      'calls in calls',
      'python',
      8,
      (n: number) => `log.info(${'_('.repeat(n)}"text"${')'.repeat(n)})`,
    ],
    ['a block', 'ruby', 197, (n: number) => `logger.info do\n${'x\n'.repeat(n)}"text"\nend`],
  ] as const) {
    it(`is ${what} of ${most}, and none of ${most + 1}`, () => {
      const texts = (count: number): string[] => logged(code(count), languageId);
      assert.deepEqual(texts(most), ['info: text']);
      assert.notInclude(texts(most + 1), 'info: text');
    });
  }

  it('are a hundred placeholders', () => {
    const inOrder = Array.from({ length: 102 }, (_, index) => `v${index}`);
    const values = { inOrder, named: new Map<string, string>(), namesInOrder: false };
    const { parts, used } = fillPlaceholders([{ text: '%s,'.repeat(102) }], 'printf', values);
    assert.equal(used, 100);
    assert.deepEqual(parts.slice(-2), [{ expression: 'v99' }, { text: ',%s,%s,' }]);
  });

  it('are 32 texts and 1000 characters of a message', () => {
    const parts = Array.from({ length: 40 }, (_, index) => [
      { text: `text${index}` },
      { expression: 'x' },
    ]).flat();
    assert.lengthOf(statementTemplate(parts)?.constants ?? [], 32);
    const long = statementTemplate([{ text: 'a'.repeat(1001) }]);
    assert.deepEqual(long?.constants, ['a'.repeat(1000)]);
    const both = [{ text: 'a'.repeat(600) }, { expression: 'x' }, { text: 'b'.repeat(600) }];
    assert.lengthOf(
      statementTemplate([...both, { expression: 'y' }, { text: 'end' }])!.constants,
      2,
    );
  });

  it('are 4000 characters of a record, and 200 of a value', () => {
    const template = statementTemplate(message`order ${'id'} placed`)!;
    const fits = (body: string) => fitMessage(template, loggedMessage(sampleRecord({ body })));
    const filled = (length: number): string => `${'x'.repeat(length - 14)}order 1 placed`;
    assert.isDefined(fits(filled(4000)));
    assert.isUndefined(fits(filled(4001)));
    for (const length of [200, 201]) {
      const [held] = fits(`order ${'1'.repeat(length)} placed`)?.values ?? [];
      assert.isAtMost(held?.value.length ?? 0, 200);
      assert.equal(held?.value === '1'.repeat(length), length === 200);
    }
  });

  it('are names of a level up to 24 letters', () => {
    const name = (length: number): string => `log${'_'.repeat(length - 7)}info`;
    assert.isUndefined(severityOf(name(25)));
  });
});
