import type { View } from '../../src/logs/explorer/protocol/view';

type Following = View['following'];

/** Keeps the list at its newest end while following, and pauses following when the user scrolls away. */
export class AutoScroll {
  private state: NonNullable<Following>['state'] | undefined;
  private isAtEnd = true;
  /** Whether scrolling paused it, so that scrolling back resumes. */
  private pausedHere = false;
  /** The last request, until the state changes. */
  private asked: 'pause' | 'follow' | undefined;

  /** @param ask asks the panel to pause or resume following. */
  constructor(private readonly ask: (what: 'pause' | 'follow') => void) {}

  /** Whether to scroll to new rows. */
  get isOn(): boolean {
    return this.isAtEnd && this.isRunning();
  }

  apply(following: Following): void {
    const next = following?.state;
    if (next === this.state) return;
    // After starting or resuming in the toolbar, new rows are shown.
    if (next === 'live' && this.asked !== 'pause') this.isAtEnd = true;
    if (next !== 'paused') this.pausedHere = false;
    this.state = next;
    this.asked = undefined;
  }

  /** The user scrolled. */
  scrolled(direction: 'forward' | 'backward' | null, reachedEnd: boolean): void {
    if (direction === 'backward' && !reachedEnd) this.hold();
    else if (reachedEnd && direction === 'forward') {
      if (this.pausedHere) this.resume();
      else this.isAtEnd = true;
    }
  }

  /** The user selected a row, which must stay in view: pauses. */
  hold(): void {
    this.isAtEnd = false;
    if (!this.isRunning() || this.asked === 'pause') return;
    this.asked = 'pause';
    this.pausedHere = true;
    this.ask('pause');
  }

  /** Scrolls to the end and resumes. */
  resume(): void {
    this.isAtEnd = true;
    this.pausedHere = false;
    if (this.state !== 'paused' || this.asked === 'follow') return;
    this.asked = 'follow';
    this.ask('follow');
  }

  private isRunning(): boolean {
    return this.state === 'live' || this.state === 'waiting';
  }
}

type End = 'older' | 'newer';

interface LoadingHost {
  /** Loads; rejects if that fails. */
  readonly ask: (end: End) => Promise<unknown>;
  /** The number of rows. */
  readonly size: () => number;
  /** Called with the error of a load. */
  readonly report: (error: unknown) => void;
  readonly after: (milliseconds: number, call: () => void) => void;
}

interface Asked {
  readonly end: End;
  /** The number of rows then. */
  readonly size: number;
}

/** The time after a view in which its rows arrive, in milliseconds. */
const rowsCome = 100;

/** Loads more records when the user gets near an end of the list. */
export class Loading {
  private view: View | undefined;
  private isAsking = false;
  /** The last request; the number of rows shows whether it brought anything. */
  private last: Asked | undefined;
  /** The end that the user reached while something was loading. */
  private due: Asked | undefined;

  constructor(private readonly host: LoadingHost) {}

  apply(next: View): void {
    this.view = next;
    const reached = this.due;
    if (reached === undefined || next.progress !== undefined) return;
    this.due = undefined;
    this.host.after(rowsCome, () => {
      if (this.isAsIs(reached, reached.end)) this.loadUnasked(reached.end);
    });
  }

  /** Whether to show a button for it. */
  canLoad(end: End): boolean {
    return this.view?.[end].canLoad === true && this.view.progress === undefined;
  }

  /** The user is near an end. Loads nothing if the view says that it is only on request. */
  reached(end: End): void {
    // A load that failed, was cancelled or found nothing is not repeated automatically.
    if (this.isAsIs(this.last, end)) return;
    if (this.view?.progress !== undefined) this.due = { end, size: this.host.size() };
    else this.loadUnasked(end);
  }

  /** The user is near neither end. */
  left(): void {
    this.last = undefined;
    this.due = undefined;
  }

  /** The user asked to load. */
  load(end: End): void {
    void this.loadOnce(end);
  }

  private async loadOnce(end: End): Promise<void> {
    if (this.isAsking || !this.canLoad(end)) return;
    this.isAsking = true;
    this.last = { end, size: this.host.size() };
    try {
      await this.host.ask(end);
    } catch (error) {
      this.host.report(error);
    } finally {
      this.isAsking = false;
    }
  }

  private loadUnasked(end: End): void {
    if (this.view?.[end].isOnRequest !== true) this.load(end);
  }

  private isAsIs(asked: Asked | undefined, end: End): boolean {
    return asked?.end === end && asked.size === this.host.size();
  }
}
