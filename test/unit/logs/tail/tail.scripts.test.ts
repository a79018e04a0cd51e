import { covers } from '../../covers';
import { each, scripts } from './tailScript';

const day = 24 * 3_600_000;
const endless = { plane: { streamSeconds: 24 * 3600 } };
const beating = { plane: { heartbeatSeconds: 30 } };

describe('a tail that starts', () => {
  scripts(
    {
      'shows the last records oldest first, then new ones': `
        +10 -> now stopped
        start -> now connecting
        0 +2 0 -> shown 7-11; states connecting live; received 5; streamed 2; connects 1`,
    },
    { initialLines: 3 },
  );
  scripts(
    {
      'shows only new records if no history is wanted':
        '+5 start 0 +2 0 -> shown 5-6; received 2; limits 1',
      'shows the very first record if no history is wanted': 'start 0 +1 0 -> shown 0',
    },
    { initialLines: 0 },
  );
  scripts({
    'does not lose records between history and stream':
      '+2 query:+2 connect:+2 start 0 -> shown 0-5',
    [`resumes from the cursor of the last page after a break ${covers('F16', 'unit')}`]:
      'start 0 +3 0 cut +2 1s -> shown 0-4; states connecting live reconnecting live; cursors 0 3',
    [`runs once, however often it is started ${covers('F35', 'unit')}`]:
      'start start 0 start 0 -> connects 1; states connecting live',
    'resumes where it was stopped': `+2 start 0 stop stop 1m +2 start 0
      -> shown 0-3; states connecting live stopped connecting live; queries 1`,
  });
  scripts(
    {
      [`resumes silently when the server closes after five minutes ${covers('F14', 'unit')}`]: `
        start ${'+1 1m '.repeat(60)} 0 -> states connecting live; shown 0-59; connects 12`,
      [`resumes silently when fetch ends a stream after five minutes ${covers('F14', 'unit')}`]:
        'open*:cut@299990ms start 60m -> states connecting live; connects 12',
    },
    beating,
  );
});

describe('a tail whose cursor is lost', () => {
  for (const [refusal, code] of [
    ['409', 'code_409'],
    ['410', 'code_410'],
    ['422', 'code_422'],
    ['400/bad_cursor', 'bad_cursor'],
  ] as const) {
    scripts({
      [`starts again at the last record and marks the gap: ${refusal} ${covers('F21', 'unit')}`]: `
        live connect:${refusal} cut +1200 1s +2 0
        -> shown 0-1204; parts records gap records; gaps ${code}; now live; repeated 3`,
    });
  }
  for (const [what, last, ...times] of [
    ['stamped before the last record, whose clock is ahead', '1h', '0', '1m'],
    ['that came late, and was stamped before the last record', '0', '-1m', '-2m', '0'],
    ['stamped in any order', '-1h', '-2m', '1h', '0'],
  ] as const) {
    scripts({
      [`shows a record ${what} ${covers('F21, F27', 'unit')}`]: `
        live stamped:${last} 100ms connect:410 end
        ${times.map((one) => `stamped:${one}`).join(' ')} 2s -> received ${4 + times.length}; all true`,
    });
  }
  scripts({
    [`fails if one that is brand-new is refused too ${covers('F22', 'unit')}`]: `
      live connect*:422 cut 10m
      -> now refused code_422; connects 3; gaps code_422; namesRequest true`,
    'marks the gap even if nothing was shown before, and shows what there is':
      'start 0 connect:410 end +2 1s -> shown 0-1; gaps code_410',
    'catches up with as many records as the limit allows, newest first':
      'live connect:410 end +12000 1s -> shown 0-2,2003-12002; gaps code_410',
    'continues if the history fails meanwhile': `
      live query:ECONNRESET query:ECONNRESET fail:410 +1 1m -> shown 0-3; gaps cursor_expired`,
    'finds again what it missed if the access changes between two pages':
      'live connect:410 query:ok query:access end +700 2s -> shown 0-702',
    [`starts again at most once a minute ${covers('F21', 'unit')}`]: `
      live open*:+1,fail:410 fail:410 30s -> queries 2
      30s -> queries 3
      9m -> queries 12; all true`,
  });
  scripts(
    {
      'starts again if another one is refused after an hour of silence':
        'live fail:410 60m fail:410 1m -> now live; gaps cursor_expired cursor_expired',
    },
    beating,
  );
  scripts(
    {
      'shows nothing that was there before, whichever record came last': `
        +1700 jump:1h start 0 stamped:-3h 100ms connect:410 end stamped:0 2s -> shown 1697-1701`,
    },
    { initialLines: 3 },
  );
  scripts(
    {
      'asks for no more than until all is known': `
        +9000 start 0 -> queries 2
        connect:410 end stamped:0 2s -> shown 8000-9000; queries 4`,
    },
    { initialLines: 1000 },
  );
});

