import { assert } from 'chai';
import type { ActionProgress } from '../../../src/activity/activityEntry';
import type { CleanUpEntry } from '../../../src/actions/kinds/cleanUp';
import { outcomeAnswer, cleanUpPlan, syncPlan } from '../../../src/ai/actionOutcome';
import { answerText } from '../../../src/ai/answer';
import { kinds } from '../activity/windows';
import { uiText } from '../../host/texts';
import { covers } from '../covers';
import { resources, source, sources } from '../data/shop';
import { read, scene, uuid } from '../trees/treeText';

const said = (progress: ActionProgress, more: Partial<CleanUpEntry> = {}): string => {
  const entry: CleanUpEntry = {
    kind: 'cleanUp',
    id: 'entry',
    connection: { name: 'shop', baseUrl: 'https://control-plane.example' },
    at: 0,
    serverId: 'server',
    serverName: 'fra',
    items: ['a'],
    idempotencyKey: 'key',
    body: '{}',
    progress,
    ...more,
  };
  const answer = outcomeAnswer(entry, kinds, 'server.remove');
  return answerText(answer, { mark: 'm', secrets: [] }, 50_000);
};
const problem = (members: object) => ({ kind: 'http', message: 'no', ...members });

describe('the outcome for a model', () => {
  it('says that the action was accepted, with the answer of the control plane', () => {
    assert.match(said({ kind: 'following' }), /^Accepted\./);
    assert.match(
      said({ kind: 'over' }, { operation: { state: 'failed', errorMessage: 'in use' } }),
      /^Finished[^]*\n\| \{"state":"failed","errorMessage":"in use"\}\n/,
    );
    assert.match(said({ kind: 'left', why: 'noPolling' }), /^Accepted/);
    assert.match(said({ kind: 'sending' }), /^Sent; no response yet/);
  });

  it('says why the action was refused', () => {
    const refused = {
      kind: 'refused',
      problem: problem({ status: 403, code: 'forbidden' }),
    } as const;
    assert.match(said(refused), /lacks the permission server\.remove.*status 403, code forbidden/);
    const cancelled = { kind: 'refused', problem: problem({ kind: 'cancelled' }) } as const;
    assert.match(said(cancelled), /^Nothing was sent/);
  });

  it('says not to send the action again if the outcome is unknown', () => {
    assert.match(said({ kind: 'unknown', why: 'noAnswer' }), /Do not send it again yourself/);
    assert.match(outcomeAnswer(undefined, kinds, 'server.remove').words.join(), /^Sent\./);
  });
});

const target = { sourceId: source, environmentId: uuid(2) };

describe('the confirmation of an AI tool', () => {
  it('names environment, source, connection and the apps and jobs of a sync', async () => {
    const { context, load } = scene(
      { listResources: () => Promise.resolve(resources) },
      { sources },
    );
    await load({ kind: 'resources', id: source });
    const { title, what, items } = syncPlan(context, 'main', target);
    assert.equal(title, uiText('Sync an environment?'));
    assert.equal(
      what,
      uiText(
        'Sync the environment {0} of the source {1} on the connection {2}.',
        `production (${uuid(2)})`,
        `shop (${source})`,
        'main',
      ),
    );
    assert.includeMembers([...items], ['• web-api', '• search']);
  });

  it('says how many more apps and jobs an environment has than it names', async () => {
    const { context, load } = scene({
      listResources: () =>
        Promise.resolve(
          read('ResourceListing', {
            resources: Array.from({ length: 60 }, (_, index) => ({
              id: uuid(100 + index),
              name: `app-${index}`,
              environment: { id: uuid(2), name: 'production' },
            })),
          }),
        ),
    });
    await load({ kind: 'resources', id: source });
    const { items, notes } = syncPlan(context, 'main', target);
    assert.lengthOf(items, 50);
    assert.equal(notes[0], uiText('and {0} more', 10));
  });

  it('says so if names are unknown, and never omits an id', () => {
    const { context } = scene({});
    const { what, itemsTitle, items } = syncPlan(context, 'main', target);
    assert.equal(
      what,
      uiText(
        'Sync the environment {0} of the source {1} on the connection {2}.',
        uuid(2),
        source,
        'main',
      ),
    );
    assert.equal(itemsTitle, uiText('Its apps and jobs are unknown.'));
    assert.isEmpty(items);
  });

  it('names the server and every item of a clean-up', () => {
    const { context } = scene({}, { servers: [{ id: uuid(1), label: 'fra' }] });
    const items = Array.from({ length: 100 }, (_, index) => `item-${index}`);
    const plan = cleanUpPlan(context, 'main', { serverId: uuid(1), items });
    assert.equal(
      plan.what,
      uiText('Clean up the server {0} on the connection {1}.', `fra (${uuid(1)})`, 'main'),
    );
    assert.deepEqual(
      plan.items,
      items.map((name) => `• ${name}`),
    );
    assert.include(
      plan.notes,
      uiText('This cannot be undone. A dialog asks you to confirm again.'),
    );
  });

  it(`shows every character of an item, and shortens none ${covers('F69', 'unit')}`, () => {
    const { context } = scene({}, { servers: [{ id: uuid(1), label: 'fra' }] });
    const items = ['prod  db', '<b>&', `${'x'.repeat(1000)}-live`];
    const [blanks, markup, long] = cleanUpPlan(context, 'main', { serverId: uuid(1), items }).items;
    assert.match(blanks ?? '', /^⚠ prod \\u\{20\}db — /);
    assert.match(markup ?? '', /^⚠ \\u\{3c\}b>\\u\{26\} — /);
    assert.match(long ?? '', /^• x+…\[\+\d+\]…x+-live$/);
  });
});
