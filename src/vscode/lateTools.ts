import type { LanguageModelTool } from 'vscode';

/** What VS Code calls for a language model. */
export type ModelTool = LanguageModelTool<unknown>;

/** A `vscode.Disposable`, and what can stand for one. */
interface Registration {
  dispose(): unknown;
}

export interface LateToolsOptions<Name extends string> {
  readonly names: readonly Name[];
  /** `vscode.lm.registerTool` */
  readonly registerTool: (name: Name, tool: ModelTool) => Registration;
  /** Whether the person lets models in, now. */
  readonly isOn: () => boolean;
  /** Tells that this may have changed. */
  readonly onDidChange: (listener: () => void) => Registration;
  /** Told once if the tools cannot be loaded. */
  readonly onFailure: (error: unknown) => void;
}

/** Tools that VS Code knows before there is anything behind them. */
export interface LateTools<Name extends string> {
  /** Takes how the tools are loaded, which is not done before the first of them is called. */
  readonly offer: (load: () => Promise<ReadonlyMap<Name, ModelTool>>) => void;
  /** Tells that nothing will be offered; calls reject with the reason from now on. */
  readonly fail: (reason: unknown) => void;
  /** Ends the tools. */
  readonly dispose: () => void;
}

/**
 * Registers tools as soon as they are switched on, which may be now. A model may call one at any moment,
 * and VS Code waits for no more than the activation: so a call waits here.
 */
export function registerLateTools<Name extends string>(
  options: LateToolsOptions<Name>,
): LateTools<Name> {
  type Tools = ReadonlyMap<Name, ModelTool>;
  let loading: Promise<Tools> | undefined;
  let settle: Pick<LateTools<Name>, 'offer' | 'fail'> | undefined;
  const offered = new Promise<() => Promise<Tools>>((resolve, reject) => {
    settle = { offer: resolve, fail: reject };
  });
  // Whoever calls is told; that nobody does is no failure.
  offered.catch(() => undefined);

  async function load(): Promise<Tools> {
    const loadTools = await offered;
    try {
      return await loadTools();
    } catch (error) {
      options.onFailure(error);
      throw error;
    }
  }

  async function find(name: Name): Promise<ModelTool> {
    const tool = (await (loading ??= load())).get(name);
    if (tool === undefined) throw new Error(`Nothing handles the tool ${name}.`);
    return tool;
  }

  const lateTool = (name: Name): ModelTool => ({
    prepareInvocation: async (given, token) => (await find(name)).prepareInvocation?.(given, token),
    invoke: async (given, token) => (await find(name)).invoke(given, token),
  });

  let registered: readonly Registration[] = [];
  const end = (): void => {
    for (const one of registered) one.dispose();
    registered = [];
  };
  const follow = (): void => {
    if (!options.isOn()) end();
    else if (registered.length === 0) {
      registered = options.names.map((name) => options.registerTool(name, lateTool(name)));
    }
  };
  follow();
  const subscription = options.onDidChange(follow);
  return {
    offer: (loadTools) => settle?.offer(loadTools),
    fail: (reason) => settle?.fail(reason),
    dispose() {
      subscription.dispose();
      end();
    },
  };
}
