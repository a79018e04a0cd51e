/** A move of a ref, as Git has logged it. Hashes are in lower case. */
export interface RefMove {
  /** What the ref pointed to before; undefined if it was made. */
  readonly from: string | undefined;
  readonly to: string;
  /** When it moved, in milliseconds since 1970: whole seconds. */
  readonly at: number;
  /** What moved it, such as `update by push` or `fetch origin: fast-forward`. Untrusted. */
  readonly message: string;
}

/** Reads a text file; undefined if it cannot be read, or is larger than this many bytes. */
export type ReadFile = (path: string, maxBytes: number) => Promise<string | undefined>;

/** Larger files are not read, in bytes: a log of some 20,000 moves, and a file with a path. */
const maxLog = 4 * 1024 * 1024;
const maxPointer = 64 * 1024;

/**
 * The moves of a ref that Git has logged, oldest first. Empty without a log: if Git keeps none or not in files,
 * or if it cannot be read.
 *
 * @param root the path of the working tree in the file system.
 * @param ref such as `refs/remotes/origin/main`.
 */
export async function readRefMoves(
  readFile: ReadFile,
  root: string,
  ref: string,
): Promise<readonly RefMove[]> {
  if (ref.split(/[\\/]/).includes('..')) return [];
  const folder = await commonFolder(readFile, root);
  return refMoves((await readFile(`${folder}/logs/${ref}`, maxLog)) ?? '');
}

/** The Git folder that all working trees of a repository share: what they fetch and push is there. */
async function commonFolder(readFile: ReadFile, root: string): Promise<string> {
  // It is a file in a submodule, and in a working tree other than the first one.
  const link = /^gitdir: (.+)/.exec((await readFile(`${root}/.git`, maxPointer)) ?? '')?.[1];
  const folder = link === undefined ? `${root}/.git` : within(root, link.trimEnd());
  const common = (await readFile(`${folder}/commondir`, maxPointer))?.trim() ?? '';
  return common === '' ? folder : within(folder, common);
}

function within(folder: string, path: string): string {
  return /^(?:[\\/]|[a-z]:)/i.test(path) ? path : `${folder}/${path}`;
}

/** The lines of a log of Git: `OLD NEW NAME <EMAIL> SECONDS ZONE<tab>MESSAGE`. */
export function refMoves(log: string): readonly RefMove[] {
  return log.split('\n').flatMap((line): RefMove[] => {
    const [head = '', message = ''] = line.split('\t', 2);
    const words = head.split(' ');
    const [from = '', to = ''] = words;
    const seconds = Number(words.at(-2));
    if (!isHash(from) || !isHash(to) || !Number.isFinite(seconds)) return [];
    return [
      {
        from: /^0+$/.test(from) ? undefined : from.toLowerCase(),
        to: to.toLowerCase(),
        at: seconds * 1000,
        message,
      },
    ];
  });
}

function isHash(text: string): boolean {
  return /^(?:[\da-f]{40}|[\da-f]{64})$/i.test(text);
}
