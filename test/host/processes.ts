import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { scaled } from './slowness';

/** A program that ends, with all its child processes, at the latest when this process does. */
export interface Guarded {
  /** Resolves with the exit code when the program has ended; a signal counts as 1. */
  exited: Promise<number>;
  /** Ends the program and all its child processes; resolves when they have ended. */
  end(): Promise<void>;
}

/** Called when this process is told to end, newest first. */
const endings = new Set<() => Promise<void>>();
const folders = new Set<string>();

process.on('exit', () => {
  for (const folder of folders) removeFolder(folder);
});

function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // Another process still writes there; the system cleans its temporary folder.
  }
}

/** Creates an empty folder that is removed when this process ends. */
export async function temporaryFolder(purpose: string): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), `dcp-${purpose}-`));
  folders.add(folder);
  return folder;
}

/** Registers a cleanup for when the process ends early; returns a function that unregisters it. */
export function atEnd(ending: () => Promise<void>): () => void {
  endings.add(ending);
  return () => endings.delete(ending);
}

/** Runs all registered cleanups, newest first; one failure does not stop the rest. */
export async function endAll(): Promise<void> {
  for (const ending of [...endings].reverse()) {
    endings.delete(ending);
    await ending().catch((error: unknown) => console.error(error));
  }
}

/** Makes SIGINT, SIGTERM and SIGHUP end everything in order; a second signal ends at once. */
export function endOnSignals(): void {
  let ending = false;
  for (const [signal, number] of Object.entries({ SIGHUP: 1, SIGINT: 2, SIGTERM: 15 })) {
    process.on(signal, () => {
      if (ending) process.exit(128 + number);
      ending = true;
      void endAll().finally(() => process.exit(128 + number));
    });
  }
}

/**
 * Runs the main function of a script, then ends everything that it has started, also on a signal. An
 * error is printed and makes the exit code 1.
 */
export function runScript(main: () => Promise<void>): void {
  endOnSignals();
  main()
    .catch((error: unknown) => {
      console.error(error instanceof Error ? error.message : error);
      process.exitCode = 1;
    })
    .finally(endAll)
    .catch((error: unknown) => console.error(error));
}

/**
 * The environment for a separate program: without the variables of an enclosing npm, VS Code,
 * coverage run or debugger, and without a proxy for loopback.
 */
export function cleanEnvironment(extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) =>
      !/^(VSCODE_(?!TEST$)|ELECTRON_|CODE_SERVER_|CS_|npm_(package|lifecycle)_|NODE_OPTIONS$|NODE_V8_|PORT$|PASSWORD$|HASHED_PASSWORD$|npm_config_local_prefix$)/.test(
        name,
      ),
  );
  const noProxy = [process.env['NO_PROXY'], '127.0.0.1', 'localhost'].filter(Boolean).join(',');
  return { ...Object.fromEntries(inherited), NO_PROXY: noProxy, no_proxy: noProxy, ...extra };
}

/**
 * Starts a program that ends with this process: even if this process is killed, the program and its
 * children end. Each line of its output goes to `onLine`.
 */
export function startGuarded(
  command: string,
  args: readonly string[],
  options: { env: NodeJS.ProcessEnv; cwd?: string; onLine: (line: string) => void },
): Guarded {
  const guard = spawn(
    process.execPath,
    [path.join(__dirname, 'guard.mjs'), command, ...args],
    // A process group of its own: the guard ends the whole group, and Ctrl+C does not reach it.
    { detached: true, stdio: ['pipe', 'pipe', 'pipe'], env: options.env, cwd: options.cwd },
  );
  // Ignores errors of writing to a guard that has ended: `exited` reports it.
  guard.stdin.on('error', () => undefined);
  for (const stream of [guard.stdout, guard.stderr]) {
    createInterface({ input: stream }).on('line', options.onLine);
  }
  const exited = new Promise<number>((resolve) => {
    guard.once('error', (error) => {
      options.onLine(String(error));
      resolve(1);
    });
    guard.once('exit', (code) => resolve(code ?? 1));
  });
  const end = async (): Promise<void> => {
    guard.stdin.end();
    await exited;
  };
  const forget = atEnd(end);
  void exited.then(forget);
  return { exited, end };
}

/**
 * Waits for `promise` and fails with `message` after `ms` milliseconds on a usual machine, so that a timeout says what
 * it waited for.
 */
export async function within<T>(ms: number, message: string, promise: Promise<T>): Promise<T> {
  const limit = scaled(ms);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${message} (after ${limit / 1000} s)`)), limit);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Calls back once if nothing was heard for some time. */
export class Watchdog {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly ms: number,
    private readonly onSilence: () => void,
  ) {
    this.restart();
  }

  restart(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(this.onSilence, this.ms);
  }

  dispose(): void {
    clearTimeout(this.timer);
  }
}
