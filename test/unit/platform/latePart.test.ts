import { assert } from 'chai';
import { startLatePart, type LateCommands } from '../../../src/platform/latePart';

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

/** The commands of an editor, and a late part that comes when the test says so. */
function setUp() {
  const commands = new Map<string, Handler>();
  const failures: unknown[] = [];
  const arrival = promised<Features>();
  const loading = promised<undefined>();
  const late = startLatePart<Id>({
    commandIds: ['open', 'close'],
    registerCommand(id, handler) {
      commands.set(id, handler);
      return { dispose: () => commands.delete(id) };
    },
    load() {
      loading.resolve(undefined);
      return arrival.promise;
    },
    onFailure: (error) => failures.push(error),
  });
  const run = (id: Id, ...args: unknown[]): unknown => commands.get(id)?.(...args);
  return { ...arrival, loading: loading.promise, late, commands, failures, run };
}

const nothing = { dispose: () => undefined };

async function rejection(what: unknown): Promise<unknown> {
  return Promise.resolve(what).then(
    () => assert.fail('It did not reject.'),
    (error: unknown) => error,
  );
}

describe('the late part', () => {
  it('is not loaded before the activation is over', async () => {
    let loaded = false;
    startLatePart<Id>({
      commandIds: [],
      registerCommand: () => nothing,
      load() {
        loaded = true;
        return Promise.resolve(() => nothing);
      },
      onFailure: () => assert.fail(),
    });
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    assert.isFalse(loaded);
    await new Promise((resolve) => setTimeout(resolve));
    assert.isTrue(loaded);
  });

  it('takes calls of its commands before it is there, with their arguments and result', async () => {
    const { run, resolve } = setUp();
    const result = run('open', 1, 'two');
    resolve(({ register }) => register('open', (...args) => ['opened', ...args]));
    assert.deepEqual(await result, ['opened', 1, 'two']);
    assert.deepEqual(await run('open'), ['opened']);
  });

  it('hands on what a handler throws, now or later', async () => {
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

  it('says which command nobody handles', async () => {
    const { run, resolve } = setUp();
    resolve(({ register }) => register('open', () => undefined));
    assert.match(String(await rejection(run('close'))), /Nothing handles the command close/);
  });

  it('does not let two handle the same command, until the first has ended', async () => {
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

  it('says once that it cannot be loaded; its commands reject with the reason', async () => {
    const { run, reject, loading, failures } = setUp();
    const call = run('open');
    await loading;
    const reason = new Error('no such file');
    reject(reason);
    assert.equal(await rejection(call), reason);
    assert.equal(await rejection(run('close')), reason);
    assert.deepEqual(failures, [reason]);
  });

  it('says when its features cannot be registered', async () => {
    const { run, resolve, failures } = setUp();
    const reason = new Error('no such view');
    resolve(() => {
      throw reason;
    });
    assert.equal(await rejection(run('open')), reason);
    assert.deepEqual(failures, [reason]);
  });

  it('ends with what started it', async () => {
    const { run, resolve, late, commands } = setUp();
    let ended = 0;
    resolve(({ register }) => {
      register('open', () => undefined);
      return { dispose: () => ended++ };
    });
    await run('open');
    late.dispose();
    assert.equal(ended, 1);
    assert.isEmpty(commands);
  });

  it('registers nothing when the end comes first', async () => {
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

  it('says nothing of a failure after the end', async () => {
    const { run, reject, loading, late, failures } = setUp();
    const call = run('open');
    await loading;
    late.dispose();
    reject(new Error('the window is closing'));
    await rejection(call);
    assert.isEmpty(failures);
  });
});
