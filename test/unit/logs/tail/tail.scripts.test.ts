import { covers } from '../../covers';
import type { FollowedOptions } from './followed';
import { ScriptedTail, type Script, type Seen } from './tailScript';

type Case = readonly [
  title: string,
  steps: readonly (Script | Partial<Seen>)[],
  options?: FollowedOptions,
];

const day = 24 * 3_600_000;
const endless = { plane: { streamSeconds: 24 * 3600 } };
const beating = { plane: { heartbeatSeconds: 30 } };

const starts: readonly Case[] = [
  [
    'shows the last records oldest first, then new ones',
    [
      ...['+10', { now: 'stopped' }, 'start', { now: 'connecting' }, '0 +2 0'],
      { shown: '7-11', states: 'connecting live', received: 5, streamed: 2, connects: 1 },
    ],
    { initialLines: 3 },
  ],
  [
    'shows only new records if no history is wanted',
    ['+5 start 0 +2 0', { shown: '5-6', received: 2, limits: '1' }],
    { initialLines: 0 },
  ],
  [
    'shows the very first record if no history is wanted',
    ['start 0 +1 0', { shown: '0' }],
    { initialLines: 0 },
  ],
  [
    'does not lose records between history and stream',
    ['+2 query:+2 connect:+2 start 0', { shown: '0-5' }],
  ],
  [
    `resumes silently when the server closes after five minutes ${covers('F14', 'unit')}`,
    [`start ${'+1 1m '.repeat(60)} 0`, { states: 'connecting live', shown: '0-59', connects: 12 }],
    beating,
  ],
  [
    `resumes silently when fetch ends a stream after five minutes ${covers('F14', 'unit')}`,
    ['open*:cut@299990ms start 60m', { states: 'connecting live', connects: 12 }],
    beating,
  ],
  [
    `resumes from the cursor of the last page after a break ${covers('F16', 'unit')}`,
    [
      'start 0 +3 0 cut +2 1s',
      { shown: '0-4', states: 'connecting live reconnecting live', cursors: '0 3' },
    ],
  ],
  [
    `runs once, however often it is started ${covers('F35', 'unit')}`,
    ['start start 0 start 0', { connects: 1, states: 'connecting live' }],
  ],
  [
    'resumes where it was stopped',
    [
      '+2 start 0 stop stop 1m +2 start 0',
      { shown: '0-3', states: 'connecting live stopped connecting live', queries: 1 },
    ],
  ],
];

const refused: readonly Case[] = [
  ...(
    [
      ['409', 'code_409'],
      ['410', 'code_410'],
      ['422', 'code_422'],
      ['400/bad_cursor', 'bad_cursor'],
    ] as const
  ).map(([refusal, gaps]): Case => [
    `starts again at the last record and marks the gap: ${refusal} ${covers('F21', 'unit')}`,
    [
      `live connect:${refusal} cut +1200 1s +2 0`,
      { shown: '0-1204', parts: 'records gap records', gaps, now: 'live', repeated: 3 },
    ],
  ]),
  [
    `fails if a cursor that is brand-new is refused too ${covers('F22', 'unit')}`,
    [
      'live connect*:422 cut 10m',
      { now: 'refused code_422', connects: 3, gaps: 'code_422', namesRequest: true },
    ],
  ],
  [
    'starts again if another cursor is refused after an hour of silence',
    ['live fail:410 60m fail:410 1m', { now: 'live', gaps: 'cursor_expired cursor_expired' }],
    beating,
  ],
  [
    'marks the gap even if nothing was shown before, and shows what there is',
    ['start 0 connect:410 end +2 1s', { shown: '0-1', gaps: 'code_410' }],
  ],
  [
    'catches up with as many records as the limit allows, newest first',
    ['live connect:410 end +12000 1s', { shown: '0-2,2003-12002', gaps: 'code_410' }],
  ],
  [
    'continues if the history fails meanwhile',
    [
      'live query:ECONNRESET query:ECONNRESET fail:410 +1 1m',
      { shown: '0-3', gaps: 'cursor_expired' },
    ],
  ],
  ...(
    [
      ['stamped before the last record, whose clock is ahead', '1h', '0', '1m'],
      ['that came late, and was stamped before the last record', '0', '-1m', '-2m', '0'],
      ['stamped in any order', '-1h', '-2m', '1h', '0'],
    ] as const
  ).map(([what, last, ...times]): Case => [
    `shows after a lost cursor a record ${what} ${covers('F21, F27', 'unit')}`,
    [
      `live stamped:${last} 100ms connect:410 end`,
      `${times.map((one) => `stamped:${one}`).join(' ')} 2s`,
      { all: 4 + times.length },
    ],
  ]),
  [
    'shows after a lost cursor nothing that was there before, whichever record came last',
    [
      '+1700 jump:1h start 0 stamped:-3h 100ms connect:410 end stamped:0 2s',
      { shown: '1697-1701' },
    ],
    { initialLines: 3 },
  ],
  [
    'asks after a lost cursor for no more than until all is known',
    [
      '+9000 start 0',
      { queries: 2 },
      'connect:410 end stamped:0 2s',
      { shown: '8000-9000', queries: 4 },
    ],
    { initialLines: 1000 },
  ],
  [
    'finds again what a lost cursor missed if the access changes between two pages',
    ['live connect:410 query:ok query:access end +700 2s', { shown: '0-702' }],
  ],
];

