import 'mocha/mocha.js';
import { silent } from './report';
import { runFiles } from './runFiles';

/** Runs the editor tests in the web worker extension host. VS Code calls it and waits for it. */
export async function run(): Promise<void> {
  mocha.setup({ ui: 'bdd', forbidOnly: true, reporter: silent });
  await runFiles(mocha);
}
