type Handler = (...args: unknown[]) => unknown;
type Register<Id> = (id: Id, handler: Handler) => Registration;

/** A `vscode.Disposable`, and what can stand for one. */
interface Registration {
  dispose(): unknown;
}

/** How a late part registers its commands: `vscode.commands` knows them already. */
export interface LateCommands<Id extends string> {
  /** @throws if the command has a handler already. */
  readonly register: Register<Id>;
}

export interface LateParts<Id extends string> {
  /** All commands of the late parts. */
  readonly commandIds: readonly Id[];
  /** `vscode.commands.registerCommand` */
  readonly registerCommand: Register<Id>;
  /**
   * Loads the late parts one after the other and registers the features of each, which it yields.
   * After the end, of which the signal tells, nothing is to be registered.
   */
  readonly load: (commands: LateCommands<Id>, signal: AbortSignal) => AsyncIterable<Registration>;
  /** Told once if that fails; the parts that were loaded before stay. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Loads parts of the extension once the activation is over. Their commands can be called from now on:
 * they wait for their part, and reject if it cannot be loaded. What was registered ends with the
 * result of this.
 */
export function startLateParts<Id extends string>(late: LateParts<Id>): Registration {
  const handlers = new Map<Id, Handler>();
  /** Tells who waits for the handler of a command that it is there. */
  const arrivals = new Map<Id, () => void>();
  const features: Registration[] = [];
  const end = new AbortController();
  const { signal } = end;

  const register: Register<Id> = (id, handler) => {
    if (handlers.has(id)) throw new Error(`The command ${id} has a handler already.`);
    handlers.set(id, handler);
    arrivals.get(id)?.();
    return { dispose: () => handlers.delete(id) };
  };

  const start = async (): Promise<void> => {
    // Where `import()` is a `require`, it would prolong the activation.
    await new Promise((resolve) => setTimeout(resolve));
    for await (const part of late.load({ register }, signal)) {
      if (signal.aborted) part.dispose();
      else features.push(part);
    }
  };
  const started = start();
  started.catch((error: unknown) => {
    if (!signal.aborted) late.onFailure(error);
  });

  const stubs = late.commandIds.map((id) => {
    const arrival = new Promise<void>((resolve) => arrivals.set(id, resolve));
    return late.registerCommand(id, async (...args) => {
      await Promise.race([arrival, started]);
      const handler = handlers.get(id);
      if (handler === undefined) throw new Error(`Nothing handles the command ${id}.`);
      return handler(...args);
    });
  });
  return {
    dispose() {
      end.abort();
      for (const one of [...stubs, ...features]) one.dispose();
    },
  };
}
