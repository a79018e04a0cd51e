import { testEnvironment } from './environment';
import { whatIsThere } from './witnesses';

let kept: Promise<unknown> = Promise.resolve();

/**
 * Starts to save what helps to understand a failure: the relay writes the requests of the control
 * planes, and the launcher takes a picture of the window and saves the logs. The end of the test
 * waits for it.
 */
export function keepFailure(title: string): void {
  const keep = async (): Promise<void> => {
    const { relayUrl, launcherUrl } = await testEnvironment();
    const body = JSON.stringify({ title, there: await whatIsThere() });
    const urls = [relayUrl, ...(launcherUrl === undefined ? [] : [launcherUrl])];
    await Promise.all(urls.map((url) => fetch(`${url}/failure`, { method: 'POST', body })));
  };
  kept = kept.then(keep).catch((error: unknown) => console.error(error));
}

/** Resolves when everything about failures is saved. */
export async function failuresAreKept(): Promise<void> {
  await kept;
}
