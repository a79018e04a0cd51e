import { silent } from './report';
import { runFiles } from './runFiles';

/**
 * Runs the editor tests in the Node extension host. VS Code calls it and waits for it.
 *
 * A test is in `*.hosts.test.ts` where what it proves depends on the extension host, such as `fetch`,
 * streams, files, secrets and what a host does not have: then it runs in the web worker host as well
 * (indexWeb.ts). Everything else is the same code in both, and runs here alone.
 */
export async function run(): Promise<void> {
  const { default: Mocha } = await import('mocha');
  await runFiles(new Mocha({ ui: 'bdd', timeout: 90_000, forbidOnly: true, reporter: silent }));
}
