/** What can be said of a test that waits in vain or has failed, by what it is about. */
const witnesses = new Map<string, () => unknown>();

/** Has `look` asked, from now on, where a test waits in vain or has failed. */
export function witness(about: string, look: () => unknown): void {
  witnesses.set(about, look);
}

/** Longer than any witness needs; one that hangs must not hide what the others say. */
const patience = 2_000;

/** What there is now, a line for each witness. */
export async function whatIsThere(): Promise<string> {
  const lines = await Promise.all(
    [...witnesses].map(async ([about, look]) => `${about}: ${await said(look)}`),
  );
  return ['There was instead:', ...lines].join('\n');
}

async function said(look: () => unknown): Promise<string> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('no answer'), patience);
  });
  try {
    const seen = await Promise.race([Promise.resolve().then(look), late]);
    const text = typeof seen === 'string' ? seen : JSON.stringify(seen);
    return text.length > 2000 ? `${text.slice(0, 2000)} [+${text.length - 2000}]` : text;
  } catch (error) {
    return String(error);
  } finally {
    clearTimeout(timer);
  }
}
