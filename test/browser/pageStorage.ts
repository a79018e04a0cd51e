import type { Page } from 'playwright';

const script = `(async () => {
  const request = (one) => new Promise((resolve, reject) => {
    one.onsuccess = () => resolve(one.result);
    one.onerror = () => reject(one.error);
  });
  const text = (value) => value instanceof Uint8Array
    ? new TextDecoder().decode(value)
    : typeof value === 'string' ? value : JSON.stringify(value);
  const found = Object.entries(localStorage)
    .filter(([name]) => name !== 'secrets.provider')
    .concat(Object.entries(sessionStorage))
    .map(([name, value]) => name + '=' + value);
  for (const { name } of await indexedDB.databases()) {
    const database = await request(indexedDB.open(name));
    for (const store of database.objectStoreNames) {
      const objects = database.transaction(store).objectStore(store);
      const [keys, values] = await Promise.all([
        request(objects.getAllKeys()),
        request(objects.getAll()),
      ]);
      keys.forEach((key, index) => found.push(key + '=' + text(values[index])));
    }
    database.close();
  }
  return found.join('\\n') + location.href + document.body.innerText;
})()`;

/** Everything that the page stores or shows, except the secret storage, as one text. */
export async function pageStorage(page: Page): Promise<string> {
  return String(await page.evaluate(script));
}