describe('a tail whose pages say more than records', () => {
  scripts({
    [`reports a partial page, once for each time ${covers('F29', 'unit')}`]: `
      live partial:on +1 100ms +1 100ms partial:off +1 100ms partial:on +1 100ms
      -> parts records partial records partial records`,
    [`reports changed access before the first record with it ${covers('F30', 'unit')}`]:
      'live +1 100ms revision:2 +1 +1 100ms -> parts records accessChanged records',
    'compares no access revision of a query with one of the stream': `
      revision:query connect:revision:stream +2 start 0 +2 100ms -> parts records
      revision:next end 2s +1 100ms -> parts records accessChanged records`,
  });
});

describe('a tail that cannot connect', () => {
  for (const [error, state, fault] of [
    ['408', 'reconnecting code_408', covers('F24', 'unit')],
    ['500', 'reconnecting code_500', covers('F24', 'unit')],
    ['503', 'reconnecting code_503', covers('F24', 'unit')],
    ['429', 'rateLimited', covers('F23', 'unit')],
    ['ECONNRESET', 'reconnecting reset', covers('F18', 'unit')],
    ['ECONNREFUSED', 'reconnecting refused', covers('F18', 'unit')],
  ] as const) {
    scripts({
      [`backs off at ${error}, however often it occurs, and resumes ${fault}`]: `
        live connect*:${error} end 10m -> now ${state}; connects 48
        connect*:ok 1m +1 0 -> now live; shown 0-3`,
    });
  }
  scripts({
    [`backs off at a response that is not a stream, however often it occurs ${covers('F12', 'unit')}`]: `
      live html end 10m -> now reconnecting notEventStream
      nohtml +1 1m -> now live; shown 0-3`,
    [`backs off as usual when the wall clock jumps to and fro ${covers('F32', 'unit')}`]: `
      live connect*:ECONNRESET end ${'jump:24h 6s jump:-24h 6s '.repeat(50)} -> connects 48`,
    'backs off when the history fails': `
      +3 ${'query:502 '.repeat(5)} start 20s -> shown 0-2; connects 1`,
    [`backs off when the stream closes at once ${covers('F12', 'unit')}`]:
      'open*:end start 10m -> now reconnecting; connects 48',
    [`connects at most ten times in any minute, whatever happens ${covers('F12, F33', 'unit')}`]:
      'live open*:+1,end end 10m -> perMinute 10; connects 101; all true',
    'waits for a Retry-After even if it is started again, or the key changes': `
      live connect:429/100 end 2s stop start 1s -> now rateLimited
      key:demo-logs told 96s -> connects 2
      25s -> now live`,
    'waits for the Retry-After of a history': `
      query:429/50 start 1s -> now rateLimited
      48s -> queries 1
      12s -> queries 2; now live`,
    'waits for the Retry-After of a server that is overloaded': `
      live connect:503/70 end 70s -> connects 2
      10s -> connects 3; now live`,
    [`waits at least as long as the server asks for, also after a routine end ${covers('F9', 'unit')}`]: `
      live wish:20000 15s connect:ECONNRESET end 19s -> connects 1
      2s -> connects 2
      18s -> connects 2
      90s -> connects 3; states connecting live reconnecting reconnecting live`,
    [`waits so, too, if a Retry-After is shorter, but not with a new key ${covers('F9', 'unit')}`]: `
      live wish:20000 connect:429/1 end 21s -> connects 2; now rateLimited
      18s -> connects 2
      3s -> connects 3; now live
      key:demo-readonly told 2s -> connects 5; keys demo-readonly; now live`,
  });
  // The refusal after it ends the tail, because decades of a live tail would take long.
  for (const seconds of [1, 86_400, 2 ** 31 / 1000, 2 ** 31]) {
    scripts({
      [`never reconnects before a Retry-After of ${seconds} s ${covers('F23', 'unit')}`]: `
        live connect:429/${seconds} connect:403 end ${seconds * 1000}ms -> connects 2; now rateLimited
        ${Math.ceil(seconds * 100) + 2000}ms -> connects 3; now missingPermission code_403`,
    });
  }
  scripts({
    [`reconnects at once after a Retry-After of 0 s ${covers('F23', 'unit')}`]:
      'live connect:429/0 connect:403 end 2s -> connects 3; now missingPermission code_403',
  });
});

