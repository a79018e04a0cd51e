import { hasContext, type RecordPlace } from './recordsAround';
import { linkedText, textOfLink } from './savedSearches';

/** A record of a link. */
export interface LinkedRecord {
  readonly place: RecordPlace;
  /** The origin of the control plane that has it. */
  readonly origin: string;
}

/** The path of links that show a record. */
const recordPath = '/record';

/** In UTF-16 units. */
const longestEventId = 512;

/**
 * The path and query string of a link to a record: where it is, and nothing of what it says. Undefined for a record
 * that cannot be found again, because it has no valid container, id or time.
 */
export function linkToRecord(
  { eventId, containerId, timestamp }: Omit<RecordPlace, 'ingestedAt'>,
  origin: string,
): string | undefined {
  const text = [eventId, containerId, timestamp, origin].join('\n');
  return readRecord(text) === undefined ? undefined : linkedText(recordPath, text);
}

/**
 * The record of an untrusted link; undefined if it is not a link to a record.
 *
 * @param query the decoded query string without the question mark.
 */
export function recordOfLink(path: string, query: string): LinkedRecord | undefined {
  const text = path === recordPath ? textOfLink(query) : undefined;
  return text === undefined ? undefined : readRecord(text);
}

function readRecord(text: string): LinkedRecord | undefined {
  const [eventId = '', containerId = '', timestamp = '', address = '', ...more] = text.split('\n');
  if (more.length > 0 || eventId.trim() === '' || eventId.length > longestEventId) return undefined;
  const place = { eventId, containerId, timestamp, ingestedAt: timestamp };
  const origin = originOf(address);
  return origin !== undefined && hasContext(place) ? { place, origin } : undefined;
}

/** Undefined if an address is more than an origin. */
function originOf(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && url.origin === address
    ? url.origin
    : undefined;
}
