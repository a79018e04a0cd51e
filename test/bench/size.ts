import { stat } from 'node:fs/promises';
import { buildExtension } from '../../.config/build';
import { packageLimit } from '../../.config/package';
import type { Figure } from './figures';

/** Sizes of the installed files. @param vsix the package. */
export async function size(vsix: string): Promise<Figure[]> {
  const bundles = await buildExtension();
  const { size: bytes } = await stat(vsix);
  const told = (what: string, of: number): Figure => ({
    what,
    measure: 'KB',
    ours: of / 1024,
    result: of / 1024,
    unit: 'KB',
  });
  const figure = (what: string, of: number, most: number): Figure => ({
    ...told(what, of),
    goal: { is: '≤', value: most },
  });
  return [
    ...bundles.map(({ file, bytes: of }) => told(`${file}, minified`, of)),
    figure('.vsix', bytes, packageLimit / 1024),
  ];
}
