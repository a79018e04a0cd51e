import { testEnvironment } from './environment';
import { report, silent } from './report';

/** Runs all editor tests in the Node extension host. VS Code calls it and waits for it. */
export async function run(): Promise<void> {
  const { default: Mocha } = await import('mocha');
  const { grep } = await testEnvironment();
  const mocha = new Mocha({ ui: 'bdd', timeout: 30_000, forbidOnly: true, reporter: silent });
  if (grep) mocha.grep(grep);
  mocha.suite.emit('pre-require', globalThis, '', mocha);
  await import('editor-tests');
  const failures = await new Promise<number>((resolve) => report(mocha.run(resolve)));
  if (failures > 0) throw new Error(`${failures} tests failed.`);
}
