import type { ControlPlaneClient } from '../../../src/api/client';
import { ApiError } from '../../../src/api/errors';
import { onAbort } from '../../../src/base/clock';
import type { CleanupResponse, Operation } from '../../../src/api/types';
import { type CleanUpOrphansRequest, operationId } from '../activity/windows';

/** An error that leaves open whether the request has arrived. */
export const network = (): ApiError =>
  new ApiError({ kind: 'network', code: 'reset', message: 'read ECONNRESET' });

/** A server that answers each clean-up as given, and returns each state in turn. */
export function cleanUpServer(
  answers: readonly (CleanupResponse | ApiError | 'never')[],
  states: readonly (Operation | ApiError)[] = [],
) {
  const sent: CleanUpOrphansRequest[] = [];
  let polls = 0;
  const client: Partial<ControlPlaneClient> = {
    cleanUpOrphans(given, { signal }) {
      const answer = answers[Math.min(sent.length, answers.length - 1)];
      sent.push(given);
      if (answer === 'never') {
        return new Promise((_, reject) => {
          onAbort(signal, () => reject(signal.reason as Error));
        });
      }
      return answer instanceof ApiError ? Promise.reject(answer) : Promise.resolve(answer ?? {});
    },
    getOperation() {
      const state = states[Math.min(polls++, states.length - 1)];
      return state instanceof ApiError ? Promise.reject(state) : Promise.resolve(state);
    },
  };
  return {
    client,
    sent,
    /** How often the operation was requested. */
    get polls() {
      return polls;
    },
  };
}

export const accepted: CleanupResponse = {
  operation: { id: operationId, state: 'queued', phase: 'queued' },
  replayed: false,
};
export const running: Operation = { id: operationId, state: 'running', phase: 'removing' };
export const over: Operation = { id: operationId, state: 'succeeded', phase: 'done' };
