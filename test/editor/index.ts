import { silent } from './report';
import { runFiles } from './runFiles';

/** Runs the editor tests in the Node extension host. VS Code calls it and waits for it. */
export async function run(): Promise<void> {
  const { default: Mocha } = await import('mocha');
  await runFiles(new Mocha({ ui: 'bdd', timeout: 30_000, forbidOnly: true, reporter: silent }));
}
