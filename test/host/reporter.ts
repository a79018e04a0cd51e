import path from 'node:path';
import Mocha, { type Runner } from 'mocha';
import { printEvents } from '../editor/report';

const tests = path.resolve(__dirname, '..');

/** Mocha's `spec` reporter; for the stage runner also the events, as the tests in the editor print them. */
module.exports = class extends Mocha.reporters.Spec {
  constructor(runner: Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    printEvents(runner, (file) => file && path.relative(tests, file).split(path.sep).join('/'));
  }
};
