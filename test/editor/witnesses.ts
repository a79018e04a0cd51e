/** Descriptions of the current state, for tests that time out or fail, by subject. */
const witnesses = new Map<string, () => unknown>();

/** Registers `look`, which is called when a test times out or fails. */
export function witness(about: string, look: () => unknown): void {
  witnesses.set(about, look);
}

/** Longer than any witness needs; a hanging one must not block the others. */
const patience = 2_000;

/** The current state, one line for each witness. */
export async function whatIsThere(): Promise<string> {
  const lines = await Promise.all(
    [...witnesses].map(async ([about, look]) => `${about}: ${await said(look)}`),
  );
  return ['Current state:', ...lines].join('\n');
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
