import { lazy, lazyRegExp } from '../../base/textFormat';

/** How a runtime writes a trace whose lines are told only by those before them. A newcomer is one more object. */
export interface TraceForm {
  /** The first line, or its end. */
  readonly begins: RegExp;
  /** The lines below it. */
  readonly goesOn: RegExp;
  /** What is below such a first line is its message, whatever it says. */
  readonly hasMessageBelow?: RegExp;
  /** Whether the first line only says where, or that, something happened. */
  readonly isHeading?: true;
  /** Below its first frame, there are only lines that are part of a trace wherever they are. */
  readonly isOnlyAbove?: true;
  /** The last line: what it is below those that go on. */
  readonly ends?: RegExp;
  /** What may be between the last line and the next trace, of the same error. */
  readonly joins?: RegExp;
}

/** The name of an error, with its package. */
const errorName = String.raw`(?:[\w$]{1,100}[.:\\]{1,2}){0,20}[\w$]{0,100}(?:Error|Exception|Throwable)\b`;

/** Begins of bodies that a stack follows, in most languages. */
export const announcement = lazyRegExp(
  `^(?:Exception in thread |Uncaught |error: Uncaught |Unhandled |PHP \\w{1,20} error: |${errorName})`,
  '',
);

const below = String.raw`\s+\S`;

