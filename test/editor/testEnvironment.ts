import type { Certificate } from '../unit/api/certificates';

/**
 * What the runner on this machine tells the tests inside the editor: JSON in the workspace folder,
 * since that works in both hosts (a web worker has no environment variables).
 */
export interface TestEnvironment {
  /** The extension host of the tests. */
  host: 'node' | 'web';
  /** Mocha's filter by title; empty: all tests. */
  grep: string;
  /** The files to run, such as `follow` or `follow.test.ts`; empty: all of them. */
  files: readonly string[];
  /** How much longer a bound of time is on this machine: a factor from 1. */
  slowness: number;
  /** An authority that the system of the extension host trusts; only where the runner can add one. */
  authority?: Certificate;
  /** The address of test/host/relay.ts, which starts control planes. */
  relayUrl: string;
  /** The address of test/host/launcher.ts, which can inspect the window; not set on a desktop. */
  launcherUrl?: string;
}

/** The name of the file in the workspace folder. */
export const environmentFile = '.test-environment.json';