describe('a tail that gets an error', () => {
  for (const [code, state] of [
    ['permission_denied', 'missingPermission permission_denied'],
    ['not_found', 'notFound not_found'],
    ['unauthorized', 'signedOut unauthorized'],
    ['rate_limited', 'rateLimited'],
    ['internal', 'live'],
    ['cursor_expired', 'live'],
  ] as const) {
    const wait = code === 'rate_limited' ? '0' : '1s';
    const gaps = code === 'cursor_expired' ? code : 'none';
    scripts({
      [`as an event treats it like the response that it stands for: ${code} ${covers('F25', 'unit')}`]: `live fail:500/${code} ${wait} -> now ${state}; gaps ${gaps}`,
    });
  }
  for (const [status, kind] of [
    [400, 'refused'],
    [403, 'missingPermission'],
    [404, 'notFound'],
    [405, 'refused'],
    [413, 'refused'],
  ] as const) {
    // The error does not say whether 400 is about the cursor, so a fresh one is tried once.
    const connects = status === 400 ? 3 : 2;
    scripts({
      [`fails at ${status} on the stream ${covers('F20, F22', 'unit')}`]: `
        live connect*:${status} end 10m
        -> now ${kind} code_${status}; connects ${connects}; namesRequest true; timers 0`,
    });
  }
  for (const [status, kind] of [
    [400, 'refused'],
    [403, 'missingPermission'],
    [404, 'notFound'],
    [409, 'refused'],
    [413, 'refused'],
    [422, 'refused'],
  ] as const) {
    const limits = status === 413 ? '100 50 25 12 6 3 1' : '100';
    scripts({
      [`fails at ${status} on the history ${covers('F20, F22', 'unit')}`]: `query*:${status} start 10m -> now ${kind} code_${status}; limits ${limits}`,
    });
  }
  scripts({
    [`fails at malformed events, three times at one cursor ${covers('F10, F11', 'unit')}`]:
      'live open*:beat,odd bad 2m -> now protocol wrongSchema; connects 3',
    [`does not fail at malformed events with progress between them ${covers('F10', 'unit')}`]:
      'live open*:+1,bad end 5m -> now reconnecting notJson; received 53; all true',
    'starts again from there, with a gap marker if its cursor was the problem': `
      live connect*:413 end 1m connect*:ok +2 start 1m -> now live; shown 0-4; gaps code_413`,
    [`does not fail at the same records while the cursor advances ${covers('F26, F28', 'unit')}`]:
      '+9 start 0 again:0-1 again:0-2 again:0-3 again:0-4 1s -> now live; connects 1; repeated 10',
    [`does not fail at the same cursor without records ${covers('F28', 'unit')}`]: `
      live ${'stuck:3-3 1s '.repeat(20)} -> now live; connects 1`,
    [`fails at the same cursor with the same records three times ${covers('F28', 'unit')}`]: `
      live stuck:1-3 1s stuck:1-3 1s -> now live
      stuck:1-3 1s -> now protocol cursorStuck; keys none`,
    [`fails so after the cursor had advanced, too ${covers('F28', 'unit')}`]:
      'live +2 100ms again:3-5,3-5,3-5,3-5 1s -> now protocol cursorStuck; shown 0-4',
  });
  scripts(
    {
      // They are new the first time, because the history has only what is shown.
      [`fails at the same cursor with the same records, which its filter hides ${covers('F28', 'unit')}`]: `
        +3 start 0 ${'stuck:1-3 1s '.repeat(3)} -> now live
        stuck:1-3 1s -> now protocol cursorStuck; keys none`,
    },
    { filter: { stream: 'stderr' } },
  );
  scripts(
    {
      [`does not fail at 400 for a lost cursor, however it is described: a fresh one helps ${covers('F21, F71', 'unit')}`]:
        'live access end +2 10s -> now live; shown 0-4; gaps invalid_request',
    },
    { plane: { unkind: { vagueCursors: true } } },
  );
  scripts(
    {
      'fails at a request that our own checks reject': 'start 1m -> now refused invalidRequest',
    },
    { filter: { search: 'x'.repeat(513) } },
  );
});

