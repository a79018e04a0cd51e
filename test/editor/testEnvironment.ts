/**
 * What the runner on this machine tells the tests inside the editor. It stands as JSON in the
 * workspace folder, since that reaches both hosts: a web worker has no environment variables.
 */
export interface TestEnvironment {
  /** Which extension host the tests run in. */
  host: 'node' | 'web';
  /** Mocha's filter by title; empty: all tests. */
  grep: string;
  /** The files that are run, such as `follow` or `follow.test.ts`; none: all of them. */
  files: readonly string[];
  /** Where test/host/relay.ts listens, which starts control planes. */
  relayUrl: string;
  /** Where test/host/launcher.ts listens, which can look at the window; a desktop has none. */
  launcherUrl?: string;
}

/** The name of the file in the workspace folder. */
export const environmentFile = '.test-environment.json';
