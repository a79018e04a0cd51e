import { assert } from 'chai';
import type { ServerFacts } from '../../../src/api/serverDescription';
import type { ListingKind } from '../../../src/data/listings';
import { hiddenWithout, listings } from '../../../src/data/listings';
import { Store } from '../../../src/data/store';
import { operations } from '../../../src/api/generated/operations';
import type { ApiOperation } from '../../../src/api/operation';
import type { LogQueryRequest } from '../../../src/api/types';
import { queryAnswer } from '../api/cannedAnswers';
import { everything } from '../api/operations';
import { testClient } from '../api/testClient';
import { fakeClock } from '../fakeClock';
import { t, uuid } from '../trees/treeText';

const kinds = Object.keys(listings) as ListingKind[];

/** The permission of the operation of a request, and the ids in it. */
async function asksFor(request: Request): Promise<readonly string[]> {
  const path = new URL(request.url).pathname;
  for (const { method, path: template, permission } of Object.values<ApiOperation>(operations)) {
    const ids = new RegExp(`^/v1/api${template.replace(/\{\w+\}/g, '([^/]+)')}$`).exec(path);
    if (method !== request.method.toLowerCase() || ids === null) continue;
    if (method === 'get') return [permission, ...ids.slice(1)];
    const { filters } = (await request.json()) as LogQueryRequest;
    return [permission, ...(filters.workloadIds ?? [])];
  }
  return [path];
}

/** A server that describes everything but apps apart from resources. */
const described: ServerFacts = {
  operations: { ...everything.operations, listApps: 'none', listAppDeployments: 'none' },
};

describe('A listing', () => {
  for (const kind of kinds) {
    it(`of ${kind} needs the permission of its request, and says which object it is of`, async () => {
      const asked: (readonly string[])[] = [];
      const store = new Store(fakeClock());
      store.reset(
        testClient({
          baseUrl: 'https://a.example',
          facts: () => described,
          async fetch(request) {
            asked.push(await asksFor(request));
            return Response.json(kind === 'lastRecord' ? queryAnswer : {});
          },
        }),
      );
      const { permission, isOfWorkspace } = listings[kind];
      const id = isOfWorkspace ? '' : uuid(1);
      await store.refresh({ kind, id }, 'person');
      assert.deepEqual(asked, [[permission, ...(isOfWorkspace ? [] : [id])]]);
      assert.isDefined(store.read(kind, id).value);
    });

    it(`of ${kind} says what is hidden without its permission, if anything is`, () => {
      const expected = kind === 'lastRecord' ? /^$/ : / are hidden\.$/;
      assert.match(hiddenWithout(listings[kind].permission, t), expected);
    });
  }
});