describe('the key of a tail', () => {
  scripts({
    [`that is missing signs it out, and sends nothing ${covers('F19', 'unit')}`]:
      'nokey start 1s -> now signedOut noKey; queries 0',
    [`signs it out if the storage fails ${covers('F49', 'unit')}`]:
      'lockedkey start 1s -> now signedOut noKey',
    [`signs it out at 401 if it is still the same ${covers('F19', 'unit')}`]:
      'live revoke:demo-full 1m -> now signedOut unauthorized; connects 1',
    [`is tried again at 401 if it has changed ${covers('F19', 'unit')}`]: `
      live key:demo-readonly revoke:demo-full +1 1s -> now live; shown 0-3; connects 3
      key:unknown-key revoke:demo-readonly 1m -> now signedOut unauthorized; connects 4`,
    [`ends it at once if it is removed in another window ${covers('F48', 'unit')}`]:
      'live nokey told 0 -> now signedOut noKey; keys none; timers 0',
    [`is used at once if it is new, and ignored if it is the same ${covers('F48', 'unit')}`]: `
      live told told 1s -> connects 1
      revoke:demo-full key:demo-readonly told told +1 1s
      -> states connecting live; keys demo-readonly; most 1; shown 0-3`,
    [`may change any number of times, though each invalidates the cursor ${covers('F48', 'unit')}`]: `
      live key:demo-readonly told 100ms key:demo-logs told 100ms key:demo-full told 100ms
      key:demo-logs told 100ms +2 61s -> now live; shown 0-4`,
    'ends a back-off if it is new':
      'live connect*:503/25 end 1s connect*:ok key:demo-readonly told 0 -> now live',
    'starts it again after a 401 if it is new': `
      live revoke:demo-full 0 -> now signedOut unauthorized
      told 0 -> now signedOut unauthorized
      key:demo-readonly +1 told -> shown 0-3; now live`,
    'starts it again after a missing permission if it is new': `
      live deny:demo-full 0 -> now missingPermission forbidden
      key:demo-readonly +1 told -> shown 0-3; now live`,
    'does not start it again if it was stopped, failed otherwise or was never started': `
      live fail:404 0 key:demo-readonly told 1s -> now notFound not_found
      stop key:demo-logs told 1s -> now stopped
      told start stop 1s -> connects 1`,
  });
});

describe('the silence of a tail', () => {
  scripts(
    {
      [`ends a half-open stream after 90 s, and it resumes ${covers('F15', 'unit')}`]: `
        +1 start 89s -> now live
        3s -> connects 2; most 1; states connecting live reconnecting live
        +1 0 -> shown 0-1`,
      // The first stream had brought something.
      [`is shown while it is live again, until something arrives ${covers('F15, F61', 'unit')}`]: `
        +1 start 0 +1 92s -> connects 2; silent false
        92s -> silent true
        end 2s -> silent true
        beat 0 -> silent false; now live; connects 4`,
      [`is noticed within 20 s on a busy stream with heartbeats ${covers('F15', 'unit')}`]: `
        +1 start 0 ${`beat ${'+1 100ms '.repeat(10)}`.repeat(30)} 19s -> connects 1
        3s -> connects 2`,
      [`is as long as heartbeats teach ${covers('F4, F15', 'unit')}`]: `
        +1 start ${'15s beat '.repeat(6)} 44s -> connects 1
        3s -> connects 2`,
      [`may last as long as one that ended a stream and was normal ${covers('F15', 'unit')}`]: `
        +1 start ${'1s beat '.repeat(10)} 30s -> connects 2; states connecting live reconnecting live
        ${'30s beat '.repeat(10)} -> connects 2; now live; states connecting live reconnecting live`,
      [`is none while anything arrives, even a comment or half an event ${covers('F4', 'unit')}`]:
        '+1 start 0 1m comment 1m half 1m comment 1m comment -> connects 1',
      [`ends if a listener for it stops the tail ${covers('F34', 'unit')}`]: `
        +1 start 92s -> connects 2
        on:live:stop +1 1s -> now stopped; received 1; timers 0`,
      [`is not what a wall clock says that steps a little ${covers('F31, F32', 'unit')}`]: `
        +1 start 0 ${'jump:15s 1500ms '.repeat(20)} -> connects 1
        jump:16s 2s -> connects 2`,
    },
    endless,
  );
  for (const jump of ['24h', '-24h']) {
    scripts(
      {
        [`is not what a wall clock says that jumps while live: ${jump} ${covers('F32', 'unit')}`]: `+1 start 0 jump:${jump} +1 5s +1 0 -> states connecting live; shown 0-2`,
      },
      endless,
    );
  }
  for (const phase of [0, 500, 1000, 1499]) {
    scripts(
      {
        [`of a machine that sleeps ends within two seconds when it wakes ${phase} ms after a look ${covers('F31', 'unit')}`]: `
          +1 start ${9000 + phase}ms jump:8h +1 2s
          -> connects 2; most 1; states connecting live; shown 0-1`,
      },
      { ...endless, random: () => 0.999 },
    );
  }
  scripts({
    [`of a machine that sleeps during a request of history ends ${covers('F31', 'unit')}`]:
      '+2 query:hang start 3s jump:1h 2s -> shown 0-1',
  });
});

