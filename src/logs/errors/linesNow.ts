import { Emitter, type Event } from '../../base/event';
import type { LineMapping } from '../../commits/lineMapping';
import type { ErrorSpot } from './errorKind';

/** How many deployed files are compared with those of today. */
const mostFiles = 200;

/** Reads where the lines of a file at a commit are now. Never rejects. @param file its URI as text. */
type MappingReader = (file: string, sha: string) => Promise<LineMapping>;

/** Where the lines of deployed files that rows name are now: each file is compared when it is first asked for. */
export class LinesNow {
  /** By commit and file. */
  private readonly known = new Map<string, LineMapping>();
  /** What was asked for since the files changed last. */
  private readonly asked = new Set<string>();
  private readonly changes = new Emitter<void>();
  readonly onDidChange: Event<void> = this.changes.event;

  constructor(
    private readonly commitOf: (spot: ErrorSpot) => string | undefined,
    private readonly read: MappingReader,
  ) {}

  /** The line as it was deployed until it is known where it is now. */
  lineOf(spot: ErrorSpot): number {
    const sha = this.commitOf(spot);
    if (sha === undefined) return spot.line;
    const key = `${sha} ${spot.file}`;
    if (!this.asked.has(key) && this.asked.size < mostFiles) {
      this.asked.add(key);
      void this.compare(key, spot.file, sha);
    }
    return this.known.get(key)?.(spot.line).line ?? spot.line;
  }

  /** The files may have changed: what is known stays until it is read again. */
  recheck(): void {
    for (const key of this.known.keys()) if (!this.asked.has(key)) this.known.delete(key);
    this.asked.clear();
    this.changes.fire();
  }

  dispose(): void {
    this.changes.dispose();
  }

  private async compare(key: string, file: string, sha: string): Promise<void> {
    this.known.set(key, await this.read(file, sha));
    this.changes.fire();
  }
}
