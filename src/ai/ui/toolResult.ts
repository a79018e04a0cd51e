import * as vscode from 'vscode';
import type { SignedInConnection } from '../../connection/ui/session';
import { answerText, type Answer } from '../answer';

/** The most that any answer takes, in bytes: about 16,000 tokens. */
const maxBytes = 48 * 1024;
/** Few tokens are shorter than this. */
const bytesPerToken = 2;

export interface ResultOptions {
  /** A text that nobody can foresee. */
  readonly mark: string;
  readonly secrets: readonly string[];
  /** What whoever calls has place for, as far as they say. */
  readonly tokenBudget: number | undefined;
}

export function toResult(
  answer: Answer,
  { mark, secrets, tokenBudget = Infinity }: ResultOptions,
): vscode.LanguageModelToolResult {
  const bytes = Math.min(maxBytes, tokenBudget * bytesPerToken);
  const text = answerText(answer, { mark, secrets, maxBytes: bytes });
  return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
}

/** What no answer may hold, although a log or a message of the server may: longest first. */
export async function secretsOf(signedIn: SignedInConnection | undefined): Promise<string[]> {
  if (signedIn === undefined) return [];
  const { baseUrl, origin } = signedIn.connection;
  const key = await signedIn.readKey();
  const all = [...(key === undefined ? [] : [key]), baseUrl, origin];
  return all.sort((one, other) => other.length - one.length);
}