const notices: readonly Case[] = [
  [
    `reports a partial page, once for each time ${covers('F29', 'unit')}`,
    [
      'live partial:on +1 100ms +1 100ms partial:off +1 100ms partial:on +1 100ms',
      { parts: 'records partial records partial records' },
    ],
  ],
  [
    `reports changed access before the first record with it ${covers('F30', 'unit')}`,
    ['live +1 100ms revision:2 +1 +1 100ms', { parts: 'records accessChanged records' }],
  ],
];

const errors: readonly Case[] = [
  ...(
    [
      ['408', 'reconnecting code_408', covers('F24', 'unit')],
      ['500', 'reconnecting code_500', covers('F24', 'unit')],
      ['503', 'reconnecting code_503', covers('F24', 'unit')],
      ['429', 'rateLimited', covers('F23', 'unit')],
      ['ECONNRESET', 'reconnecting reset', covers('F18', 'unit')],
      ['ECONNREFUSED', 'reconnecting refused', covers('F18', 'unit')],
    ] as const
  ).map(([error, now, fault]): Case => [
    `backs off at ${error}, however often it occurs, and resumes ${fault}`,
    [
      `live connect*:${error} end 10m`,
      { now, connects: 48 },
      'connect*:ok 1m +1 0',
      { now: 'live', shown: '0-3' },
    ],
  ]),
  [
    `backs off at a response that is not a stream, however often it occurs ${covers('F12', 'unit')}`,
    [
      ...['live html end 10m', { now: 'reconnecting notEventStream' }],
      ...['nohtml +1 1m', { now: 'live', shown: '0-3' }],
    ],
  ],
  [
    'backs off when the history fails',
    [`+3 ${'query:502 '.repeat(5)} start 20s`, { shown: '0-2', connects: 1 }],
  ],
  [
    `backs off when the stream closes at once ${covers('F12', 'unit')}`,
    ['open*:end start 10m', { now: 'reconnecting', connects: 48 }],
  ],
  [
    'waits for a Retry-After even if it is started again, or the key changes',
    [
      ...['live connect:429/100 end 2s stop start 1s', { now: 'rateLimited' }],
      ...['key:demo-logs told 96s', { connects: 2 }, '25s', { now: 'live' }],
    ],
  ],
  [
    'waits for the Retry-After of a history',
    [
      ...['query:429/50 start 1s', { now: 'rateLimited' }, '48s', { queries: 1 }],
      ...['12s', { queries: 2, now: 'live' }],
    ],
  ],
  [
    'waits for the Retry-After of a server that is overloaded',
    ['live connect:503/70 end 70s', { connects: 2 }, '10s', { connects: 3, now: 'live' }],
  ],
  ...(
    [
      ['permission_denied', 'missingPermission permission_denied'],
      ['not_found', 'notFound not_found'],
      ['unauthorized', 'signedOut unauthorized'],
      ['rate_limited', 'rateLimited'],
      ['internal', 'live'],
      ['cursor_expired', 'live'],
    ] as const
  ).map(([code, now]): Case => [
    `treats an error event like the response that it stands for: ${code} ${covers('F25', 'unit')}`,
    [
      `live fail:500/${code} ${code === 'rate_limited' ? '0' : '1s'}`,
      { now, gaps: code === 'cursor_expired' ? code : '' },
    ],
  ]),
  [
    `waits at least as long as the server asks for, also after a routine end ${covers('F9', 'unit')}`,
    [
      ...['live wish:20000 15s connect:ECONNRESET end 19s', { connects: 1 }, '2s', { connects: 2 }],
      ...['18s', { connects: 2 }, '90s', { connects: 3 }],
      { states: 'connecting live reconnecting reconnecting live' },
    ],
  ],
];

