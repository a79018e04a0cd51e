import { assert } from 'chai';
import * as fc from 'fast-check';
import { InvalidRequestError } from '../../../src/api/errors';
import {
  addTarget,
  isUuid,
  joinTargets,
  listedTargets,
  maxLabel,
  maxTargets,
  parseId,
  readTargets,
  removeTarget,
  renameTarget,
  restoreTarget,
  shortId,
  withListed,
} from '../../../src/data/targets';
import { covers } from '../covers';

const id = '0b7d1c1e-4a52-4c1b-9f67-2d2a7f1f9a01';
const other = '1b7d1c1e-4a52-4c1b-9f67-2d2a7f1f9a02';

describe('Sources and servers that a control plane lists', () => {
  it('come after those of the settings, by name, and give those their names', () => {
    const third = other.replace('1b', '2b');
    const listed = [
      { id: other.toUpperCase(), name: 'shop/web' },
      { id: third, name: 'shop/api' },
      { id, name: 'shop/jobs' },
      ...[{}, { id: 'no uuid', name: 'x' }, { name: 'y' }],
    ];
    assert.deepEqual(withListed([{ id, label: 'own' }], listed), [
      { id, label: 'own', listedName: 'shop/jobs' },
      { id: third, isListed: true, listedName: 'shop/api' },
      { id: other, isListed: true, listedName: 'shop/web' },
    ]);
    const own = [{ id }];
    assert.equal(withListed(own, []), own);
    assert.deepEqual(withListed([], [{ id }]), [{ id, isListed: true }]);
    const many = Array.from({ length: 300 }, (_, at) => ({
      id: id.replace('0b7d1c1e', String(10_000_000 + at)),
    }));
    assert.lengthOf(withListed([], many), maxTargets);
  });

  it('have the name of the repository or of the server, unless they are archived', () => {
    assert.deepEqual(
      listedTargets({
        sources: [
          { id, repositoryOwner: 'shop', repositoryName: 'web', status: 'active' },
          { id: other, status: 'archived' },
          { repositoryName: 'api' },
        ],
        servers: [
          { id, name: 'one', canonicalIp: '192.0.2.1' },
          { id: other, canonicalIp: '192.0.2.2' },
          { id, archivedAt: '2026-11-01T00:00:00Z' },
        ],
      }),
      [
        { id, name: 'shop/web' },
        { id: undefined, name: 'api' },
        { id, name: 'one' },
        { id: other, name: '192.0.2.2' },
      ],
    );
  });
});

