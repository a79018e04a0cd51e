import { assert } from 'chai';
import { startLateParts, type LateCommands } from '../../../src/vscode/latePart';

type Id = 'open' | 'close';
type Handler = (...args: unknown[]) => unknown;
type Features = (commands: LateCommands<Id>) => { dispose(): unknown };

/** A promise that the test settles. */
function promised<Value>() {
  let resolve!: (value: Value) => void;
  let reject!: (reason: Error) => void;
  const promise = new Promise<Value>((...both) => ([resolve, reject] = both));
  return { promise, resolve, reject };
}

/** The commands of an editor, and two late parts that come when the test says so. */
function setUp() {
  const commands = new Map<string, Handler>();
  const failures: unknown[] = [];
  const arrival = promised<Features>();
  const second = promised<Features>();
  const loading = promised<undefined>();
  const late = startLateParts<Id>({
    commandIds: ['open', 'close'],
    registerCommand(id, handler) {
      commands.set(id, handler);
      return { dispose: () => commands.delete(id) };
    },
    async *load(lateCommands, signal) {
      loading.resolve(undefined);
      for (const part of [arrival, second]) {
        const registerFeatures = await part.promise;
        signal.throwIfAborted();
        yield registerFeatures(lateCommands);
      }
    },
    onFailure: (error) => failures.push(error),
  });
  const run = (id: Id, ...args: unknown[]): unknown => commands.get(id)?.(...args);
  return { ...arrival, second, loading: loading.promise, late, commands, failures, run };
}

const nothing = { dispose: () => undefined };
const empty: Features = () => nothing;

async function rejection(what: unknown): Promise<unknown> {
  return Promise.resolve(what).then(
    () => assert.fail('It did not reject.'),
    (error: unknown) => error,
  );
}

describe('the late parts', () => {
  it('are not loaded before the activation is over', async () => {
    let loaded = false;
    startLateParts<Id>({
      commandIds: [],
      registerCommand: () => nothing,
      async *load() {
        loaded = true;
        yield Promise.resolve(nothing);
      },
      onFailure: () => assert.fail(),
    });
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    assert.isFalse(loaded);
    await new Promise((resolve) => setTimeout(resolve));
    assert.isTrue(loaded);
  });

  it('take calls of their commands before they are there, with their arguments and result', async () => {
    const { run, resolve } = setUp();
    const result = run('open', 1, 'two');
    resolve(({ register }) => register('open', (...args) => ['opened', ...args]));
    assert.deepEqual(await result, ['opened', 1, 'two']);
    assert.deepEqual(await run('open'), ['opened']);
  });

  it('hand on what a handler throws, now or later', async () => {
    const { run, resolve } = setUp();
    resolve(({ register }) => {
      register('open', () => {
        throw new Error('now');
      });
      return register('close', () => Promise.reject(new Error('later')));
    });
    assert.match(String(await rejection(run('open'))), /now/);
    assert.match(String(await rejection(run('close'))), /later/);
  });

  it('come one after the other; a command waits for its own part alone', async () => {
    const { run, resolve, second } = setUp();
    const calls = [run('open'), run('close')];
    resolve(({ register }) => register('open', () => 'opened'));
    assert.equal(await calls[0], 'opened');
    assert.equal(await run('open'), 'opened');
    second.resolve(({ register }) => register('close', () => 'closed'));
    assert.equal(await calls[1], 'closed');
  });

  it('stay where one that comes later is missing', async () => {
    const { run, resolve, second, failures } = setUp();
    const calls = [run('open'), rejection(run('close'))];
    resolve(({ register }) => register('open', () => 'opened'));
    assert.equal(await calls[0], 'opened');
    const reason = new Error('no such file');
    second.reject(reason);
    assert.equal(await calls[1], reason);
    assert.equal(await run('open'), 'opened');
    assert.deepEqual(failures, [reason]);
  });

  it('say which command nobody handles', async () => {
    const { run, resolve, second } = setUp();
    resolve(({ register }) => register('open', () => undefined));
    second.resolve(empty);
    assert.match(String(await rejection(run('close'))), /Nothing handles the command close/);
  });

  it('do not let two handle the same command, until the first has ended', async () => {
    const { run, resolve, failures } = setUp();
    resolve(({ register }) => {
      const first = register('open', () => 'first');
      assert.throws(() => register('open', () => 'second'), /open has a handler already/);
      first.dispose();
      return register('open', () => 'third');
    });
    assert.equal(await run('open'), 'third');
    assert.isEmpty(failures);
  });

  it('say once that one cannot be loaded; its commands reject with the reason', async () => {
    const { run, reject, loading, failures } = setUp();
    const call = run('open');
    await loading;
    const reason = new Error('no such file');
    reject(reason);
    assert.equal(await rejection(call), reason);
    assert.equal(await rejection(run('close')), reason);
    assert.deepEqual(failures, [reason]);
  });

  it('say when features cannot be registered', async () => {
    const { run, resolve, failures } = setUp();
    const reason = new Error('no such view');
    resolve(() => {
      throw reason;
    });
    assert.equal(await rejection(run('open')), reason);
    assert.deepEqual(failures, [reason]);
  });

  it('end with what started them', async () => {
    const { run, resolve, second, late, commands } = setUp();
    let ended = 0;
    const features =
      (id: Id): Features =>
      ({ register }) => {
        register(id, () => undefined);
        return { dispose: () => ended++ };
      };
    resolve(features('open'));
    second.resolve(features('close'));
    await run('close');
    // The loading goes on after what it yields.
    await Promise.resolve();
    late.dispose();
    assert.equal(ended, 2);
    assert.isEmpty(commands);
  });

  it('register nothing when the end comes first', async () => {
    const { run, resolve, loading, late, failures } = setUp();
    const call = run('open');
    await loading;
    late.dispose();
    let registered = false;
    resolve(() => {
      registered = true;
      return nothing;
    });
    await rejection(call);
    assert.isFalse(registered);
    assert.isEmpty(failures);
  });

  it('end one that comes all the same', async () => {
    const { run, resolve, second, late } = setUp();
    let ended = 0;
    resolve(({ register }) => register('open', () => undefined));
    await run('open');
    second.resolve(() => {
      late.dispose();
      return { dispose: () => ended++ };
    });
    await rejection(run('close'));
    assert.equal(ended, 1);
  });

  it('say nothing of a failure after the end', async () => {
    const { run, reject, loading, late, failures } = setUp();
    const call = run('open');
    await loading;
    late.dispose();
    reject(new Error('the window is closing'));
    await rejection(call);
    assert.isEmpty(failures);
  });
});
