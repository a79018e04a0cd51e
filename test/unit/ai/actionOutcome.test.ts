import { assert } from 'chai';
import type { ActionProgress, CleanUpEntry } from '../../../src/actions/activityEntry';
import { outcomeAnswer } from '../../../src/ai/actionOutcome';
import { answerText } from '../../../src/ai/answer';

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
  const answer = outcomeAnswer(entry, 'server.remove');
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
    assert.match(outcomeAnswer(undefined, 'server.remove').words.join(), /^Sent\./);
  });
});