describe('Sources and servers in settings', () => {
  it('are read with their labels, in order', () => {
    assert.deepEqual(readTargets([{ id: id.toUpperCase(), label: ' shop ' }, { id: other }]), [
      { id, label: 'shop' },
      { id: other },
    ]);
    assert.deepEqual(readTargets([{ id, label: '  ' }]), [{ id }]);
    assert.deepEqual(readTargets([{ id, label: 7 }]), [{ id }]);
    const long = readTargets([{ id, label: 'x'.repeat(500) }])[0]!.label;
    assert.lengthOf(long!, maxLabel);
  });

  it('are read without invalid entries, which do not affect the others', () => {
    assert.deepEqual(
      readTargets(['x', null, {}, { id: 'shop' }, { id }, { id: id.toUpperCase() }, { id: other }]),
      [{ id }, { id: other }],
    );
    assert.isEmpty(readTargets('all'));
    assert.isEmpty(readTargets(undefined));
  });

  it(`accept ids as the contract does ${covers('F41', 'unit')}`, () => {
    assert.equal(parseId(` ${id.toUpperCase()}\n`), id);
    assert.equal(
      parseId('00000000-0000-0000-0000-000000000000'),
      '00000000-0000-0000-0000-000000000000',
    );
    for (const text of [
      '',
      'shop',
      id.slice(1),
      `${id}0`,
      id.replace('-4c', '-9c'),
      id.replace('-9f', '-7f'),
    ]) {
      assert.throws(() => parseId(text), InvalidRequestError, 'id is not a UUID');
      assert.isFalse(isUuid(text));
    }
    assert.isFalse(isUuid(7));
  });

  it('are added, renamed and removed, and unknown entries stay', () => {
    const setting = ['odd', { id: other, label: 'other', note: 'kept' }];
    const added = addTarget(setting, { id, label: 'shop' });
    assert.deepEqual(added, [...setting, { id, label: 'shop' }]);
    assert.deepEqual(addTarget(added, { id }), added, 'without a label the old one stays');
    assert.deepEqual(renameTarget(setting, other.toUpperCase(), 'new'), [
      'odd',
      { id: other, label: 'new', note: 'kept' },
    ]);
    assert.deepEqual(renameTarget(setting, other, ' ')[1], { id: other, note: 'kept' });
    assert.deepEqual(renameTarget(setting, other)[1], { id: other, note: 'kept' });
    assert.deepEqual(removeTarget(added, id), setting);
    assert.deepEqual(setting, ['odd', { id: other, label: 'other', note: 'kept' }]);
    assert.deepEqual(addTarget(undefined, { id }), [{ id }]);
    assert.deepEqual(removeTarget('odd', id), []);
    assert.equal(shortId(id), '0b7d1c1e');
  });

  it(`keep the label that the user gave when they are added again ${covers('F109', 'unit')}`, () => {
    const own = [{ id: id.toUpperCase(), label: 'production' }, { id: other }];
    const given = { label: 'ci scratch', labelledBy: 'program' as const };
    assert.deepEqual(addTarget(own, { id, label: 'ci scratch' }), own);
    assert.deepEqual(addTarget(own, { id, ...given }), own);
    assert.deepEqual(addTarget(own, { id: other, ...given }), own, 'nor do they get one');
  });

  it(`know which label another program gave, until the user renames them ${covers('F109', 'unit')}`, () => {
    const added = addTarget([], { id, label: 'ci scratch', labelledBy: 'program' });
    assert.deepEqual(readTargets(added), [{ id, label: 'ci scratch', labelledBy: 'program' }]);
    assert.deepEqual(readTargets(renameTarget(added, id, 'ci')), [{ id, label: 'ci' }]);
    assert.deepEqual(readTargets(renameTarget(added, id)), [{ id }]);
    assert.deepEqual(readTargets([{ id, labelledBy: 'program' }]), [{ id }], 'there is no label');
    assert.deepEqual(readTargets([{ id, label: 'a', labelledBy: 'me' }]), [{ id, label: 'a' }]);
  });

  it('are restored at their earlier position', () => {
    const kept = { id: other, label: 'other', note: 'kept' };
    const before = ['odd', kept, { id }];
    assert.deepEqual(
      restoreTarget(removeTarget(before, other), other.toUpperCase(), before),
      before,
    );
    assert.deepEqual(
      restoreTarget([], other, before),
      [kept],
      'the other entries were removed in the meantime',
    );
    const again = [{ id: other, label: 'new' }];
    assert.deepEqual(restoreTarget(again, other, before), again, 'it exists again');
    assert.deepEqual(restoreTarget(['odd'], id, undefined), ['odd']);
  });

  it(`of a workspace are added to those of the user, with a mark, and replace none ${covers('F70', 'unit')}`, () => {
    const own = readTargets([{ id, label: 'production' }]);
    const shared = readTargets([
      { id: id.toUpperCase(), label: 'playground' },
      { id: other, label: 'shared' },
    ]);
    assert.deepEqual(joinTargets(own, shared), {
      targets: [
        { id, label: 'production' },
        { id: other, label: 'shared', isOfWorkspace: true },
      ],
      leftOut: 0,
    });
    assert.deepEqual(joinTargets(own, readTargets('all')), { targets: own, leftOut: 0 });
  });

  it(`are limited, with those of the user first, and report how many are omitted ${covers('F70', 'unit')}`, () => {
    const uuids = Array.from({ length: 5000 }, (_, index) => ({
      id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    }));
    const { targets: things, leftOut: left } = joinTargets(
      readTargets([{ id }, { id: other }]),
      readTargets(uuids),
    );
    assert.deepEqual(things.slice(0, 2), [{ id }, { id: other }]);
    assert.lengthOf(things, maxTargets);
    assert.equal(left, 5002 - maxTargets);
  });

  it('never throw, whatever a settings file contains, and added entries can be read', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.uuid(), fc.string(), (setting, uuid, label) => {
        readTargets(setting);
        renameTarget(setting, uuid, label);
        removeTarget(setting, uuid);
        const things = readTargets(addTarget(setting, { id: uuid, label }));
        assert.isTrue(things.some((thing) => thing.id === uuid));
      }),
    );
  });
});
