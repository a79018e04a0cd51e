import * as vscode from 'vscode';
import type { ControlPlaneClient } from '../../api/client';
import { InvalidRequestError } from '../../api/errors';
import type { Validator } from '../../api/generated/validators';
import type { Permission } from '../../api/types';
import { BoundedMap } from '../../base/boundedMap';
import type { Connection } from '../../connection/connections';
import type { Session, SignedInConnection } from '../../connection/ui/session';
import type { ToolName } from '../../vscode/contributions';
import type { Diagnostics } from '../../vscode/diagnostics';
import { randomId } from '../../vscode/extensionHost';
import { signalOf } from '../../vscode/notifications';
import { answerText, type ToolAnswer } from '../answer';
import { readInput, connectionChanged, problemAnswer, signedOut } from '../toolProblems';

/** Limit of an answer in bytes: about 16,000 tokens. */
const maxBytes = 48 * 1024;
/** Few tokens have fewer bytes. */
const bytesPerToken = 2;

/** @param tokenBudget the limit of the caller, if it gives one. */
function toResult(
  answer: ToolAnswer,
  secrets: readonly string[],
  tokenBudget = Infinity,
): vscode.LanguageModelToolResult {
  const bytes = Math.min(maxBytes, tokenBudget * bytesPerToken);
  const text = answerText(answer, { mark: randomId(), secrets }, bytes);
  return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
}

/** Texts that no answer may contain, even if a log or the server does: longest first. */
export async function secretsOf(signedIn: SignedInConnection | undefined): Promise<string[]> {
  if (signedIn === undefined) return [];
  const { baseUrl, origin } = signedIn.connection;
  const key = await signedIn.readKey();
  const all = [...(key === undefined ? [] : [key]), baseUrl, origin];
  return all.sort((a, b) => b.length - a.length);
}

/** What a call of a tool can use. */
export interface ToolCall {
  /** For the connection on which the call started. */
  readonly client: ControlPlaneClient;
  /** Aborted if the call is cancelled or the connection is closed. */
  readonly signal: AbortSignal;
  /** Texts that no answer may contain. */
  readonly secrets: readonly string[];
}

/** The most confirmations that can be open at the same time. */
const maxAsked = 100;

/** A tool for language models. */
export interface Tool<Input extends Record<string, unknown>> {
  readonly name: ToolName;
  /** From `api/generated/toolInputs`, generated from package.json. */
  readonly accepts: Validator<Input>;
  /** The permission that the API key needs. */
  readonly permission: Permission;
  /** Shown while the tool runs. */
  readonly doing: string;
  /** For tools that change something: what the user confirms first. */
  readonly confirm?: (
    input: Input,
    connection: Connection,
    signal: AbortSignal,
  ) => Promise<vscode.LanguageModelToolConfirmationMessages>;
  /** @throws what the client throws, InvalidRequestError, and the signal's reason. */
  readonly run: (input: Input, call: ToolCall) => Promise<ToolAnswer>;
}

/** Registers a tool with VS Code. Errors become answers that a model can act on; only cancelling throws. */
export function modelTool<Input extends Record<string, unknown>>(
  session: Session,
  diagnostics: Diagnostics,
  tool: Tool<Input>,
): vscode.Disposable {
  /** The connection on which each input was confirmed, until it runs. */
  const asked = new BoundedMap<string, SignedInConnection>(maxAsked);
  return vscode.lm.registerTool<unknown>(tool.name, {
    async prepareInvocation({ input }, token) {
      const prepared = { invocationMessage: tool.doing };
      const given = inputOf(tool, input);
      // Invalid input and calls without a connection do not run: there is nothing to confirm.
      if (tool.confirm === undefined || given === undefined) return prepared;
      await session.ready;
      const { signedIn } = session;
      if (signedIn === undefined) return prepared;
      asked.set(JSON.stringify(input), signedIn);
      const signal = AbortSignal.any([signalOf(token), signedIn.signal]);
      const { connection } = signedIn;
      return { ...prepared, confirmationMessages: await tool.confirm(given, connection, signal) };
    },
    async invoke({ input, tokenizationOptions }, token) {
      const signal = signalOf(token);
      await session.ready;
      const { signedIn } = session;
      const key = JSON.stringify(input);
      const askedOn = asked.get(key) ?? signedIn;
      asked.delete(key);
      const secrets = await secretsOf(signedIn);
      const answer =
        askedOn === signedIn
          ? await call(diagnostics, tool, input, signedIn, { signal, secrets })
          : connectionChanged;
      if (signal.aborted) throw new vscode.CancellationError();
      return toResult(answer, secrets, tokenizationOptions?.tokenBudget);
    },
  });
}

async function call<Input extends Record<string, unknown>>(
  diagnostics: Diagnostics,
  tool: Tool<Input>,
  given: unknown,
  signedIn: SignedInConnection | undefined,
  { signal: cancelled, secrets }: Pick<ToolCall, 'signal' | 'secrets'>,
): Promise<ToolAnswer> {
  const lifetime = signedIn?.signal;
  const signal = lifetime === undefined ? cancelled : AbortSignal.any([cancelled, lifetime]);
  // Actions say themselves on which connection they were sent.
  const isOther = (): boolean => lifetime?.aborted === true && tool.confirm === undefined;
  try {
    const input = readInput(tool.accepts, given);
    if (signedIn === undefined) return signedOut;
    const answer = await tool.run(input, { client: signedIn.client, signal, secrets });
    return isOther() ? connectionChanged : answer;
  } catch (error) {
    if (!signal.aborted) diagnostics.error(tool.name, error);
    return isOther() ? connectionChanged : problemAnswer(error, tool.permission);
  }
}

/** Undefined if the input is not valid. */
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