const forms = lazy((): readonly TraceForm[] => [
  // Python, also groups of exceptions, and what databases and SQLAlchemy write below an error.
  {
    begins: /(?:^|[\s|])Traceback \(most recent call last\):$/,
    goesOn: /^[\s+|]+\S/,
    ends: /^[A-Za-z_][\w.]{0,200}(?:$|: )|^\s+\+-{30,100}$/,
    joins:
      /^$|^(?:During handling of the above exception|The above exception was the direct cause)|^\s+\^+$|^(?:LINE \d{1,7}|HINT|DETAIL|CONTEXT): |^\[(?:SQL|parameters): |^\(Background on this error at: /,
  },
  // Go.
  {
    begins: /^(?:panic: |fatal error: |goroutine \d{1,9} \[)/,
    goesOn:
      /^$|^\t|^goroutine \d{1,9} \[|^created by \S|^\[signal |^\s{0,9}panic: |^runtime[.:]|^\.\.\.|^[\w./*()[\]{}%$-]{1,300}\(.{0,300}\)$|^(?:r\w{1,5}|[c-g]s) +0x/,
    ends: /^exit status \d{1,3}$/,
  },
  // The stack below a line of zap: its functions have no parentheses.
  {
    begins: /^\S{10,40}\t(?:WARN|ERROR|DPANIC|PANIC|FATAL)\t/i,
    goesOn: /^\t\S{1,1000}:\d{1,7}$|^[\w/*()[\]{}$-]{1,300}\.[\w./*()[\]{}$-]{1,300}$/,
  },
  // Rust.
  {
    begins: /^thread '.{0,200}' (?:\(\d{1,9}\) )?panicked at |^[Ss]tack backtrace:$/,
    goesOn: /^note: |^[Ss]tack backtrace:$|^\s+\d{1,4}: |^\s+at /,
    hasMessageBelow: /^thread .*:$/,
  },
  // An event of Rust's tracing on several lines.
  {
    begins: /^ {2}\S{1,40} +(?:TRACE|DEBUG|INFO|WARN|ERROR) \S/,
    goesOn: /^ {4}(?:at|in|with) \S|^$/,
  },
  // The console of .NET.
  {
    begins: /^(?:trce|dbug|info|warn|fail|crit): \S{1,300}\[-?\d{1,9}\]$/,
    goesOn: /^ {6}/,
    isHeading: true,
  },
  // Loggers of Java's own.
  {
    begins: /^[A-Z][a-z]{2} \d{1,2}, \d{4} \d{1,2}:\d\d:\d\d\s[AP]M \S{1,300} \S{1,300}$/,
    goesOn: new RegExp(`^${errorName}`),
    hasMessageBelow: /^/,
    isHeading: true,
  },
  // Elixir and Erlang.
  {
    begins:
      /^=[A-Z ]{1,30} REPORT====|^\*\* \(\w|\[(?:error|critical|alert|emergency)\] .{1,1000} terminat(?:ing|ed)$/,
    goesOn:
      /^\*\* |^\s+\S|^(?:Last message|State|Server|Request|Message|Function|Args|Start Call|Ancestors|Initial Call|Queue|Client)\b.{0,80}:/,
  },
  // Ruby, also with the line of code, and errors of templates in Rails.
  {
    begins:
      /^\S{1,500}\.rb:\d{1,9}:in ['`].{0,2000}\(\S{1,300}\)$|^[A-Z][\w:]{1,200} \(.{0,2000}\):$/,
    goesOn: /^$|^\s+\S|^\S{1,500}\.(?:rb|erb|haml|slim|rake):\d{1,9}:in |^Causes:$/,
  },
  // Node.js: what is above an error that nobody caught, which is a place and its line of code.
  {
    begins: /^(?:file:\/\/|node:|\/|[A-Za-z]:\\)\S{1,1000}:\d{1,7}$/,
    goesOn: new RegExp(
      `^$|^${below}|^[}\\]]$|^\\[?${errorName}|^Uncaught|^\\(Use \`node|^Node\\.js v\\d|^Thrown at:$`,
    ),
    hasMessageBelow: /^/,
    isHeading: true,
  },
  // Node.js: the members of an error, behind its stack or behind the error itself.
  {
    begins: /^\s+at .{1,1000} \{$|\[[\w$]{0,100}(?:Error|Exception|Rejection)\b.{0,3000}\] \{$/,
    goesOn: new RegExp(`^${below}`),
    ends: /^\}$/,
  },
  // Dart.
  {
    begins: /^Unhandled exception:$/,
    goesOn: /^#\d{1,4} |^<asynchronous suspension>$/,
    hasMessageBelow: /^/,
    isHeading: true,
  },
  // What is below any error, and its causes in Rust's anyhow.
  {
    begins: announcement(),
    goesOn: new RegExp(`^$|^${below}|^[}\\]]$|^(?:Caused by|Location):$|^Stack backtrace:$`),
    isOnlyAbove: true,
  },
]);

/** The form whose first line a line is. */
export function formOf(line: string): TraceForm | undefined {
  return forms().find(({ begins }) => begins.test(line));
}

/** Whether a line says nothing but where, or that, something happened: what did is below it. */
export function isHeading(line: string): boolean {
  return formOf(line)?.isHeading === true;
}

/** A quick look whether a line may be the first of a form, by its first and its last characters: few are. */
export function mayBeFirst(line: string): boolean {
  const first = line.charCodeAt(0);
  const last = line.charCodeAt(line.length - 1);
  // "p", "f", "g" and "t".
  if (first === 0x70 || first === 0x66 || first === 0x67 || first === 0x74) {
    if (/^(?:panic: |fatal error: |goroutine |thread ')/.test(line)) return true;
  }
  // "*" and "=".
  if (first === 0x2a || first === 0x3d) return true;
  // A colon, a brace and a return; a bracket behind a level; a parenthesis behind a name.
  if (last === 0x3a || last === 0x7b || last === 0x0d) return true;
  if (last === 0x5d) return line.charCodeAt(4) === 0x3a;
  if (last === 0x29) return line.includes('.rb:');
  // A digit behind a path.
  if (last >= 0x30 && last <= 0x39) return /^(?:file:\/\/|node:|\/|[A-Za-z]:\\)\S*$/.test(line);
  // "g" and "d".
  if (last === 0x67 || last === 0x64)
    return line.endsWith(' terminating') || line.endsWith(' terminated');
  // A month, and a tab behind a time.
  if (line.charCodeAt(3) === 0x20) return /^[A-Z][a-z]{2} \d{1,2}, \d/.test(line);
  return line.charCodeAt(24) === 0x09 || line.charCodeAt(28) === 0x09;
}
