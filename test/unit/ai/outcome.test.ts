import { assert } from 'chai';
import type { ActionProgress, CleanUpEntry } from '../../../src/actions/activityEntry';
import { outcomeAnswer } from '../../../src/ai/outcome';

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
  const { words, data } = outcomeAnswer(entry, 'server.remove');
  return [...words, ...(data?.entries ?? [])].join('\n');
};
const problem = (members: object) => ({ kind: 'http', message: 'no', ...members });

describe('What a model is told of what it has started', () => {
  it('is whether it was accepted, with what the control plane says', () => {
    assert.match(said({ kind: 'following' }), /^Accepted\./);
    assert.match(
      said({ kind: 'over' }, { operation: { state: 'failed', errorMessage: 'in use' } }),
      /^Finished[^]*\{"state":"failed","errorMessage":"in use"\}$/,
    );
    assert.match(said({ kind: 'left', why: 'noPolling' }), /^Accepted/);
    assert.match(said({ kind: 'sending' }), /^Sent; no response yet/);
  });

  it('is why it was refused', () => {
    const refused = {
      kind: 'refused',
      problem: problem({ status: 403, code: 'forbidden' }),
    } as const;
    assert.match(said(refused), /lacks the permission server\.remove.*status 403, code forbidden/);
    const cancelled = { kind: 'refused', problem: problem({ kind: 'cancelled' }) } as const;
    assert.match(said(cancelled), /^Nothing was sent/);
  });

  it('is never to send it again where nobody knows', () => {
    assert.match(said({ kind: 'unknown', why: 'noAnswer' }), /Do not send it again yourself/);
    assert.match(outcomeAnswer(undefined, 'server.remove').words.join(), /^Sent\./);
  });
});
