import { readFileSync } from 'node:fs';
import type { LogRecord } from '../../../src/api/types';
import type { Figure } from '../figures';
import { comparison } from './comparison';
import { errors } from './errors';
import { events } from './events';
import { heap } from './heap';
import { lines } from './lines';
import { marks } from './marks';
import { patterns } from './patterns';
import { query } from './query';
import { recovery } from './recovery';
import { statements } from './statements';
import { suspects } from './suspects';
import { trees } from './trees';

type PureRow = (records: readonly LogRecord[], rounds: number) => Promise<Figure[]>;

const rows: Readonly<Record<string, PureRow>> = {
  ...{
    lines,
    events,
    heap,
    recovery,
    trees,
    query,
    patterns,
    comparison,
    errors,
    marks,
    statements,
    suspects,
  },
};

/** The prefix of the line with the figures. */
const mark = '##figures ';

async function main([name = '', recordsFile = '', rounds = '']: readonly string[]): Promise<void> {
  const row = rows[name];
  if (!row) throw new Error(`No row ${name}.`);
  const records = JSON.parse(readFileSync(recordsFile, 'utf8')) as LogRecord[];
  console.log(mark + JSON.stringify(await row(records, Number(rounds))));
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
