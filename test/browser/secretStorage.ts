import { repository } from '../host/openEditor';
import { manifest } from '../host/editorServer';
import type { Scene } from './scene';

/** The API key in the secret storage of a window, as changed from outside. */
export interface SecretStorage {
  /** Changes it as another window does, and notifies this window; undefined deletes it. */
  change(apiKey: string | undefined): Promise<void>;
  /** Makes every read and write fail, as when the system locks its key ring. */
  lock(): Promise<void>;
  unlock(): Promise<void>;
}

const tidings = 'tidings';

/**
 * Takes control of the secret storage of the window, for the next connection. A browser keeps the
 * secrets in an object of the page, which is converted to text (`JSON.stringify`) when a secret is
 * stored; a change arrives in the page as a text, which it reads (`JSON.parse`).
 */
export async function secretStorage({ page, driver }: Scene): Promise<SecretStorage> {
  const { id } = await manifest(repository);
  await page.evaluate(lockFile(id.toLowerCase()));
  const act = async (script: string): Promise<void> => {
    await page.evaluate(`(({ all, name, kept }) => { ${script} })(globalThis.testSecrets)`);
    await driver.storeSecret(tidings);
  };
  const keep = `if (typeof all[name] === 'string') globalThis.testSecrets.kept = all[name]; delete all[name];`;
  return {
    change: (apiKey) =>
      act(apiKey === undefined ? 'delete all[name]' : `all[name] = ${JSON.stringify(apiKey)}`),
    lock: () =>
      act(`${keep}
        const fail = () => { throw new Error('The key ring is locked.'); };
        Object.defineProperty(all, name, { get: fail, set: fail, configurable: true });`),
    unlock: () => act('delete all[name]; all[name] = kept;'),
  };
}

/**
 * Finds the object with all secrets and the name of ours; a change of the other extension's secret
 * is delivered as a change of ours.
 */
function lockFile(extension: string): string {
  return `(() => {
    if (globalThis.testSecrets !== undefined) return;
    const held = globalThis.testSecrets = { all: undefined, name: undefined, kept: undefined };
    const ours = ${JSON.stringify(`{"extensionId":"${extension}"`)};
    const { stringify, parse } = JSON;
    JSON.stringify = (value, ...rest) => {
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
        const name = Object.keys(value).find((one) => one.startsWith(ours));
        if (name !== undefined) Object.assign(held, { all: value, name });
      }
      return stringify(value, ...rest);
    };
    JSON.parse = (text, ...rest) => {
      const isTidings = String(text).startsWith('{"extensionId"') && text.includes('"${tidings}"');
      return parse(isTidings ? held.name : text, ...rest);
    };
  })()`;
}
