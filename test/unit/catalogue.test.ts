import { assert } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Where a fault has to be proven, at least. */
type Level =
  /** With a simulated server and clock, or by properties: any test. */
  | 'pure'
  /** On a real connection. */
  | 'connection'
  /** Inside a real VS Code. */
  | 'editor';

/** What the client survives, by the number that the titles of the tests name as `F17`. */
const faults: Readonly<Record<number, readonly [Level, string]>> = {
  // The framing of an event stream
  1: ['pure', 'UTF-8 cut at any byte'],
  2: ['pure', 'a byte order mark, whole or cut'],
  3: ['pure', 'LF, CRLF and CR, cut anywhere'],
  4: ['pure', 'comments and heartbeats, which are life and no events'],
  5: ['pure', 'data on several lines, without the space'],
  6: ['pure', 'a line of 10 MB in small pieces'],
  7: ['pure', 'a line that never ends'],
  8: ['connection', 'an end in the middle of an event'],
  9: ['pure', 'unknown events, ids, wild retry times'],
  10: ['pure', 'malformed JSON'],
  11: ['pure', 'pages that break the schema'],
  12: ['connection', 'success with a page for people, with nothing, or 204'],
  13: ['connection', 'compression that is cut, stalls or is none'],
  // The life of a stream
  14: ['pure', 'the close after five minutes'],
  15: ['connection', 'silence of a connection that is half open'],
  16: ['connection', 'resets and cut endings'],
  17: ['pure', 'a disconnect after any byte'],
  18: ['connection', 'a restarting server, refused connections, unknown hosts'],
  19: ['pure', '401: another key, or signed out'],
  20: ['pure', '403 and 404: an end that says why'],
  21: ['pure', 'a position that the server has lost'],
  22: ['pure', '409, 413, 422: nothing to try again'],
  23: ['pure', '429, and every way to spell Retry-After'],
  24: ['pure', '408 and 5xx'],
  25: ['pure', 'errors that come as events'],
  26: ['pure', 'records that come again'],
  27: ['pure', 'records out of order'],
  28: ['pure', 'a position that does not move'],
  29: ['pure', 'pages with more to come, and partial ones'],
  30: ['pure', 'a change of what the key may see'],
  31: ['pure', 'sleep of the machine'],
  32: ['pure', 'a wall clock that jumps'],
  33: ['pure', 'an hour offline'],
  34: ['connection', 'an end at any moment'],
  35: ['pure', 'a thousand starts and stops'],
  // Pressure and memory
  36: ['connection', 'more records than can be shown'],
  37: ['connection', 'an editor that is blocked'],
  38: ['pure', 'a day of streams'],
  39: ['connection', 'thousands of requests on one signal'],
  40: ['editor', 'lines and files without bounds'],
  // Requests and operations
  41: ['pure', 'values outside the limits'],
  42: ['pure', 'search positions that do not fit, or go round'],
  43: ['connection', 'no answer to a clean-up that was accepted'],
  44: ['editor', 'a reload in the middle of an operation'],
  45: ['pure', 'one key for two bodies'],
  46: ['pure', 'operations that the server does not know'],
  47: ['pure', 'operations that never end'],
  // Secrets
  48: ['editor', 'a key that goes or changes in another window'],
  49: ['editor', 'a secret storage that fails or forgets'],
  50: ['editor', 'the key where it must not be'],
  51: ['connection', 'redirects to elsewhere'],
  52: ['pure', 'base URLs that mislead'],
  53: ['editor', 'a workspace or remote that names a base URL'],
  // Untrusted content
  54: ['pure', 'terminal sequences'],
  55: ['pure', 'what is invisible or turns the reading direction'],
  56: ['editor', 'links in notifications'],
  57: ['editor', 'markup in tooltips'],
  58: ['editor', 'markup in panels'],
  59: ['pure', 'JSON that is hostile'],
  // VS Code
  60: ['editor', 'deactivation'],
  61: ['connection', 'proxies and certificates'],
  62: ['editor', 'two windows'],
  // Found later
  63: ['editor', 'a switch of the connection while something is under way'],
  64: ['editor', 'pause, resume, stop and start of a busy tail'],
  65: ['connection', '409 and 422 to a clean-up whose answer was lost'],
  66: ['pure', 'deployments of one sync that start one after the other'],
  67: ['pure', 'a window without focus while something is watched'],
  68: ['pure', 'timestamps that are empty, zero or far away'],
  69: ['editor', 'a hundred items to clean up, long or alike'],
  70: ['editor', 'settings of a folder that list thousands'],
  71: ['pure', 'a cursor with other filters'],
  72: ['pure', '413 on every kind of page'],
  73: ['pure', 'a severity or a member that is unknown'],
  74: ['connection', 'large records without end'],
  75: ['editor', '403 for one thing only'],
  76: ['pure', 'records and events that cost much work'],
  77: ['pure', 'text of a server in the diagnostics'],
  78: ['pure', 'formulas in a table'],
  79: ['editor', 'what stays behind'],
  80: ['editor', 'two windows with one entry'],
};

const tests = path.resolve(__dirname, '..');
const isEditorTest = (file: string): boolean => /^(editor|browser)\//.test(file);
const isOnConnection = (text: string): boolean =>
  /\b(startControlPlane|surviveOnLoopback|loopbackServers|createServer|Harness\.start)\(/.test(
    text,
  );

/** The levels at which a title names each fault. */
function namedFaults(): Map<number, Set<Level>> {
  const named = new Map<number, Set<Level>>();
  for (const file of readdirSync(tests, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.test.ts')) continue;
    const text = readFileSync(path.join(tests, file), 'utf8');
    const levels: Level[] = ['pure'];
    if (isEditorTest(file)) levels.push('editor', 'connection');
    else if (isOnConnection(text)) levels.push('connection');
    for (const [, , title = ''] of text.matchAll(/\b(?:describe|it)\(\s*(['"`])(.*?)\1,/gs)) {
      for (const [, number] of title.matchAll(/\bF(\d+)\b/g)) {
        const known = named.get(Number(number)) ?? new Set();
        named.set(Number(number), known);
        levels.forEach((level) => known.add(level));
      }
    }
  }
  return named;
}

describe('The catalogue of faults', () => {
  const named = namedFaults();

  it('holds every number that a title names', () => {
    assert.deepEqual(
      [...named.keys()].filter((number) => !(number in faults)),
      [],
    );
  });

  for (const [key, [level, name]] of Object.entries(faults)) {
    const number = Number(key);
    it(`has a test for fault ${number}, ${name}, at its level`, () => {
      assert.include([...(named.get(number) ?? [])], level);
    });
  }
});
