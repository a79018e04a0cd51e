import { linesIn } from './lineMapping';

/** The lines of files at deployed commits, read when first asked for. */
export interface DeployedTexts {
  /** Undefined if the text is not known: there is no such commit or file, or it is too large. Never rejects. */
  linesAt(file: string, sha: string): Promise<readonly string[] | undefined>;
  /** Reads texts that were not known again, because commits may have been fetched. */
  recheck(): void;
}

/** How much is kept: texts, and the UTF-16 units of all. */
const mostTexts = 200;
const mostUnits = 16 * 1024 * 1024;

interface Text {
  readonly lines: Promise<readonly string[] | undefined>;
  /** UTF-16 units; 0 while it is read. */
  size: number;
}

/** @param read undefined if there is no such text. `file` is the URI of the file as text. */
export function createDeployedTexts(
  read: (file: string, sha: string) => Promise<string | undefined>,
): DeployedTexts {
  const texts = new Map<string, Text>();
  const missing = new Set<string>();

  async function load(key: string, file: string, sha: string): Promise<string[] | undefined> {
    const found = await read(file, sha).catch(() => undefined);
    const text = texts.get(key);
    if (found === undefined) missing.add(key);
    else if (text !== undefined) text.size = found.length;
    shorten();
    return found === undefined ? undefined : linesIn(found);
  }

  /** Drops the texts that were asked for longest ago. */
  function shorten(): void {
    let units = [...texts.values()].reduce((sum, { size }) => sum + size, 0);
    for (const [key, { size }] of texts) {
      if (texts.size <= 1 || (texts.size <= mostTexts && units <= mostUnits)) return;
      texts.delete(key);
      missing.delete(key);
      units -= size;
    }
  }

  return {
    linesAt(file, sha) {
      const key = `${sha} ${file}`;
      const text = texts.get(key) ?? { lines: load(key, file, sha), size: 0 };
      // Moved to the end: a map keeps its order.
      texts.delete(key);
      texts.set(key, text);
      shorten();
      return text.lines;
    },
    recheck() {
      for (const key of missing) texts.delete(key);
      missing.clear();
    },
  };
}
