/** Where a site leads: the host with its port. Untrusted. */
interface SiteHost {
  readonly host: string;
  /** The whole host, or its end if it is too long for a line: the domain, which says whose site it is. */
  readonly label: string;
  /** Whether the label is the whole host. */
  readonly isWhole: boolean;
  /** What follows the host; empty for the start page. */
  readonly path: string;
}

/** The longest host that a line of a box shows in every window, in UTF-16 units. */
const longestHost = 40;

/** @param url as `httpsUrl` returns it. */
export function siteHost(url: string): SiteHost {
  const { host, pathname, search, hash } = new URL(url);
  const isWhole = host.length <= longestHost;
  const path = `${pathname}${search}${hash}`;
  return {
    host,
    label: isWhole ? host : `…${host.slice(1 - longestHost)}`,
    isWhole,
    path: path === '/' ? '' : path,
  };
}
