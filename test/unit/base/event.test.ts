import { assert } from 'chai';
import { Emitter } from '../../../src/base/event';

describe('An emitter', () => {
  it('tells its listeners in order, until their subscriptions end', () => {
    const emitter = new Emitter<number>();
    const received: string[] = [];
    const first = emitter.event((value) => received.push(`first ${value}`));
    emitter.event((value) => received.push(`second ${value}`));
    emitter.fire(1);
    first.dispose();
    first.dispose();
    emitter.fire(2);
    assert.deepEqual(received, ['first 1', 'second 1', 'second 2']);
    emitter.dispose();
    emitter.fire(3);
    assert.lengthOf(received, 3);
  });

  it('takes a function twice, and ends its subscriptions one by one', () => {
    const emitter = new Emitter<void>();
    let received = 0;
    const listener = (): number => ++received;
    emitter.event(listener);
    emitter.event(listener).dispose();
    emitter.fire();
    assert.equal(received, 1);
  });

  it('does not tell who left or came while it tells', () => {
    const emitter = new Emitter<void>();
    const received: string[] = [];
    emitter.event(() => {
      received.push('first');
      second.dispose();
      emitter.event(() => received.push('late'));
    });
    const second = emitter.event(() => received.push('second'));
    emitter.fire();
    assert.deepEqual(received, ['first']);
  });

  it('tells the others if one throws, and reports what it threw', async () => {
    const emitter = new Emitter<void>();
    let received = false;
    emitter.event(() => {
      throw new Error('broken listener');
    });
    emitter.event(() => (received = true));
    const others = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection');
    const reported = new Promise((resolve) => process.once('unhandledRejection', resolve));
    emitter.fire();
    assert.isTrue(received);
    assert.match(String(await reported), /broken listener/);
    for (const other of others) process.on('unhandledRejection', other);
  });
});
