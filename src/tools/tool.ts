import * as vscode from 'vscode';
import type { ControlPlaneClient } from '../api/client';
import { InvalidRequestError } from '../api/errors';
import type { Validator } from '../api/generated/validators';
import type { Permission } from '../api/types';
import type { ToolName } from '../platform/contributions';
import type { Diagnostics } from '../platform/diagnostics';
import type { ModelTool } from '../platform/lateTools';
import { signalOf } from '../platform/messages';
import { randomId } from '../platform/randomId';
import type { WorkspaceData } from '../platform/workspaceData';
import type { Names } from '../workspace/names';
import type { Activity } from '../workspace/operations/activity';
import type { Answer } from './answer';
import { readInput } from './input';
import { connectionChanged, problemAnswer, signedOut } from './toolProblems';
import { secretsOf, toResult } from './toolResult';

/** What the tools are made of. */
export interface ToolServices {
  readonly data: WorkspaceData;
  readonly names: Names;
  readonly activity: Activity;
  readonly diagnostics: Diagnostics;
}

/** What a call has at hand. */
export interface ToolCall {
  /** Of the connection that the call began with. */
  readonly client: ControlPlaneClient;
  readonly signal: AbortSignal;
  /** What must not be in any answer. */
  readonly secrets: readonly string[];
}

/** Something that a language model can call. */
export interface Tool<Input extends Record<string, unknown>> {
  readonly name: ToolName;
  /** Of `api/generated/toolInputs`: what package.json shows to models. */
  readonly accepts: Validator<Input>;
  /** What the key has to be allowed to do. */
  readonly permission: Permission;
  /** What the person sees while it runs. */
  readonly doing: string;
  /** Of a tool that changes something: what the person has to agree to before. */
  readonly confirm?: (
    input: Input,
    signal: AbortSignal,
  ) => Promise<vscode.LanguageModelToolConfirmationMessages>;
  /** @throws what the client throws, InvalidRequestError, and the signal's reason. */
  readonly run: (input: Input, call: ToolCall) => Promise<Answer>;
}

/**
 * A tool as VS Code calls it, with its name. Whatever goes wrong is an answer too, in words that a model
 * can act on; only a cancelled call fails.
 */
export function modelTool<Input extends Record<string, unknown>>(
  services: ToolServices,
  tool: Tool<Input>,
): readonly [ToolName, ModelTool] {
  const { session } = services.data;
  const called: ModelTool = {
    async prepareInvocation({ input }, token) {
      const prepared = { invocationMessage: tool.doing };
      const given = inputOf(tool, input);
      // What is not accepted, or has nobody to ask, is not carried out: nothing to agree to.
      if (tool.confirm === undefined || given === undefined) return prepared;
      await session.ready;
      if (session.state.kind !== 'signedIn') return prepared;
      return { ...prepared, confirmationMessages: await tool.confirm(given, signalOf(token)) };
    },
    async invoke({ input, tokenizationOptions }, token) {
      const signal = signalOf(token);
      await session.ready;
      const secrets = await secretsOf(session);
      const answer = await call(services, tool, input, { signal, secrets });
      if (signal.aborted) throw new vscode.CancellationError();
      return toResult(answer, {
        mark: randomId(),
        secrets,
        tokenBudget: tokenizationOptions?.tokenBudget,
      });
    },
  };
  return [tool.name, called];
}

async function call<Input extends Record<string, unknown>>(
  { data: { session }, diagnostics }: ToolServices,
  tool: Tool<Input>,
  given: unknown,
  common: Omit<ToolCall, 'client'>,
): Promise<Answer> {
  const { client } = session;
  // What changes something tells of itself which connection it was sent on.
  const isOther = (): boolean => session.client !== client && tool.confirm === undefined;
  try {
    const input = readInput(tool.accepts, given);
    if (session.state.kind !== 'signedIn' || client === undefined) return signedOut;
    const answer = await tool.run(input, { ...common, client });
    return isOther() ? connectionChanged : answer;
  } catch (error) {
    if (!common.signal.aborted) diagnostics.error(tool.name, error);
    return isOther() ? connectionChanged : problemAnswer(error, tool.permission);
  }
}

/** Undefined where it is not what the tool takes. */
function inputOf<Input extends Record<string, unknown>>(
  { accepts }: Tool<Input>,
  given: unknown,
): Input | undefined {
  try {
    return readInput(accepts, given);
  } catch (error) {
    if (error instanceof InvalidRequestError) return undefined;
    throw error;
  }
}
