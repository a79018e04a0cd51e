import { assert } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Level } from './covers';

/** The faults that the client survives, by number. Tests name them with `covers`. */
const faults: Readonly<Record<number, readonly [Level, string]>> = {
  // The framing of an event stream
  1: ['unit', 'UTF-8 cut at any byte'],
  2: ['unit', 'a byte order mark, whole or cut'],
  3: ['unit', 'LF, CRLF and CR, cut anywhere'],
  4: ['unit', 'comments and heartbeats, which are signs of life but not events'],
  5: ['unit', 'data on several lines, without the space'],
  6: ['unit', 'a line of 10 MB in small pieces'],
  7: ['unit', 'a line that never ends'],
  8: ['connection', 'an end in the middle of an event'],
  9: ['unit', 'unknown events, ids, wild retry times'],
  10: ['unit', 'malformed JSON'],
  11: ['unit', 'pages that break the schema'],
  12: ['connection', 'success with an HTML page, with an empty body, or 204'],
  13: ['connection', 'compression that is cut, stalls or is missing'],
  // The life of a stream
  14: ['unit', 'the close after five minutes'],
  15: ['connection', 'silence of a half-open connection'],
  16: ['connection', 'resets and cut endings'],
  17: ['unit', 'a disconnect after any byte'],
  18: ['connection', 'a restarting server, refused connections, unknown hosts'],
  19: ['unit', '401: another key, or signed out'],
  20: ['unit', '403 and 404: an end with a reason'],
  21: ['unit', 'a cursor that the server has lost'],
  22: ['unit', '409, 413, 422: errors that are not retried'],
  23: ['unit', '429, and every format of Retry-After'],
  24: ['unit', '408 and 5xx'],
  25: ['unit', 'errors sent as events'],
  26: ['unit', 'records sent again'],
  27: ['unit', 'records out of order'],
  28: ['unit', 'a cursor that does not advance'],
  29: ['unit', 'pages with more to come, and partial pages'],
  30: ['unit', 'a change of access'],
  31: ['unit', 'sleep of the machine'],
  32: ['unit', 'a wall clock that jumps'],
  33: ['unit', 'an hour offline'],
  34: ['connection', 'an end at any moment'],
  35: ['unit', 'a thousand starts and stops'],
  // Pressure and memory
  36: ['connection', 'more records than can be shown'],
  37: ['connection', 'an editor that is blocked'],
  38: ['unit', 'a day of streams'],
  39: ['connection', 'thousands of requests on one signal'],
  40: ['editor', 'unlimited lines and files'],
  // Requests and operations
  41: ['unit', 'values outside the limits'],
  42: ['unit', 'search cursors that are refused, or repeat'],
  43: ['connection', 'a missing answer to an accepted clean-up'],
  44: ['editor', 'a reload in the middle of an operation'],
  45: ['unit', 'one idempotency key for two bodies'],
  46: ['unit', 'operations that the server does not know'],
  47: ['unit', 'operations that never end'],
  // Secrets
  48: ['editor', 'a key that another window deletes or changes'],
  49: ['editor', 'a secret storage that fails or loses data'],
  50: ['editor', 'the key in a wrong place'],
  51: ['connection', 'redirects to another server'],
  52: ['unit', 'misleading base URLs'],
  53: ['editor', 'a workspace or remote that names a base URL'],
  // Untrusted content
  54: ['unit', 'terminal sequences'],
  55: ['unit', 'text that is invisible or changes the reading direction'],
  56: ['editor', 'links in notifications'],
  57: ['editor', 'markup in tooltips'],
  58: ['editor', 'markup in panels'],
  59: ['unit', 'hostile JSON'],
  // VS Code
  60: ['editor', 'deactivation'],
  61: ['connection', 'proxies and certificates'],
  62: ['editor', 'two windows'],
  // Added later
  63: ['editor', 'a switch of the connection during other work'],
  64: ['editor', 'pause, resume, stop and start of a busy tail'],
  65: ['connection', '409 and 422 to a clean-up whose answer was lost'],
  66: ['unit', 'deployments of one sync that start one after the other'],
  67: ['unit', 'a window without focus for longer than the deadline of what is watched'],
  68: ['unit', 'timestamps that are empty, zero or extreme'],
  69: ['editor', 'a hundred items to clean up, long or similar'],
  70: ['editor', 'folder settings with thousands of entries'],
  71: ['unit', 'a cursor with other filters'],
  72: ['unit', '413 on every kind of page'],
  73: ['unit', 'an unknown severity or member'],
  74: ['connection', 'endless large records'],
  75: ['editor', '403 for a single object'],
  76: ['unit', 'records and events that are expensive to process'],
  77: ['unit', 'server text in the diagnostics'],
  78: ['unit', 'formulas in a table'],
  79: ['editor', 'leftover data'],
  80: ['editor', 'two windows with one entry'],
  81: ['unit', 'records that arrive late while the range of a tail ends'],
  82: ['unit', 'a record that matches several tails'],
  83: ['unit', 'a local clock that is wrong'],
  84: ['unit', 'slow answers while a person waits'],
  85: ['unit', 'the request budget of a connection'],
  86: ['unit', 'a sync whose look-up before it failed'],
  87: ['editor', 'a clean-up that is cancelled in any step'],
  88: ['editor', 'a forged row as the argument of a command'],
  89: ['editor', 'a connection that another program proposes'],
  90: ['unit', 'hostile text in every reader'],
  91: ['unit', 'many small events while many records are shown'],
  92: ['unit', 'a slow machine'],
  93: ['connection', 'a proxy and a URL on this computer'],
  94: ['editor', 'a deployed commit that is unknown, and renamed files'],
  95: ['unit', 'pushes in any order and their ends'],
  96: ['unit', 'the same lines in another order, or in pieces'],
  // What is said must be so
  97: ['editor', 'who pushed, whatever identity is set'],
  98: ['unit', 'what runs after a force push, a failure or a duplicate'],
  99: ['unit', 'words for states that nobody has seen before'],
  100: ['unit', 'environments that a push does not reach, and apps that come or go'],
  101: ['unit', 'previews and environments among the deployments of an app'],
  102: ['unit', 'a deployment that takes long'],
  103: ['unit', 'the errors of the next push'],
  104: ['unit', 'merges, renames and formatting between a commit and the error that it caused'],
  105: ['unit', 'errors that arrive up to ten minutes late'],
  106: ['unit', 'a log line that looks like a pattern, or has the hash of another one'],
  107: ['unit', 'records whose size is in another member than the body'],
  108: ['unit', 'listings that are huge or endless, and a date of the year 9999'],
  109: ['editor', 'a key, a label or a sign-out that another program wants'],
  110: ['connection', 'a web page that knows the ports of the demo'],
  114: ['unit', 'stack traces and cut lines of many containers, mixed at random'],
};

