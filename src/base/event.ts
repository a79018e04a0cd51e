/**
 * Subscribes to something that happens; of the form of `vscode.Event`, so that VS Code takes it where it
 * takes its own. The subscription ends when what it returns is disposed of.
 */
export type Event<T> = (listener: (event: T) => unknown) => Disposable;

/** What can be subscribed to, for its owner: it alone fires, and it ends all subscriptions. */
export class Emitter<T> implements Disposable {
  private readonly listeners = new Set<{ readonly call: (event: T) => unknown }>();

  readonly event: Event<T> = (call) => {
    // An object of its own: one function may subscribe twice.
    const listener = { call };
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  };

  /** Calls those who listen now, in order. One that throws does not keep the event from the others. */
  fire(event: T): void {
    for (const listener of [...this.listeners]) {
      // An earlier one may have ended this subscription.
      if (!this.listeners.has(listener)) continue;
      try {
        listener.call(event);
      } catch (error) {
        // The extension host logs it with its stack; who fires can do nothing about it.
        void Promise.reject(error instanceof Error ? error : new Error(String(error)));
      }
    }
  }

  dispose(): void {
    this.listeners.clear();
  }
}

/** Something to end: a subscription, a timer, a part of VS Code. */
export interface Disposable {
  dispose(): unknown;
}
