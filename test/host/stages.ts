import path from 'node:path';
import { reportMark, totalsMark } from '../editor/report';
import { repository } from './openEditor';
import { cleanEnvironment, startGuarded } from './processes';

/** How many tests of a stage passed, failed and were skipped. */
export interface Totals {
  passed: number;
  failed: number;
  skipped: number;
}

/** The stages of `npm test`, in the order in which they run. */
export const stages = ['unit', 'editor', 'web', 'browser'] as const;
export type Stage = (typeof stages)[number];

/** What a stage is about, for its headline. */
export const titles: Readonly<Record<Stage, string>> = {
  unit: 'Unit tests, with coverage',
  editor: 'Tests inside a real VS Code, Node extension host',
  web: 'Tests inside a real VS Code, web worker extension host',
  browser: 'A real VS Code window, driven like a person does',
};

const tsx = ['--import', 'tsx'];
const mocha = path.join(repository, 'node_modules/mocha/bin/mocha.js');
const c8 = path.join(repository, 'node_modules/c8/bin/c8.js');

/** The arguments for Node.js that run a stage; with `grep` only tests with such a title. */
function command(stage: Stage, grep: string): string[] {
  const some = grep ? ['--grep', grep] : [];
  const color = process.stdout.isTTY ? ['--color'] : [];
  switch (stage) {
    case 'unit': {
      const run = [mocha, '--config', '.config/mocha.json', ...color, ...some];
      // A part of the tests says nothing about coverage.
      return grep ? run : [c8, '--config', '.config/c8.json', process.execPath, ...run];
    }
    case 'browser':
      return [mocha, '--config', '.config/mocha-browser.json', ...color, ...some];
    case 'editor':
      return [...tsx, 'test/host/editorTests.ts', '--host=node', ...some];
    case 'web':
      return [...tsx, 'test/host/editorTests.ts', '--host=web', ...some];
  }
}

/**
 * Runs a stage in a process of its own and streams what it prints. A stage that ends badly without
 * a failed test (a broken build, too little coverage) or that ran no test at all counts as one
 * failure, so that the totals never look better than the run was.
 */
export async function runStage(stage: Stage, grep: string): Promise<Totals> {
  const totals: Totals = { passed: 0, failed: 0, skipped: 0 };
  const { exited } = startGuarded(process.execPath, command(stage, grep), {
    env: cleanEnvironment(),
    cwd: repository,
    onLine(line) {
      readTotals(line, totals);
      if (line.startsWith(totalsMark) || line.startsWith('Exit code: ')) return;
      console.log(line.startsWith(reportMark) ? line.slice(reportMark.length) : line);
    },
  });
  const code = await exited;
  if (totals.passed + totals.failed === 0 && !(grep && code === 0)) {
    console.log(`The stage ${stage} ran no test.`);
    totals.failed++;
  } else if (code !== 0 && totals.failed === 0) {
    console.log(`The stage ${stage} ended with code ${code} although no test failed.`);
    totals.failed++;
  }
  return totals;
}

const words = { passing: 'passed', failing: 'failed', pending: 'skipped' } as const;

/** Reads the last line of an editor run, or the summary of mocha's spec reporter. */
function readTotals(line: string, totals: Totals): void {
  if (line.startsWith(totalsMark)) {
    Object.assign(totals, JSON.parse(line.slice(totalsMark.length)));
    return;
  }
  // eslint-disable-next-line no-control-regex -- the colours of a terminal
  const plain = line.replaceAll(/\u001b\[[\d;]*m/g, '');
  const summary = /^ {2}(\d+) (passing|failing|pending)\b/.exec(plain);
  if (!summary) return;
  totals[words[summary[2] as keyof typeof words]] = Number(summary[1]);
}
