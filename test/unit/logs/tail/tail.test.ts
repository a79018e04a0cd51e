import { assert } from 'chai';
import { idAt } from '../../../control-plane/inMemory';
import { covers } from '../../covers';
import { ids } from '../logServer';
import { followed } from './followed';

describe('a tail', () => {
  it('shows the last records oldest first, then new ones', async () => {
    const f = followed({ initialLines: 3 });
    f.server.append(10);
    assert.equal(f.tail.state.kind, 'stopped');
    f.tail.start();
    assert.equal(f.tail.state.kind, 'connecting');
    await f.clock.advance(0);
    f.server.append(2);
    await f.clock.advance(0);
    assert.deepEqual(await f.shown(), ids(7, 12));
    assert.deepEqual(f.kinds(), ['connecting', 'live']);
    assert.deepEqual(f.tail.counters, {
      received: 5,
      streamed: 2,
      handedOn: 5,
      dropped: 0,
      repeated: 0,
      connects: 1,
    });
  });

  it('requests a week back and a week ahead, so that the filters outlive the cursor', async () => {
    const f = followed({ filter: { services: ['web'] } });
    await f.begin();
    assert.deepEqual(f.server.queries[0]?.filters, {
      services: ['web'],
      from: '2026-11-13T12:00:00.000Z',
      to: '2026-11-27T12:00:00.000Z',
    });
    assert.deepEqual(f.server.connects[0]?.request.filters, f.server.queries[0]?.filters);
  });

  it('requests only as far ahead as a server allows, and starts new ranges in time', async () => {
    const plane = { unkind: { longestRangeSeconds: 8 * 24 * 3600 } };
    const f = followed({ plane, ahead: () => 24 * 3_600_000, initialLines: 10 });
    f.tail.start();
    for (let hour = 0; hour < 60; hour++) {
      f.server.append(1, { timestamp: new Date(f.clock.now()).toISOString() });
      await f.clock.advance(3_600_000);
    }
    assert.equal(f.tail.state.kind, 'live');
    assert.deepEqual(await f.shown(), ids(0, 60));
    const windows = new Set(f.server.connects.map(({ request }) => request.filters.to));
    assert.equal(windows.size, 3);
  });

  it('shows only new records if no history is wanted', async () => {
    const f = followed({ initialLines: 0 });
    f.server.append(5);
    await f.begin();
    assert.deepEqual(
      f.server.queries.map(({ limit }) => limit),
      [1],
    );
    f.server.append(2);
    await f.clock.advance(0);
    assert.deepEqual(await f.shown(), ids(5, 7));
    assert.equal(f.tail.counters.received, 2);
  });

  it('shows the very first record if no history is wanted', async () => {
    const f = followed({ initialLines: 0 });
    await f.begin();
    f.server.append(1);
    await f.clock.advance(0);
    assert.deepEqual(await f.shown(), ids(0, 1));
  });

  it('does not lose records between history and stream', async () => {
    const f = followed();
    f.server.append(2);
    f.server.on.query = f.server.on.connect = () => void f.server.append(2);
    await f.begin();
    assert.deepEqual(await f.shown(), ids(0, 6));
  });

  it(`resumes silently when the server closes after five minutes ${covers('F14', 'unit')}`, async () => {
    const f = followed({ plane: { heartbeatSeconds: 30 } });
    f.tail.start();
    for (let minute = 0; minute < 60; minute++) {
      f.server.append(1);
      await f.clock.advance(60_000);
    }
    await f.clock.advance(0);
    assert.deepEqual(f.kinds(), ['connecting', 'live']);
    assert.deepEqual(await f.shown(), ids(0, 60));
    assert.isAtLeast(f.server.connects.length, 12);
    const gaps = f.server.connects
      .slice(1)
      .map(({ at }, index) => at - f.server.connects[index]!.at);
    assert.isAtMost(Math.max(...gaps), 301_000);
  });

  it(`resumes silently when fetch ends a stream after five minutes ${covers('F14', 'unit')}`, async () => {
    const f = followed({ plane: { heartbeatSeconds: 30 } });
    f.server.on.open = (stream) => {
      f.clock.setTimer(() => stream.cut(), 299_990);
    };
    f.tail.start();
    await f.clock.advance(3_600_000);
    assert.deepEqual(f.kinds(), ['connecting', 'live']);
    assert.isAtLeast(f.server.connects.length, 12);
  });

  it(`resumes from the cursor of the last page after a break ${covers('F16', 'unit')}`, async () => {
    const f = followed();
    await f.begin();
    f.server.append(3);
    await f.clock.advance(0);
    f.server.open[0]?.cut();
    f.server.append(2);
    await f.clock.advance(1000);
    assert.deepEqual(await f.shown(), ids(0, 5));
    assert.deepEqual(f.kinds(), ['connecting', 'live', 'reconnecting', 'live']);
    assert.equal(f.server.positionOf(f.server.connects[1]?.request.cursor), 3);
  });

  it(`drops repeated records and keeps the order of the server ${covers('F26, F27', 'unit')}`, async () => {
    const f = followed();
    f.server.append(4);
    await f.begin();
    const [stream] = f.server.open;
    if (stream === undefined) assert.fail();
    stream.send(stream.page(2, 4));
    const late = stream.page(0, 1);
    const older = { ...late.records[0]!, timestamp: '2026-11-19T00:00:00Z', eventId: 'older' };
    const twin = { ...older, eventId: 'twin' };
    stream.send({ ...late, records: [...late.records, twin, older] });
    await f.clock.advance(0);
    assert.deepEqual(await f.shown(), [...ids(0, 4), 'twin', 'older']);
    assert.equal(f.tail.counters.repeated, 3);
  });

  it(`runs once, however often it is started ${covers('F35', 'unit')}`, async () => {
    const f = followed();
    f.tail.start();
    await f.begin();
    await f.begin();
    assert.equal(f.server.connects.length, 1);
    assert.deepEqual(f.kinds(), ['connecting', 'live']);
  });

  it('applies the filters itself that the stream cannot apply', async () => {
    const filter = {
      stream: 'stderr',
      conditionGroup: {
        match: 'or',
        conditions: [{ field: 'attribute:user', operator: 'equals', value: '42' }],
      },
    } as const;
    const f = followed({
      filter: {
        ...filter,
        conditionGroup: {
          ...filter.conditionGroup,
          conditions: [...filter.conditionGroup.conditions],
        },
      },
      initialLines: 1,
    });
    const hit = { stream: 'stderr', attributes: { user: '42' } } as const;
    f.server.append(2, hit);
    f.server.append(1, { stream: 'stderr' });
    await f.begin();
    f.server.append(1, { attributes: { user: '42' } });
    f.server.append(1, hit);
    f.server.append(1, { stream: 'stderr', attributes: { user: '421' } });
    await f.clock.advance(0);
    assert.deepEqual(await f.shown(), [idAt(1), idAt(4)]);
    assert.equal(f.tail.counters.received, 2);
    const { filters } = f.server.connects[0]!.request;
    assert.notProperty(filters, 'stream');
    assert.notProperty(filters, 'conditionGroup');
  });

  it('resumes where it was stopped', async () => {
    const f = followed();
    f.server.append(2);
    await f.begin();
    f.tail.stop();
    f.tail.stop();
    await f.clock.advance(60_000);
    f.server.append(2);
    await f.begin();
    assert.deepEqual(await f.shown(), ids(0, 4));
    assert.deepEqual(f.kinds(), ['connecting', 'live', 'stopped', 'connecting', 'live']);
    assert.equal(f.server.queries.length, 1);
  });

  it('starts a new range without a loss when the old one ends', async () => {
    const f = followed({ initialLines: 2 });
    f.server.append(3);
    await f.begin();
    f.server.append(2);
    await f.clock.advance(0);
    f.clock.jump(366 * 24 * 3_600_000);
    const append = (): void => {
      f.server.append(1, { timestamp: new Date(f.clock.now()).toISOString() });
    };
    f.server.on.query = append;
    await f.clock.advance(2000);
    append();
    await f.clock.advance(0);
    assert.deepEqual(await f.shown(), ids(1, f.server.log.length));
    assert.notInclude(
      f.outputs.map(({ kind }) => kind),
      'gap',
    );
    const [first, second] = f.server.connects.map(({ request }) => request.filters.to);
    assert.isAbove(Date.parse(second!), Date.parse(first!));
  });
});
