import * as vscode from 'vscode';
import type { Session } from '../../../connection/ui/session';
import type { Names } from '../../../inventory/names';
import { safeNames } from '../../query/print';
import {
  describeQueryError,
  describeQueryErrors,
  describeUnresolved,
} from '../../query/ui/queryText';
import { searchTime } from '../../query/ui/readSearch';
import { type EditRefusal, modelOf, type QueryNames, type QueryParts } from '../editQuery';
import type { QueryModel } from '../panel/messages';

const { t } = vscode.l10n;

/** What queries mean in this window now. */
export function queryNames(session: Session, names: Names): QueryNames {
  const resolve: QueryNames['resolve'] = (kind, name) => names.idsOf(kind, name);
  return {
    when: searchTime(session),
    resolve,
    nameOf: safeNames((kind, id) => names.nameOf(kind, id), resolve),
  };
}

/** A query taken apart, with what is wrong with it in words. */
export function queryModel(text: string, names: QueryNames): QueryModel {
  const { errors, unresolved, chips, severities, range, match, conditions }: QueryParts = modelOf(
    text,
    names,
  );
  return {
    text,
    errors: [
      ...errors.map((error) => {
        return { start: error.start, end: error.end, message: describeQueryError(error) };
      }),
      ...unresolved.map((name) => {
        return { start: name.start, end: name.end, message: describeUnresolved([name]) };
      }),
    ],
    chips: [...chips],
    severities: [...severities],
    range: { ...range },
    match,
    conditions: [...conditions],
  };
}

/** Why a query cannot be changed like that. */
export function refusalWords(text: string, refusal: EditRefusal): string {
  switch (refusal.kind) {
    case 'query':
      return t('Mend the query first: {0}', describeQueryErrors(text, refusal.errors));
    case 'edit':
      return refusal.errors.map(describeQueryError).join(' ');
    case 'cannotSay':
      return t('The control plane has no filter for this beside what the query says already.');
    case 'gone':
      return t('The query does not have this part any more.');
  }
}