const tests = path.resolve(__dirname, '..');
/** Each level proves the ones before it, too. */
const levels: readonly Level[] = ['unit', 'connection', 'editor'];

/** What the tests say that they cover. */
const tags = readdirSync(tests, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts') && !file.endsWith(path.basename(__filename)))
  .flatMap((file) => {
    const calls = readFileSync(path.join(tests, file), 'utf8').matchAll(
      /\bcovers\('(.*?)', '(\w+)'\)/g,
    );
    return [...calls].flatMap(([, numbers = '', level]) =>
      numbers
        .split(', ')
        .map((name) => ({ file, fault: Number(name.slice(1)), level: level as Level })),
    );
  });

describe('The catalogue of faults', () => {
  it('contains every fault that a test covers', () => {
    assert.isNotEmpty(tags);
    assert.isEmpty(tags.filter(({ fault }) => !(fault in faults)));
  });

  it('has the level editor for tests that run in VS Code, and for no others', () => {
    const isInEditor = (file: string): boolean => /^(editor|browser)\b/.test(file);
    assert.isEmpty(tags.filter(({ file, level }) => (level === 'editor') !== isInEditor(file)));
  });

  it('has a test for every fault at its level', () => {
    const untested = Object.entries(faults).filter(([number, [lowest]]) => {
      const enough = levels.slice(levels.indexOf(lowest));
      return !tags.some(({ fault, level }) => fault === Number(number) && enough.includes(level));
    });
    assert.isEmpty(untested);
  });
});
