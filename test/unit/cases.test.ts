import path from 'node:path';
import { assert } from 'chai';
import { readCases, tryCase } from './cases';

const other = process.env['CASES'];
const folder = other ?? path.join(__dirname, '../cases');

describe('A case from the field', () => {
  for (const one of readCases(folder)) {
    it(`${one.id}: ${one.symptom}`, async () => {
      const { isRight, seen } = await tryCase(one);
      const line = `${one.fn} ${one.id}: expected ${JSON.stringify(one.expected)}, seen ${JSON.stringify(seen)}`;
      // Of another folder, what is right is of interest, too.
      if (other !== undefined) console.log(`${isRight ? 'right' : 'WRONG'} ${line}`);
      assert(isRight, line);
    });
  }
});
