import * as vscode from 'vscode';
import { sourceName } from '../../actions/targetNames';
import { listResources } from '../../api/generated/toolInputs';
import { resourceOutline } from '../../inventory/tree/outlines';
import { tools } from '../../vscode/contributions';
import type { Validated } from '../answer';
import { listing } from '../listing';
import { nothingKnown } from '../toolProblems';
import type { Tool, ToolServices } from './tool';

/** Apps and jobs with their state. */
export function listResourcesTool({ data }: ToolServices): Tool<Validated<typeof listResources>> {
  const { store, known, context } = data;
  return {
    name: tools.listResources,
    accepts: listResources,
    permission: 'repository.read',
    doing: vscode.l10n.t('Looking at apps and jobs'),
    async run({ sourceId }, { signal }) {
      const ids = sourceId === undefined ? known.sources().map(({ id }) => id) : [sourceId];
      if (ids.length === 0) return nothingKnown('source');
      const places = ids.map((id) => ({
        topic: { kind: 'resources', sourceId: id } as const,
        known: () => store.resources(id),
        head: () => ({ source: sourceName(context, id), sourceId: id }),
      }));
      return listing(
        store,
        places,
        'resource',
        ({ resources = [] }) => resources.map(resourceOutline),
        signal,
      );
    },
  };
}
