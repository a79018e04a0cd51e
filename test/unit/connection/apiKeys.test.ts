import { assert } from 'chai';
import { ApiKeys, type MachineFile } from '../../../src/connection/apiKeys';
import { type Connection, makeConnection, secretKeyOf } from '../../../src/connection/connections';
import { failure } from '../api/cannedAnswers';

function connection(name: string, baseUrl: string): Connection {
  return makeConnection(name, baseUrl) ?? assert.fail(baseUrl);
}

const local = connection('local', 'http://127.0.0.1:8080');
const remote = connection('remote', 'https://control.example');
const saved = (): Promise<void> => Promise.resolve();

/** The secret storage, which all machines share. */
class Secrets {
  readonly all = new Map<string, string>();
  readonly listeners: ((change: { key: string }) => unknown)[] = [];

  get = (key: string) => Promise.resolve(this.all.get(key));
  store = (key: string, value: string) => this.notify(key, () => void this.all.set(key, value));
  delete = (key: string) => this.notify(key, () => void this.all.delete(key));
  onDidChange = (listener: (change: { key: string }) => unknown) => {
    this.listeners.push(listener);
    return { dispose: () => undefined };
  };

  private notify(key: string, change: () => void): Promise<void> {
    change();
    this.listeners.forEach((listener) => listener({ key }));
    return Promise.resolve();
  }
}

/** The file of a machine. */
class File implements MachineFile {
  content: unknown;
  isFull = false;

  read = () => Promise.resolve(this.content);
  write = (value: unknown) => {
    if (this.isFull) return Promise.reject(new Error('The disk is full.'));
    this.content = JSON.parse(JSON.stringify(value));
    return Promise.resolve();
  };
}

describe('The API key of a connection', () => {
  let secrets: Secrets;
  let failures: unknown[];
  beforeEach(() => {
    secrets = new Secrets();
    failures = [];
  });
  const on = (file: File): ApiKeys => new ApiKeys(secrets, file, (error) => failures.push(error));

  for (const baseUrl of ['http://127.0.0.1:8080', 'http://localhost', 'https://[::1]:8009']) {
    it(`to ${baseUrl} is used on the machine where it was saved, and on no other`, async () => {
      const [here, elsewhere] = [new File(), new File()];
      const one = connection('one', baseUrl);
      await on(here).save(one, 'key', saved);
      assert.equal(await on(here).get(one), 'key', 'in every window');
      assert.isFalse(await on(here).isElsewhere(one));
      assert.isUndefined(await on(elsewhere).get(one));
      assert.isTrue(await on(elsewhere).isElsewhere(one));
    });
  }

  it('to another server is used everywhere', async () => {
    await on(new File()).save(remote, 'key', saved);
    assert.equal(await on(new File()).get(remote), 'key');
    assert.isFalse(await on(new File()).isElsewhere(remote));
  });

  it('is used on another machine after the user agreed, from then on', async () => {
    const elsewhere = new File();
    await on(new File()).save(local, 'key', saved);
    const keys = on(elsewhere);
    const notified: boolean[] = [];
    keys.onDidChange((isFor) => notified.push(isFor(local)));
    await keys.useHere(local);
    assert.equal(await keys.get(local), 'key');
    assert.deepEqual(notified, [true], 'who waits for the key hears of it');
    assert.equal(await on(elsewhere).get(local), 'key', 'in another window, and after a restart');
    await on(new File()).save(local, 'new key', saved);
    assert.equal(await keys.get(local), 'new key', 'it is asked once');
  });

  it('is for its name and origin on a machine, too', async () => {
    const keys = on(new File());
    await keys.save(local, 'key', saved);
    for (const other of [
      connection('local', 'http://127.0.0.1:8081'),
      connection('other', local.baseUrl),
    ]) {
      secrets.all.set(secretKeyOf(other), 'other key');
      assert.isUndefined(await keys.get(other));
    }
  });

  it('is not known to a machine any more after a sign-out there', async () => {
    const file = new File();
    const keys = on(file);
    await keys.save(local, 'key', saved);
    await keys.delete(local);
    assert.isFalse(await keys.isElsewhere(local), 'there is no key');
    await on(new File()).save(local, 'new key', saved);
    assert.isUndefined(await keys.get(local));
    assert.isTrue(await keys.isElsewhere(local));
  });

  it('is not used if what the file contains is not valid', async () => {
    const file = new File();
    await on(new File()).save(local, 'key', saved);
    for (const content of ['all', { all: true }, [1, null], secretKeyOf(local)]) {
      file.content = content;
      assert.isUndefined(await on(file).get(local), JSON.stringify(content));
    }
  });

  describe('that cannot be saved', () => {
    const failing = (): Promise<void> => Promise.reject(new Error('The settings are read-only.'));

    /** Saves a key, which fails. */
    async function fails(keys: ApiKeys, one: Connection, save = failing): Promise<void> {
      assert.instanceOf(await failure(keys.save(one, 'new key', save)), Error);
    }

    for (const one of [local, remote]) {
      it(`does not stay without its connection (${one.name})`, async () => {
        const file = new File();
        await fails(on(file), one);
        assert.isEmpty([...secrets.all]);
        assert.isEmpty(file.content ?? []);
      });

      it(`leaves the one before (${one.name})`, async () => {
        const keys = on(new File());
        await keys.save(one, 'key', saved);
        await fails(keys, one);
        assert.equal(await keys.get(one), 'key');
      });
    }

    it('does not make the one before usable on this machine', async () => {
      await on(new File()).save(local, 'key', saved);
      const keys = on(new File());
      await fails(keys, local);
      assert.isTrue(await keys.isElsewhere(local));
    });

    it('does not stay if its machine cannot be saved', async () => {
      const file = new File();
      file.isFull = true;
      await fails(on(file), local, saved);
      assert.isEmpty([...secrets.all]);
    });
  });

  it('is another one than that of this or another machine, or the only one', async () => {
    const keys = on(new File());
    for (const one of [local, remote]) {
      assert.isFalse(await keys.replacesAnother(one, 'key'), 'there is none');
      await on(new File()).save(one, 'key', saved);
      assert.isFalse(await keys.replacesAnother(one, 'key'));
      assert.isTrue(await keys.replacesAnother(one, 'other key'));
    }
    secrets.get = () => Promise.reject(new Error('The key ring is locked.'));
    assert.instanceOf(await failure(keys.replacesAnother(remote, 'key')), Error);
  });

  it('counts as missing if the storage fails', async () => {
    const keys = on(new File());
    await keys.save(remote, 'key', saved);
    secrets.get = () => Promise.reject(new Error('The key ring is locked.'));
    assert.isUndefined(await keys.get(remote));
    assert.lengthOf(failures, 1);
  });

  it('is deleted with a sign-out if its connection is not known any more, where the storage can list keys', async () => {
    const file = new File();
    await on(file).save(remote, 'key', saved);
    await on(file).save(local, 'key', saved);
    await secrets.store('of another feature', 'value');
    await on(file).deleteOrphans([local]);
    assert.lengthOf([...secrets.all.keys()], 3, 'it cannot list them');
    const listed = Object.assign(secrets, { keys: () => Promise.resolve([...secrets.all.keys()]) });
    await new ApiKeys(listed, file, (error) => failures.push(error)).deleteOrphans([local]);
    assert.sameMembers([...secrets.all.keys()], [secretKeyOf(local), 'of another feature']);
  });
});
