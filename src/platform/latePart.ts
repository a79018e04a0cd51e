type Handler = (...args: unknown[]) => unknown;
type Register<Id> = (id: Id, handler: Handler) => Registration;

/** A `vscode.Disposable`, and what can stand for one. */
interface Registration {
  dispose(): unknown;
}

/** How the late part registers its commands: `vscode.commands` knows them already. */
export interface LateCommands<Id extends string> {
  /** @throws if the command has a handler already. */
  readonly register: Register<Id>;
}

export interface LatePart<Id extends string> {
  /** All commands of the late part. */
  readonly commandIds: readonly Id[];
  /** `vscode.commands.registerCommand` */
  readonly registerCommand: Register<Id>;
  /** Loads the late part; what it resolves with registers the features of it. */
  readonly load: () => Promise<(commands: LateCommands<Id>) => Registration>;
  /** Told once if that fails. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Loads a part of the extension once the activation is over. Its commands can be called from now on:
 * they wait for it, and reject if it cannot be loaded. What it registered ends with the result of this;
 * a part that comes after that end registers nothing.
 */
export function startLatePart<Id extends string>(late: LatePart<Id>): Registration {
  const handlers = new Map<Id, Handler>();
  let ended = false;
  let features: Registration | undefined;

  const register: Register<Id> = (id, handler) => {
    if (handlers.has(id)) throw new Error(`The command ${id} has a handler already.`);
    handlers.set(id, handler);
    return { dispose: () => handlers.delete(id) };
  };

  const start = async (): Promise<void> => {
    // Where `import()` is a `require`, it would prolong the activation.
    await new Promise((resolve) => setTimeout(resolve));
    const registerFeatures = await late.load();
    if (!ended) features = registerFeatures({ register });
  };
  const started = start();
  started.catch((error: unknown) => {
    if (!ended) late.onFailure(error);
  });

  const stubs = late.commandIds.map((id) =>
    late.registerCommand(id, async (...args) => {
      await started;
      const handler = handlers.get(id);
      if (handler === undefined) throw new Error(`Nothing handles the command ${id}.`);
      return handler(...args);
    }),
  );
  return {
    dispose() {
      ended = true;
      for (const one of stubs) one.dispose();
      features?.dispose();
    },
  };
}
