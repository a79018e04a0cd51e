import { assert } from 'chai';
import { call, listen, listOf, memberOf, textOf } from '../../../../src/branch/ui/foreign';

/** What another extension could hand over in place of what its documentation says. */
const others = [undefined, null, 7, 'text', true, [], {}, () => 7];

describe('an object of another extension', () => {
  it('is read member by member, through getters and prototypes too', () => {
    class Repository {
      readonly #name = 'main';
      get HEAD(): object {
        return { name: this.#name };
      }
    }
    const repository: unknown = new Repository();
    assert.equal(textOf(memberOf(repository, 'HEAD'), 'name'), 'main');
  });

  it('has no member where it is none, or where that is something else', () => {
    for (const other of others) {
      assert.isUndefined(memberOf(other, 'HEAD'));
      assert.isUndefined(textOf({ name: other === 'text' ? '' : other }, 'name'));
      assert.deepEqual(listOf(other, 'remotes'), []);
    }
    for (const other of others.filter((one) => !Array.isArray(one))) {
      assert.deepEqual(listOf({ remotes: other }, 'remotes'), []);
    }
    assert.deepEqual(listOf({ remotes: [1] }, 'remotes'), [1]);
  });

  it('is called with itself, and what is missing is named', () => {
    const repository = {
      root: '/code',
      find(this: { root: string }, path: string) {
        return `${this.root}/${path}`;
      },
    };
    assert.equal(call(repository, 'find', 'page.ts'), '/code/page.ts');
    for (const other of [undefined, null, 7, 'text', {}, { find: 'text' }]) {
      assert.throws(() => call(other, 'find'), TypeError, 'There is no method find.');
    }
  });

  it('is listened to until that is disposed of', () => {
    const listeners = new Set<(value: unknown) => void>();
    const repository = {
      onDidChange(listener: (value: unknown) => void) {
        listeners.add(listener);
        return { dispose: () => listeners.delete(listener) };
      },
    };
    const heard: unknown[] = [];
    const subscription = listen(repository, 'onDidChange', (value) => heard.push(value));
    listeners.forEach((listener) => listener(1));
    subscription.dispose();
    assert.isEmpty(listeners);
    assert.deepEqual(heard, [1]);
    assert.throws(() => listen(repository, 'onDidOpen', () => undefined), 'onDidOpen');
  });
});
