import path from 'node:path';
import { crashes, type Crash, type Frame } from './crashes';
import { demoCommits, textAtCommit } from './releases';

interface Located extends Frame {
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

export interface StackTrace {
  readonly workload: string;
  readonly body: string;
}

/** The line and column of a frame, both from 1. */
function locate(frame: Frame, commit: number): Located {
  const { file, at } = frame;
  const source = textAtCommit(file, commit);
  const index = source.indexOf(at);
  if (index < 0) throw new Error(`${file} does not contain ${at}.`);
  const before = source.slice(0, index).split('\n');
  const line = before.length;
  const column = (before.at(-1)?.length ?? 0) + 1;
  return { ...frame, line, column, text: source.split('\n')[line - 1]?.trim() ?? '' };
}

function node(error: string, frames: readonly Located[]): string {
  const lines = frames.map(({ file, line, column, name }) => {
    const where = `/app/${file}:${line}:${column}`;
    return name === '' ? `    at ${where}` : `    at ${name} (${where})`;
  });
  const inner =
    '    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)';
  return [error, ...lines, inner].join('\n');
}

/** The format of each language, with frames of its own libraries, which do not link anywhere. */
const formats: Record<Crash['language'], (error: string, frames: readonly Located[]) => string> = {
  typescript: node,
  javascript: node,
  python: (error, frames) => {
    const lines = frames.flatMap(({ file, line, name, text }) => {
      // One image has its code in another folder, so that path mapping is used.
      const where = file.startsWith('recommender/')
        ? file.replace('recommender/', '/srv/app/')
        : `/app/${file}`;
      return [`    ${text}`, `  File "${where}", line ${line}, in ${name}`];
    });
    return ['Traceback (most recent call last):', ...lines.reverse(), error].join('\n');
  },
  java: (error, frames) =>
    [
      `Exception in thread "http-nio-8083-exec-7" ${error}`,
      ...frames.map(
        ({ file, line, name }) =>
          `\tat com.example.payments.${name}(${path.posix.basename(file)}:${line})`,
      ),
      '\tat java.base/java.lang.Thread.run(Thread.java:1583)',
    ].join('\n'),
  go: (error, frames) =>
    [
      error,
      '',
      'goroutine 42 [running]:',
      ...frames.flatMap(({ file, line, name }) => [
        `${name.startsWith('main') ? '' : 'example.com/shop/inventory/'}${name}(0xc0001a2000)`,
        `\t/app/${file}:${line} +0x1d4`,
      ]),
      'net/http.HandlerFunc.ServeHTTP(0xc00011c0c0?, {0x7a2e40?, 0xc0001e40e0?}, 0x0?)',
      '\t/usr/local/go/src/net/http/server.go:2220 +0x29',
    ].join('\n'),
  ruby: (error, frames) =>
    frames
      .map(({ file, line, name }, index) =>
        index === 0
          ? `/app/${file}:${line}:in '${name}': ${error}`
          : `\tfrom /app/${file}:${line}:in '${name}'`,
      )
      .join('\n'),
  csharp: (error, frames) =>
    [
      `Unhandled exception. ${error}`,
      '   at System.Linq.ThrowHelper.ThrowNoElementsException()',
      ...frames.map(({ file, line, name }) => `   at ${name} in /app/${file}:line ${line}`),
    ].join('\n'),
  rust: (error, frames) => {
    const [first] = frames;
    return [
      `thread 'main' panicked at ${first?.file}:${first?.line}:${first?.column}:`,
      error,
      'stack backtrace:',
      '   0: rust_begin_unwind',
      '             at /rustc/90b35a6239c3d8bdabc530a6a0816f7ff89a0aaf/library/std/src/panicking.rs:665:5',
      ...frames.flatMap(({ file, line, column, name }, index) => [
        `   ${index + 1}: ${name}`,
        `             at ./${file}:${line}:${column}`,
      ]),
    ].join('\n');
  },
};

const lastCommit = demoCommits.length - 1;

/**
 * A stack trace of every language; each frame that is not a library's is a line of the demo
 * workspace.
 *
 * @param commit as it was at this commit, with the crashes that it has: an index of `demoCommits`.
 * Default: all crashes, at the lines of the last commit.
 */
export function createStackTraces(commit?: number): StackTrace[] {
  return crashes
    .filter(({ since = 0, until = Infinity }) => {
      return commit === undefined || (commit >= since && commit <= until);
    })
    .map(({ workload, language, error, frames }) => {
      const located = frames.map((frame) => locate(frame, commit ?? lastCommit));
      return { workload, body: formats[language](error, located) };
    });
}
