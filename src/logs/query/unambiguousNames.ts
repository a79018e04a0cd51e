import { isId } from './fields';
import type { ResolveName } from './parser';
import type { NameOf } from './print';

/**
 * Names that can be printed: those that lead back to their id and to no other. A name that several
 * share would ask for all of them.
 */
export function safeNames(nameOf: NameOf, resolve: ResolveName): NameOf {
  return (kind, id) => {
    const name = nameOf(kind, id);
    if (name === undefined || name === '' || isId(name)) return undefined;
    const [found, ...more] = resolve(kind, name);
    return found === id && more.length === 0 ? name : undefined;
  };
}