const failures: readonly Case[] = [
  ...(
    [
      [400, 'refused'],
      [403, 'missingPermission'],
      [404, 'notFound'],
      [405, 'refused'],
      [413, 'refused'],
    ] as const
  ).map(([status, kind]): Case => [
    `fails at ${status} on the stream ${covers('F20, F22', 'unit')}`,
    [
      `live connect*:${status} end 10m`,
      // The error does not say whether 400 is about the cursor, so a fresh one is tried once.
      { now: `${kind} code_${status}`, connects: status === 400 ? 3 : 2 },
      { namesRequest: true, timers: 0 },
    ],
  ]),
  ...(
    [
      [400, 'refused'],
      [403, 'missingPermission'],
      [404, 'notFound'],
      [409, 'refused'],
      [413, 'refused'],
      [422, 'refused'],
    ] as const
  ).map(([status, kind]): Case => [
    `fails at ${status} on the history ${covers('F20, F22', 'unit')}`,
    [
      `query*:${status} start 10m`,
      { now: `${kind} code_${status}`, limits: status === 413 ? '100 50 25 12 6 3 1' : '100' },
    ],
  ]),
  [
    `does not fail at 400 for a lost cursor, however it is described: a fresh one helps ${covers('F21, F71', 'unit')}`,
    ['live connect:400 end +2 10s', { now: 'live', shown: '0-4' }],
    { plane: { unkind: { vagueCursors: true } } },
  ],
  [
    'fails at a request that our own checks reject',
    ['start 1m', { now: 'refused invalidRequest' }],
    { filter: { search: 'x'.repeat(513) } },
  ],
  [
    `fails at malformed events, three times at one cursor ${covers('F10, F11', 'unit')}`,
    ['live open*:beat,odd bad 2m', { now: 'protocol wrongSchema', connects: 3 }],
  ],
  [
    `does not fail at malformed events with progress between them ${covers('F10', 'unit')}`,
    ['live open*:+1,bad end 5m', { now: 'reconnecting notJson', all: 53 }],
  ],
  [
    'starts again from there, with a gap marker if its cursor was the problem',
    [
      'live connect*:413 end 1m connect*:ok +2 start 1m',
      { now: 'live', shown: '0-4' },
      { gaps: 'code_413' },
    ],
  ],
];

