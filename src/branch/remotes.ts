/** What the URL of a Git remote calls its repository, in lower case. */
export interface RemoteName {
  /** `shop-web` */
  readonly name: string;
  /** With all that stands before it: `example-shop/shop-web`. */
  readonly path: string;
}

/**
 * Reads the URL of a remote in any form that Git takes: `https://host/owner/name.git`,
 * `ssh://git@host:22/owner/name`, `git@host:owner/name`, a path. Undefined where it names nothing.
 */
export function remoteName(url: string): RemoteName | undefined {
  const path = /^[a-z][\w+.-]*:\/\/[^/]*(.*)$/i.exec(url)?.[1] ?? scpPath(url) ?? url;
  const segments = path
    .replace(/[?#].*$/, '')
    .toLowerCase()
    .split(/[/\\]+/)
    // Some hosts have a word of their own before the name.
    .filter((part) => part !== '' && part !== '_git')
    .map(decoded);
  const name = segments.pop()?.replace(/\.git$/, '');
  if (name === undefined || name === '') return undefined;
  return { name, path: [...segments, name].join('/') };
}

/** Whether a text such as a label names the repository of a remote: its name, or that with its owner. */
export function isNameOf(text: string, { path }: RemoteName): boolean {
  const named = remoteName(text.trim())?.path;
  return named !== undefined && (path === named || path.endsWith(`/${named}`));
}

/** `git@host:owner/name`; the drive of a Windows path is no host. */
function scpPath(url: string): string | undefined {
  return /^(?:[^/@:\s]+@)?[^/@:\s]{2,}:(.*)$/.exec(url)?.[1];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
