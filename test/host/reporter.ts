import path from 'node:path';
import Mocha, { type Hook, type Runner, type Test } from 'mocha';
import { durationsMark, type Duration } from '../editor/report';

const tests = path.resolve(__dirname, '..');

/**
 * Mocha's `spec` reporter; for the stage runner also a line with the duration of each test and
 * hook, as the tests in the editor print it.
 */
module.exports = class extends Mocha.reporters.Spec {
  constructor(runner: Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const took =
      (state: Duration['state']) =>
      (what: Test | Hook, error?: Error): void => {
        const file = what.file ?? what.parent?.file ?? '';
        const duration: Duration = {
          file: file && path.relative(tests, file).split(path.sep).join('/'),
          title: what.fullTitle(),
          ms: what.duration ?? 0,
          state,
          ...(error && { error: error.stack ?? error.message }),
        };
        console.log(durationsMark + JSON.stringify(duration));
      };
    runner.on('pass', took('passed'));
    runner.on('fail', took('failed'));
    runner.on('pending', took('skipped'));
    runner.on('hook end', took('passed'));
  }
};