const keys: readonly Case[] = [
  [
    `is signed out without a key, and sends nothing ${covers('F19', 'unit')}`,
    ['nokey start 1s', { now: 'signedOut noKey', queries: 0 }],
  ],
  [
    `is signed out if the storage fails ${covers('F49', 'unit')}`,
    ['lockedkey start 1s', { now: 'signedOut noKey' }],
  ],
  [
    `is signed out at 401 if the key is still the same ${covers('F19', 'unit')}`,
    ['live revoke:demo-full 1m', { now: 'signedOut unauthorized', connects: 1 }],
  ],
  [
    `tries again at 401 if the key has changed ${covers('F19', 'unit')}`,
    [
      ...[
        'live key:demo-readonly revoke:demo-full +1 1s',
        { now: 'live', shown: '0-3', connects: 3 },
      ],
      ...[
        'key:unknown-key revoke:demo-readonly 1m',
        { now: 'signedOut unauthorized', connects: 4 },
      ],
    ],
  ],
  [
    `ends at once if the key is removed in another window ${covers('F48', 'unit')}`,
    ['live nokey told 0', { now: 'signedOut noKey', keys: '', timers: 0 }],
  ],
  [
    `continues with a new key at once, and ignores the same key ${covers('F48', 'unit')}`,
    [
      ...['live told told 1s', { connects: 1 }],
      'revoke:demo-full key:demo-readonly told told +1 1s',
      { states: 'connecting live', keys: 'demo-readonly', most: 1, shown: '0-3' },
    ],
  ],
  [
    `accepts any number of new keys, though each invalidates the cursor ${covers('F48', 'unit')}`,
    [
      'live key:demo-readonly told 100ms key:demo-logs told 100ms key:demo-full told 100ms',
      ...['key:demo-logs told 100ms +2 61s', { now: 'live', shown: '0-4' }],
    ],
  ],
  [
    'does not wait for a back-off after a new key',
    ['live connect*:503/25 end 1s connect*:ok key:demo-readonly told 0', { now: 'live' }],
  ],
  [
    'starts again with a new key after a 401',
    [
      ...['live revoke:demo-full 0', { now: 'signedOut unauthorized' }],
      ...['told 0', { now: 'signedOut unauthorized' }],
      ...['key:demo-readonly +1 told', { shown: '0-3', now: 'live' }],
    ],
  ],
  [
    'starts again with a new key after a missing permission',
    [
      ...['live deny:demo-full 0', { now: 'missingPermission forbidden' }],
      ...['key:demo-readonly +1 told', { shown: '0-3', now: 'live' }],
    ],
  ],
  [
    'does not start again if it was stopped, failed otherwise or was never started',
    [
      ...['live fail:404 0 key:demo-readonly told 1s', { now: 'notFound not_found' }],
      ...['stop key:demo-logs told 1s', { now: 'stopped' }, 'told start stop 1s', { connects: 1 }],
    ],
  ],
];

const silence: readonly Case[] = [
  [
    `gives a half-open stream up after 90 s and resumes ${covers('F15', 'unit')}`,
    [
      ...['+1 start 89s', { now: 'live' }, '3s', { connects: 2, most: 1 }],
      ...[{ states: 'connecting live reconnecting live' }, '+1 0', { shown: '0-1' }],
    ],
    endless,
  ],
  [
    `shows the silence while it is live again, until something arrives ${covers('F15, F61', 'unit')}`,
    [
      // The first stream had brought something.
      ...['+1 start 0 +1 92s', { connects: 2, silent: false }, '92s', { silent: true }],
      ...['end 2s', { silent: true }, 'beat 0', { silent: false, now: 'live', connects: 4 }],
    ],
    endless,
  ],
  [
    `notices within 20 s that a busy stream with heartbeats has gone silent ${covers('F15', 'unit')}`,
    [
      `+1 start 0 ${`beat ${'+1 100ms '.repeat(10)}`.repeat(30)} 19s`,
      ...[{ connects: 1 }, '3s', { connects: 2 }],
    ],
    endless,
  ],
  [
    `stays connected while anything arrives, even a comment or half an event ${covers('F4', 'unit')}`,
    ['+1 start 0 1m comment 1m half 1m comment 1m comment', { connects: 1 }],
    endless,
  ],
  ...[0, 500, 1000, 1499].map((phase): Case => [
    `reconnects within two seconds when the machine wakes ${phase} ms after a look ${covers('F31', 'unit')}`,
    [
      `+1 start ${9000 + phase}ms jump:8h +1 2s`,
      { connects: 2, most: 1, states: 'connecting live', shown: '0-1' },
    ],
    { ...endless, random: () => 0.999 },
  ]),
  [
    `requests a history again if the machine slept meanwhile ${covers('F31', 'unit')}`,
    ['+2 query:hang start 3s jump:1h 2s', { shown: '0-1' }],
  ],
  [
    `ignores a small step of the wall clock ${covers('F31, F32', 'unit')}`,
    [`+1 start 0 ${'jump:14s 2s '.repeat(20)}`, { connects: 1 }],
    endless,
  ],
  ...['24h', '-24h'].map((jump): Case => [
    `shows no failure and loses nothing when the wall clock jumps while live: ${jump} ${covers('F32', 'unit')}`,
    [`+1 start 0 jump:${jump} +1 5s +1 0`, { states: 'connecting live', shown: '0-2' }],
    endless,
  ]),
];