describe('the pause of a tail', () => {
  scripts(
    {
      [`that began before the listener took it ends with all ${covers('F35, F64', 'unit')}`]: `
        start 0
        ${each(
          12,
          (round) => `+3 50ms pause +2 200ms -> taken ${round * 5}
            resume -> shown 0-${round * 5 + 4}\n`,
        )}`,
    },
    { takesAfter: () => 100 },
  );
  for (const end of ['stop', 'fail:403']) {
    scripts({
      [`in which it ended is shown before anything else: ${end} ${covers('F64', 'unit')}`]: `
        +1 start 0 pause +3 100ms -> shown none
        ${end} -> shown 0-3
        start -> shown 0-3`,
    });
  }
  scripts({
    'ends with all in order': `
      +1 start 100ms pause pause +2 0 cut +3 1s -> now paused 5; shown 0
      resume resume -> shown 0-5; states connecting live paused paused paused live`,
    'begins before the first connect, and not after its end': `
      pause -> states none
      +2 start pause 0 -> now paused 2
      stop -> now stopped; shown 0-1`,
  });
  scripts(
    {
      [`drops and counts exactly what is too much, including what came before it ${covers('F36', 'unit')}`]: `
        +1 start -> shown 0
        +5 0 -> received 6; taken 1
        pause +700 1s -> now paused 700
        resume -> shown 0,608-705; parts records dropped records; dropped 607; received 706`,
    },
    {
      bufferRecords: 100,
      initialLines: 1,
      takesAfter: () => 100,
      plane: { unkind: { streamPage: 7 } },
    },
  );
});

describe('the listener of a tail', () => {
  scripts(
    {
      'hears of records when more arrive, and while some are left, but not in a pause': `
        start 0 -> receipts 0
        +3 0 -> receipts 1
        +3 0 -> receipts 2
        take:4 +1 0 -> receipts 3
        take 0 -> shown 0-6; receipts 3
        pause +2 0 -> receipts 3`,
      [`hears at the end, and at the next start, of what was not taken ${covers('F64', 'unit')}`]: `
        +3 start 0 -> receipts 2
        stop -> receipts 3
        start -> receipts 4
        take -> shown 0-2`,
    },
    { reads: false },
  );
});

describe('the reload of a tail', () => {
  scripts(
    {
      'resumes after the last record that was read, in the middle of a page':
        '+2 start 0 take +10 0 take:4 leave +3 return -> shown 0-14; queries 1',
    },
    { reads: false },
  );
  for (const take of ['', 'take:4']) {
    scripts(
      {
        [`shows all of its history, and all that came since: ${take || 'nothing taken'} ${covers('F64', 'unit')}`]: `
          +50 start 0 ${take} pause +60 1s leave +30 return 0 -> shown 40-139; parts records`,
      },
      { reads: false, initialLines: 10 },
    );
  }
  scripts(
    {
      'requests its history again if that failed': `
        +50 start 0 leave query:503 return 0 +20 1m -> shown 40-69
        end 1s -> queries 3`,
    },
    { reads: false, initialLines: 10 },
  );
  scripts({
    [`does not repeat records that the server sends again from before the cursor ${covers('F26', 'unit')}`]:
      'start 0 +5 100ms leave open:again:0-7 +2 return -> shown 0-6',
  });
  scripts(
    {
      [`marks the gap if its cursor is too old, and shows what has arrived since ${covers('F21', 'unit')}`]: `
        +5 start 100ms leave +600 connect:410 jump:240h return 1s
        -> shown 0-604; parts gap records; froms 1`,
    },
    { ahead: () => 366 * day },
  );
  scripts(
    {
      'knows its position even if it has not shown anything yet':
        '+5 start 100ms leave +1 connect:410 return 1s -> shown 5',
    },
    { initialLines: 0 },
  );
  scripts(
    {
      'fails on an invalid position, and starts from the beginning at the next start': `
        +2 connect:400 start 0 -> now refused code_400
        start 1s -> shown 0-1`,
    },
    { position: { from: '', to: '', cursor: '', seen: [] } },
  );
});
