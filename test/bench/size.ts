import { buildExtension } from '../../.config/build';
import { createPackage, packageLimit } from '../../.config/package';
import { temporaryFolder } from '../host/processes';
import type { Figure } from './figures';

/** Sizes of the installed files. */
export async function size(): Promise<Figure[]> {
  const bundles = await buildExtension();
  const { bytes } = await createPackage(await temporaryFolder('bench-size'));
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
