import type { Severity } from '../../api/types';

/** A part of the message of a logging call: text as it is logged, or an expression of the code. */
export type MessagePart =
  | { readonly text: string }
  /** The source of the expression, shortened. */
  | { readonly expression: string };

/** A call in source code that logs a message. */
export interface LogStatement {
  /** Where the call begins and ends, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** The line where it begins, from 0. */
  readonly line: number;
  /** The severity that the name of the method means; undefined if it means none. */
  readonly severity: Severity | undefined;
  /**
   * The message, in order. Escapes of string literals are resolved. Empty if it has no constant text. Loggers
   * may add arguments to it that are no part of it here.
   */
  readonly message: readonly MessagePart[];
}