const pauses: readonly Case[] = [
  [
    `shows all after a pause that began before the listener took it ${covers('F35, F64', 'unit')}`,
    [
      'start 0',
      ...Array.from({ length: 12 }, (_, round) => [
        '+3 50ms pause +2 200ms',
        { taken: round * 5 },
        'resume',
        { shown: `0-${round * 5 + 4}` },
      ]).flat(),
    ],
    { takesAfter: () => 100 },
  ],
  ...['stop', 'fail:403'].map((end): Case => [
    `shows before anything else what came in a pause in which it ended: ${end} ${covers('F64', 'unit')}`,
    [
      ...['+1 start 0 pause +3 100ms', { shown: '' }, end, { shown: '0-3' }],
      ...['start', { shown: '0-3' }],
    ],
  ]),
  [
    'shows all in order after a pause',
    [
      ...['+1 start 100ms pause pause +2 0 cut +3 1s', { now: 'paused 5', shown: '0' }],
      'resume resume',
      { shown: '0-5', states: 'connecting live paused paused paused live' },
    ],
  ],
  [
    'waits for the end of a pause that began before the first connect, and cannot be paused after its end',
    [
      ...['pause', { states: '' }, '+2 start pause 0', { now: 'paused 2' }],
      ...['stop', { now: 'stopped', shown: '0-1' }],
    ],
  ],
];

const reloads: readonly Case[] = [
  [
    'resumes after a reload after the last record that was handed on, in the middle of a page',
    ['+2 start 0 take +10 0 take:4 leave +3 return', { shown: '0-14', queries: 1 }],
    { takes: false },
  ],
  ...['', 'take:4'].map((take): Case => [
    `shows after a reload all of its history, and all that came since: ${take || 'nothing taken'} ${covers('F64', 'unit')}`,
    [`+50 start 0 ${take} pause +60 1s leave +30 return 0`, { shown: '40-139', parts: 'records' }],
    { takes: false, initialLines: 10 },
  ]),
  [
    'requests its history again after a reload if that failed',
    [
      ...['+50 start 0 leave query:503 return 0 +20 1m', { shown: '40-69' }],
      ...['end 1s', { queries: 3 }],
    ],
    { takes: false, initialLines: 10 },
  ],
  [
    `does not repeat records that the server sends again from before the cursor ${covers('F26', 'unit')}`,
    ['start 0 +5 100ms leave open:again:0-7 +2 return', { shown: '0-6' }],
  ],
  [
    `marks the gap if its cursor is too old, and shows what has arrived since ${covers('F21', 'unit')}`,
    [
      '+5 start 100ms leave +600 connect:410 jump:240h return 1s',
      { shown: '0-604', parts: 'gap records', froms: 1 },
    ],
    { ahead: () => 366 * day },
  ],
  [
    'knows its position after a reload even if it has not shown anything yet',
    ['+5 start 100ms leave +1 connect:410 return 1s', { shown: '5' }],
    { initialLines: 0 },
  ],
  [
    'fails on an invalid position, and starts from the beginning at the next start',
    ['+2 connect:400 start 0', { now: 'refused code_400' }, 'start 1s', { shown: '0-1' }],
    { position: { from: '', to: '', cursor: '', seen: [] } },
  ],
];

describe('a tail', () => {
  for (const cases of [
    ...[starts, refused, notices, errors, failures, keys, silence, pauses, reloads],
  ]) {
    for (const [title, steps, options] of cases) {
      it(title, async () => {
        const tail = new ScriptedTail(options);
        for (const step of steps) {
          await (typeof step === 'string' ? tail.run(step) : tail.see(step));
        }
      });
    }
  }
});
