import 'mocha/mocha.js';
import { testEnvironment } from './environment';
import { report, silent } from './report';

/** Runs the editor tests in the web worker extension host. VS Code calls it and waits for it. */
export async function run(): Promise<void> {
  const { grep } = await testEnvironment();
  mocha.setup({ ui: 'bdd', timeout: 30_000, forbidOnly: true, reporter: silent });
  if (grep) mocha.grep(grep);
  await import('editor-tests');
  const failures = await new Promise<number>((resolve) => report(mocha.run(resolve)));
  if (failures > 0) throw new Error(`${failures} tests failed.`);
}
