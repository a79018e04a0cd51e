import { type Clock, second } from '../../base/clock';

/** The longest time between two saves: records of that time may appear again after a crash. */
const saveEvery = 2 * second;

/**
 * Saves a state now and then, because each save writes all that the extension has stored for the workspace:
 * at once after a quiet time, then at most every two seconds, and only if the state has changed.
 */
export class TailSaver<State extends object> {
  private savedAt = Number.NEGATIVE_INFINITY;
  private saved = '';
  private cancel: (() => void) | undefined;

  constructor(
    private readonly clock: Pick<Clock, 'monotonic' | 'setTimer'>,
    /** The state to save, plain JSON; undefined: nothing is to be saved now. */
    private readonly state: () => State | undefined,
    private readonly store: (state: State) => PromiseLike<void>,
  ) {}

  /** The state may have changed. */
  schedule(): void {
    const wait = Math.max(0, this.savedAt + saveEvery - this.clock.monotonic());
    this.cancel ??= this.clock.setTimer(() => void this.save(), wait);
  }

  /** Saves now. @throws the errors of the storage. */
  async save(): Promise<void> {
    this.dispose();
    this.savedAt = this.clock.monotonic();
    const state = this.state();
    const text = JSON.stringify(state);
    if (state === undefined || text === this.saved) return;
    this.saved = text;
    await this.store(state);
  }

  dispose(): void {
    this.cancel?.();
    this.cancel = undefined;
  }
}
