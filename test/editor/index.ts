import { silent } from './report';
import { runFiles } from './runFiles';

/**
 * Runs the editor tests in the Node extension host. VS Code calls it and waits for it.
 *
 * A test is in `*.hosts.test.ts` if its result depends on the extension host, such as `fetch`,
 * streams, files, secrets and missing features: then it runs in the web worker host too
 * (indexWeb.ts). All other code is the same in both hosts, and is tested only here.
 */
export async function run(): Promise<void> {
  const { default: Mocha } = await import('mocha');
  await runFiles(new Mocha({ ui: 'bdd', forbidOnly: true, reporter: silent }));
}
