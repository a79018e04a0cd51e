import { assert } from 'chai';
import { registerLateTools, type ModelTool } from '../../../src/vscode/lateTools';

type Name = 'look' | 'change';

const token = {
  isCancellationRequested: false,
  onCancellationRequested: () => ({ dispose: () => undefined }),
};
const options = { toolInvocationToken: undefined, input: { a: 1 } };

/** A tool that tells by whom and with what it was called. */
const toolNamed = (name: Name, calls: unknown[]): ModelTool => ({
  prepareInvocation: ({ input }) => ({ invocationMessage: `${name} ${JSON.stringify(input)}` }),
  invoke({ input }) {
    calls.push([name, input]);
    return null;
  },
});

/** What VS Code knows of tools, and a setting. */
function setUp({ on = true } = {}) {
  const known = new Map<Name, ModelTool>();
  const failures: unknown[] = [];
  const setting = { on };
  let tell: () => void = () => undefined;
  const late = registerLateTools<Name>({
    names: ['look', 'change'],
    registerTool(name, tool) {
      assert.isFalse(known.has(name), name);
      known.set(name, tool);
      return { dispose: () => known.delete(name) };
    },
    isOn: () => setting.on,
    onDidChange(listener) {
      tell = listener;
      return { dispose: () => (tell = () => undefined) };
    },
    onFailure: (error) => failures.push(error),
  });
  const calls: unknown[] = [];
  const both = new Map<Name, ModelTool>([
    ['look', toolNamed('look', calls)],
    ['change', toolNamed('change', calls)],
  ]);
  const prepare = async (name: Name): Promise<unknown> =>
    known.get(name)?.prepareInvocation?.(options, token);
  const invoke = async (name: Name): Promise<unknown> => known.get(name)?.invoke(options, token);
  const rejection = (name: Name): Promise<unknown> =>
    invoke(name).then(
      () => assert.fail('It did not reject.'),
      (error: unknown) => error,
    );
  return {
    known,
    failures,
    calls,
    both,
    late,
    prepare,
    invoke,
    rejection,
    switchTo: (isOn: boolean) => {
      setting.on = isOn;
      tell();
    },
  };
}

describe('the late tools', () => {
  it('are known at once where they are switched on, and follow the setting', () => {
    const { known, switchTo } = setUp();
    assert.sameMembers([...known.keys()], ['look', 'change']);
    switchTo(true);
    switchTo(false);
    assert.isEmpty(known);
    switchTo(true);
    assert.lengthOf([...known], 2);
  });

  it('are not known where they are off, until they are switched on', () => {
    const { known, switchTo } = setUp({ on: false });
    assert.isEmpty(known);
    switchTo(true);
    assert.lengthOf([...known], 2);
  });

  it('take calls before there is anything behind them', async () => {
    const { both, calls, late, prepare, invoke } = setUp();
    const [prepared, invoked] = [prepare('change'), invoke('look')];
    late.offer(() => Promise.resolve(both));
    assert.deepEqual(await prepared, { invocationMessage: 'change {"a":1}' });
    await invoked;
    assert.deepEqual(calls, [['look', { a: 1 }]]);
  });

  it('are loaded once, when the first is called', async () => {
    const { both, late, invoke, switchTo } = setUp();
    let loads = 0;
    late.offer(() => {
      loads++;
      return Promise.resolve(both);
    });
    await new Promise((resolve) => setTimeout(resolve));
    assert.equal(loads, 0);
    await Promise.all([invoke('look'), invoke('change')]);
    switchTo(false);
    switchTo(true);
    await invoke('look');
    assert.equal(loads, 1);
  });

  it('prepare nothing where the tool behind does not', async () => {
    const { late, prepare } = setUp();
    late.offer(() => Promise.resolve(new Map([['look', { invoke: () => null }]])));
    assert.isUndefined(await prepare('look'));
  });

  it('reject where what would offer them could not be loaded', async () => {
    const { late, rejection, failures } = setUp();
    const call = rejection('look');
    const reason = new Error('no such file');
    late.fail(reason);
    assert.equal(await call, reason);
    assert.equal(await rejection('change'), reason);
    // Whoever said so to the tools has told the person.
    assert.isEmpty(failures);
  });

  it('reject where they cannot be loaded, which is told once', async () => {
    const { late, rejection, failures } = setUp();
    const reason = new Error('no such file');
    late.offer(() => Promise.reject(reason));
    assert.equal(await rejection('look'), reason);
    assert.equal(await rejection('change'), reason);
    assert.deepEqual(failures, [reason]);
  });

  it('say which tool nobody handles', async () => {
    const { late, rejection } = setUp();
    late.offer(() => Promise.resolve(new Map()));
    assert.match(String(await rejection('change')), /Nothing handles the tool change/);
  });

  it('end with what registered them', () => {
    const { known, late, switchTo } = setUp();
    late.dispose();
    switchTo(true);
    assert.isEmpty(known);
  });
});
