import * as vscode from 'vscode';
import { ask, back } from '../../../vscode/questions';
import type { QueryMemory } from './queryMemory';
import { problemOfSearch } from './readSearch';
import type { Session, SignedInConnection } from '../../../connection/ui/session';

const { t } = vscode.l10n;

/**
 * Asks for a query with its range, beginning with the last one. Undefined: dismissed.
 *
 * @param on the connection that it is to be run on, where it is: the box is dismissed with it.
 */
export async function askForQuery(
  title: string,
  { session, memory }: { readonly session: Session; readonly memory: QueryMemory },
  on?: SignedInConnection,
): Promise<string | undefined> {
  const query = await ask({
    title,
    prompt: t(
      'Which logs? Such as severity:error last:1h; without a range, those of the last hour.',
    ),
    value: memory.searches.all[0] ?? '',
    problemOf: (value) => problemOfSearch(value, session),
    ...(on === undefined ? {} : { lifetime: on.signal }),
  });
  return query === back ? undefined : query;
}
