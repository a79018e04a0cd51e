import { assert } from 'chai';
import * as fc from 'fast-check';
import { type Lenient, type Shape, shapes } from '../../../src/api/generated/shapes';
import type { TreeNode } from '../../../src/trees/nodes';
import { uuid } from './treeText';

/** What is missing, in the ways of many servers. */
const nothing = [null, '', ' ', '\t\n'];

const names = ['web', 'a'.repeat(40), 'refs/heads/', uuid(1), uuid(2), `  ${uuid(3)}`];
const states = ['running', 'failed', 'firing', 'never seen', 'production', 'preview'];
const metrics = ['above', 'cpuPercent', 'window_seconds', 'bytes', '_percent'];
const times = [
  ...['2026-11-20T11:58:00Z', '2026-11-20T12:05:00.5+02:00', '2026-11-20T12:01:00Z'],
  ...['9999-99-99T99:99:99Z', '0001-01-01T00:00:00Z', '2026-02-30T00:00:00Z', 'soon'],
];
// As JSON has no limit for numbers, a large one is infinite here.
const numbers = [0, -0, 1, -1, 0.1, 300, 1e15, 2 ** 53, 1e308, -1e308, 5e-324, Infinity, -Infinity];

const scalars = {
  s: fc.constantFrom(...nothing, ...names, ...states, ...metrics),
  t: fc.constantFrom(...nothing, ...times),
  n: fc.constantFrom(null, ...numbers),
  b: fc.constantFrom(null, true, false),
};
const scalar = fc.oneof(...Object.values<fc.Arbitrary<unknown>>(scalars));
const object = fc.dictionary(
  fc.constantFrom('one', 'lastSeenAt', '', ' ', 'a_b'),
  fc.oneof(scalar, fc.array(scalar, { maxLength: 3 })),
  { maxKeys: 3 },
);

/** By the signs of shapes. */
const values: Readonly<Record<string, fc.Arbitrary<unknown>>> = { ...scalars, o: object };

/** Members that the contract does not have. */
const more = fc.dictionary(fc.constantFrom('more', 'retriedAt', '', ' '), object, { maxKeys: 2 });

function anyOf(shape: Shape): fc.Arbitrary<unknown> {
  if (Array.isArray(shape))
    return fc.array(anyOf((shape as readonly [Shape])[0]), { maxLength: 3 });
  if (typeof shape === 'string') {
    return values[shape] ?? fc.option(anyOf(shapes[shape.slice(1)]!), { freq: 9 });
  }
  const members = Object.fromEntries(
    Object.entries(shape).map(([name, member]) => [name, anyOf(member)]),
  );
  return fc
    .tuple(fc.record(members, { requiredKeys: [] }), fc.oneof(more, fc.constant({})))
    .map(([known, others]) => ({ ...known, ...others }));
}

/** Any answer of this schema: with numbers, times and texts of all kinds, and members that are missing. */
export function anyAnswer(name: keyof Lenient): fc.Arbitrary<object> {
  return anyOf(shapes[name]!) as fc.Arbitrary<object>;
}

/** What no text may contain, whatever it is made of: a value that is none, or a part without its value. */
const broken =
  /Infinity|∞|NaN|undefined|\bnull\b|\[object|-0\b|\d{30}|[:(,·] *(?:[·,)]|$)|(?:^|[·(]) *[·,)]| (?:$| ·)|\d of 0\b/;

export function assertWholeText(text: string, why = ''): void {
  assert.notMatch(text, broken, why);
}

/** Fails if a text of a row, its tooltip or what a screen reader says is not whole. */
export function assertWhole(nodes: readonly TreeNode[]): void {
  for (const node of nodes) {
    const details = node.details();
    for (const text of [node.label, ...details.flatMap(({ label, value }) => [label, value])]) {
      assert.match(text, /\S/, `blank: ${JSON.stringify({ id: node.id, details })}`);
    }
    const texts = [
      ...[node.label, node.description ?? '', node.status.words, node.sentence()],
      ...details.map(({ label, value }) => `${label}: ${value}`),
    ];
    for (const text of texts) assertWholeText(text, node.id);
    assertWhole(node.children());
  }
}
