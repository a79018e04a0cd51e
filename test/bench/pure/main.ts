import { readFileSync } from 'node:fs';
import type { LogRecord } from '../../../src/api/types';
import { pureRows, type PureRowName } from './rows';

/** Measures a row; writes its figures as the last line. */
async function main([name, recordsFile = '', rounds]: readonly string[]): Promise<void> {
  const records = JSON.parse(readFileSync(recordsFile, 'utf8')) as LogRecord[];
  const figures = await pureRows[name as PureRowName].measure(records, Number(rounds));
  console.log(`\n${JSON.stringify(figures)}`);
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
