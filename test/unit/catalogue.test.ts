import { assert } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The lowest level of test that can prove the handling of a fault. */
type Level =
  /** With a simulated server and clock, or with properties: any test. */
  | 'pure'
  /** On a real connection. */
  | 'connection'
  /** Inside a real VS Code. */
  | 'editor';

/** The faults that the client survives, by number. Titles of tests name them as `F17`. */
const faults: Readonly<Record<number, readonly [Level, string]>> = {
  // The framing of an event stream
  1: ['pure', 'UTF-8 cut at any byte'],
  2: ['pure', 'a byte order mark, whole or cut'],
  3: ['pure', 'LF, CRLF and CR, cut anywhere'],
  4: ['pure', 'comments and heartbeats, which are signs of life but not events'],
  5: ['pure', 'data on several lines, without the space'],
  6: ['pure', 'a line of 10 MB in small pieces'],
  7: ['pure', 'a line that never ends'],
  8: ['connection', 'an end in the middle of an event'],
  9: ['pure', 'unknown events, ids, wild retry times'],
  10: ['pure', 'malformed JSON'],
  11: ['pure', 'pages that break the schema'],
  12: ['connection', 'success with an HTML page, with an empty body, or 204'],
  13: ['connection', 'compression that is cut, stalls or is missing'],
  // The life of a stream
  14: ['pure', 'the close after five minutes'],
  15: ['connection', 'silence of a half-open connection'],
  16: ['connection', 'resets and cut endings'],
  17: ['pure', 'a disconnect after any byte'],
  18: ['connection', 'a restarting server, refused connections, unknown hosts'],
  19: ['pure', '401: another key, or signed out'],
  20: ['pure', '403 and 404: an end with a reason'],
  21: ['pure', 'a cursor that the server has lost'],
  22: ['pure', '409, 413, 422: errors that are not retried'],
  23: ['pure', '429, and every format of Retry-After'],
  24: ['pure', '408 and 5xx'],
  25: ['pure', 'errors sent as events'],
  26: ['pure', 'records sent again'],
  27: ['pure', 'records out of order'],
  28: ['pure', 'a cursor that does not advance'],
  29: ['pure', 'pages with more to come, and partial pages'],
  30: ['pure', 'a change of access'],
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
  40: ['editor', 'unlimited lines and files'],
  // Requests and operations
  41: ['pure', 'values outside the limits'],
  42: ['pure', 'search cursors that are refused, or repeat'],
  43: ['connection', 'a missing answer to an accepted clean-up'],
  44: ['editor', 'a reload in the middle of an operation'],
  45: ['pure', 'one idempotency key for two bodies'],
  46: ['pure', 'operations that the server does not know'],
  47: ['pure', 'operations that never end'],
  // Secrets
  48: ['editor', 'a key that another window deletes or changes'],
  49: ['editor', 'a secret storage that fails or loses data'],
  50: ['editor', 'the key in a wrong place'],
  51: ['connection', 'redirects to another server'],
  52: ['pure', 'misleading base URLs'],
  53: ['editor', 'a workspace or remote that names a base URL'],
  // Untrusted content
  54: ['pure', 'terminal sequences'],
  55: ['pure', 'text that is invisible or changes the reading direction'],
  56: ['editor', 'links in notifications'],
  57: ['editor', 'markup in tooltips'],
  58: ['editor', 'markup in panels'],
  59: ['pure', 'hostile JSON'],
  // VS Code
  60: ['editor', 'deactivation'],
  61: ['connection', 'proxies and certificates'],
  62: ['editor', 'two windows'],
  // Added later
  63: ['editor', 'a switch of the connection during other work'],
  64: ['editor', 'pause, resume, stop and start of a busy tail'],
  65: ['connection', '409 and 422 to a clean-up whose answer was lost'],
  66: ['pure', 'deployments of one sync that start one after the other'],
  67: ['pure', 'a window without focus during an operation'],
  68: ['pure', 'timestamps that are empty, zero or extreme'],
  69: ['editor', 'a hundred items to clean up, long or similar'],
  70: ['editor', 'folder settings with thousands of entries'],
  71: ['pure', 'a cursor with other filters'],
  72: ['pure', '413 on every kind of page'],
  73: ['pure', 'an unknown severity or member'],
  74: ['connection', 'endless large records'],
  75: ['editor', '403 for a single object'],
  76: ['pure', 'records and events that are expensive to process'],
  77: ['pure', 'server text in the diagnostics'],
  78: ['pure', 'formulas in a table'],
  79: ['editor', 'leftover data'],
  80: ['editor', 'two windows with one entry'],
  81: ['pure', 'records that arrive late while the range of a tail ends'],
  82: ['pure', 'a record that matches several tails'],
  83: ['pure', 'a local clock that is wrong'],
  84: ['pure', 'slow answers while a person waits'],
  85: ['pure', 'the request budget of a connection'],
  86: ['pure', 'a sync whose look-up before it failed'],
  87: ['editor', 'a clean-up that is cancelled in any step'],
  88: ['editor', 'a forged row as the argument of a command'],
  89: ['editor', 'a connection that another program proposes'],
  90: ['pure', 'hostile text in every reader'],
  91: ['pure', 'many small events while many records are shown'],
  93: ['connection', 'a proxy and a URL on this computer'],
  95: ['pure', 'pushes in any order and their ends'],
  96: ['pure', 'the same lines in another order, or in pieces'],
};

const tests = path.resolve(__dirname, '..');
const isEditorTest = (file: string): boolean => /^(editor|browser)\//.test(file);
const isOnConnection = (text: string): boolean =>
  /\b(startControlPlane|surviveOnLoopback|loopbackServers|createServer|Harness\.start)\(/.test(
    text,
  );

/** The levels of the tests that name each fault. */
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

  it('contains every number in a title', () => {
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
