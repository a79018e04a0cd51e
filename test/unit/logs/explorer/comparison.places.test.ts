import { assert } from 'chai';
import type { ErrorKind } from '../../../../src/logs/errors/errorKind';
import { type LineMapping, mapLines, unknownMapping } from '../../../../src/commits/lineMapping';
import { comparedPlaces } from '../../../../src/logs/explorer/comparison';
import { t } from '../../trees/treeText';
import { kindWith, spotAt } from '../errors/spottedKinds';

const old = 'a1b2c3d4'.repeat(5);
const now = ['first', 'second', 'third', 'changed'];
const deployed = ['second', 'third', 'fourth'];

/** The places of kinds, whose spots are of the commit that their deployments are named by. */
async function placesOf(
  kinds: readonly ErrorKind[],
  signal = new AbortController().signal,
): Promise<{ places: (readonly string[] | undefined)[]; mapped: string[] }> {
  const mapped: string[] = [];
  const spots = new Map(kinds.map((kind) => [kind.template, kind.spots]));
  const places = await comparedPlaces(spots, {
    commitOf: ({ deploymentId }) => deploymentId ?? undefined,
    mappingOf(file, sha): Promise<LineMapping> {
      mapped.push(`${file} ${sha ?? '-'}`);
      return Promise.resolve(sha === old ? mapLines(deployed, now) : unknownMapping(now.length));
    },
    pathOf: (file) => file.replace('file:///shop/', ''),
    t,
    signal,
  });
  return {
    places: kinds.map(({ template }) => places.get(template)?.map(({ text }) => text)),
    mapped,
  };
}

describe('the places of compared patterns', () => {
  it('are the lines as they are now, and say why one may be another', async () => {
    const before = { deploymentId: old };
    const kinds = [
      kindWith('moved', [spotAt(1, before)]),
      kindWith('changed', [spotAt(3, before)]),
      kindWith('unknown', [spotAt(2)]),
      kindWith('without a place', []),
    ];
    const { places, mapped } = await placesOf(kinds);
    assert.deepEqual(places, [
      ['src/cart.ts:2'],
      ['src/cart.ts:4 · changed since a1b2c3d'],
      ['src/cart.ts:2 · may have moved'],
      [],
    ]);
    assert.lengthOf(mapped, 2, 'each text is compared once');
  });

  it('are the first of a kind, each once', async () => {
    const spots = [4, 4, 3, 2, 1].map((line, index) => spotAt(line, { column: index }));
    const { places } = await placesOf([kindWith('deep', spots)]);
    assert.deepEqual(places, [[4, 3, 2].map((line) => `src/cart.ts:${line} · may have moved`)]);
  });

  it('are as they came for the files of a text that is made to have many', async () => {
    const kinds = Array.from({ length: 150 }, (_, index) =>
      kindWith(`${index}`, [spotAt(9, { file: `file:///shop/${index}.ts` })]),
    );
    const { places, mapped } = await placesOf(kinds);
    assert.lengthOf(mapped, 100);
    assert.deepEqual(places[0], ['0.ts:4 · may have moved']);
    assert.deepEqual(places[149], ['149.ts:9 · may have moved']);
  });

  it('end with the signal', async () => {
    const controller = new AbortController();
    controller.abort();
    const result = placesOf([kindWith('E', [spotAt(1)])], controller.signal);
    assert.equal(await result.catch((error: unknown) => (error as Error).name), 'AbortError');
  });
});
