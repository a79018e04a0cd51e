/** Something to end: a subscription, a timer, a part of VS Code. */
export interface Disposable {
  dispose(): unknown;
}

/** Owns disposables: whoever creates one adds it here, and all end together, the newest first. */
export class DisposableStore implements Disposable {
  #owned: Disposable[] | undefined = [];

  get isDisposed(): boolean {
    return this.#owned === undefined;
  }

  /** Adds one and returns it. After the end, it ends at once: what started late does not stay. */
  add<T extends Disposable>(owned: T): T {
    if (this.#owned === undefined) owned.dispose();
    else this.#owned.push(owned);
    return owned;
  }

  dispose(): void {
    const owned = this.#owned ?? [];
    this.#owned = undefined;
    for (const one of owned.reverse()) one.dispose();
  }
}
