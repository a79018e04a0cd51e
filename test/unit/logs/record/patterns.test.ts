import { assert } from 'chai';
import fc from 'fast-check';
import {
  leavesTooMuchOpen,
  PatternLookup,
  patternIds,
  Patterns,
  searchTextOf,
} from '../../../../src/logs/record/patterns';
import { covers } from '../../covers';
import { shortOrLong } from '../../long';
import { anyText } from '../anyText';
import { sampleRecord } from '../sampleRecord';

describe('The pattern of a message', () => {
  const alone: readonly (readonly [body: string, pattern: string])[] = [
    ['GET /orders/4711 took 12.5 ms', 'GET <path> took <n> ms'],
    ['order 6c2b3f91-1d2e-4f30-9b4c-5d6e7f809102 is late', 'order <id> is late'],
    [
      'commit 3f2a9bc1 by "Ann Other" at 2026-11-20T12:00:00.123Z',
      'commit <id> by <text> at <time>',
    ],
    ['12:00:00,5 10.0.0.7:8080 refused', '<time> <address> refused'],
    ['lost fe80::1:2:3:4 and 5c:50:15:4c:18:13 again', 'lost <address> and <address> again'],
    ["the cart's price is the users' own", "the cart's price is the users' own"],
    ["can't mail 'you' at ann@example.com", "can't mail <text> at <email>"],
    ['token sk12abCD34efGH56ijKL used', 'token <id> used'],
    ['the decade facade is a façade', 'the decade facade is a façade'],
    ['removed seg_-1608999687919862906 from disk-4', 'removed seg_<n> from disk-<n>'],
    ['read https://a.example/x?y=1, then C:\\Logs\\a.txt', 'read <url>, then <path>'],
    ['10.0.0.9 "POST /a/7 HTTP/1.1" status: 201', '<address> "POST <path> HTTP/<n>" status: <n>'],
    ['free 17.5GB of 2 TB (87%)', 'free <n>GB of <n> TB (<n>%)'],
    ['ended after <1 sec', 'ended after <n> sec'],
    ['moved a_1, a_2, a_3 and b', 'moved a_<n> and b'],
    ['sent 7 12 9 3', 'sent <n>'],
    ['ready=true host= pid=7', 'ready=true host=<value> pid=<n>'],
    ['took 1190 ms (1.2 s)', 'took <n> ms (<n> s)'],
    ['moved seg:7, seg:8, seg:9', 'moved seg:<n>'],
    ['took it from 10.0.0.7 ()', 'took it from <address> (<value>)'],
    ['init() found slot 7', 'init() found slot <n>'],
    ['no <b>price</b> for 7', 'no <b>price</b> for <n>'],
    ['at Fri Jun 17 07:07:00 2005 by rule #8', 'at <time> by rule #<n>'],
    ['{"msg":"took 5 ms","level":30}', 'took <n> ms'],
    ['TypeError: order 7\n    at f (a.ts:1:2)', 'TypeError: order <n>'],
    ['[1,2]', '[<n>]'],
    ['added 252.36-1~deb12u1 after 1:9.2p1-2+deb12u6', 'added <id> after <id>'],
    ['asked 7-a1.example.net:443 again', 'asked <address> again'],
    ['added 1:15.0.6-4 and 20.2-1beta1', 'added <id> and <id>'],
    ['asked LOCAL(0) for worker[7]', 'asked LOCAL(<n>) for worker[<n>]'],
    ['PCI interrupt 0000:02:0e.0[A] is on', 'PCI interrupt <address>[A] is on'],
    ['charged card ****4242 by rule #8', 'charged card ****<n> by rule #<n>'],
    ['called (stack @0x7fed806eb5d @0xff83db2f)', 'called (stack <id>)'],
    ['the disk is full (95%)', 'the disk is full (<n>%)'],
    [`asked ${'n7 '.repeat(60)}`, 'asked n<n>'],
    ['a 5-minute wait of 4-core on 24-Nov-2026', 'a <n>-minute wait of <n>-core on <n>-Nov-<n>'],
    ['  a\t\tb  ', 'a b'],
    ['', ''],
  ];
  for (const [body, pattern] of alone) {
    it(`${JSON.stringify(body)} alone is ${JSON.stringify(pattern)}`, () => {
      assert.deepEqual(patternIds([body]), [pattern]);
    });
  }

  it('is the same for whatever numbers a line of code writes', () => {
    fc.assert(
      fc.property(fc.nat(), fc.uuid(), fc.ipV4(), (count, id, address) => {
        const [pattern] = patternIds([`job ${id} of ${address} did ${count} steps`]);
        assert.equal(pattern, 'job <id> of <address> did <n> steps');
      }),
    );
  });

  it('is one short line, whatever the body', () => {
    fc.assert(
      fc.property(anyText(3000), (body) => {
        const [pattern = ''] = patternIds([body]);
        assert.isAtMost(pattern.length, 2000);
        assert.notMatch(pattern, /[\r\n]/);
      }),
    );
  });
});

/** Lines of one pattern each, as programs of many kinds write them. */
const alike: Readonly<Record<string, readonly string[]>> = {
  'session opened for user <value> by (uid=<n>)': [
    'session opened for user root by (uid=0)',
    'session opened for user backup by (uid=34)',
  ],
  '<value> closed, <n> bytes sent, lifetime <value>': [
    'localhost:80 closed, 10 bytes sent, lifetime <1 sec',
    'shop.example:443 closed, 1200 bytes sent, lifetime 02:13:11',
    '10.0.0.7:80 closed, 7 bytes sent, lifetime 3 s',
  ],
  'login from <address> (<value>) at <time>': [
    'login from 10.0.0.7 () at Fri Jun 17 07:07:00 2005',
    'login from 10.0.0.9 (host-9.example.net) at Wed Jul 27 10:59:53 2005',
  ],
  'Loading class <value> with <value>': [
    'Loading class com.shop.order.Order with com.shop.boot.Loader',
    'Loading class com.shop.cart.Cart with com.shop.boot.OtherLoader',
    'Loading class com.shop.user.User with com.shop.boot.ThirdLoader',
  ],
  'ask <address> to copy seg_<n>': [
    'ask 10.0.0.7:50 to copy seg_17',
    'ask 10.0.0.8:50 to copy seg_-19 seg_20 seg_21',
  ],
  'stored the answer (<n> used)': [
    'stored the answer (5.2 KB used)',
    'stored the answer (1 MB used)',
  ],
  'took <n> ms': ['took 426 ms', 'took 1190 ms (1.2 s)', 'took 71190 ms (1.2 min)'],
  'took <n> s (<n>)': ['took 1 s (1190 ms)', 'took 600 s (10 min)'],
  'the disk is nearly full': ['the disk is nearly full', 'the disk is nearly full (95%)'],
  'synchronized to <value>, stratum <n>': [
    'synchronized to 10.0.0.7, stratum 3',
    'synchronized to LOCAL(0), stratum 10',
    'synchronized to #3#, stratum 1',
  ],
  'cannot resolve <value>': [
    'cannot resolve node1 node2 node3',
    `cannot resolve ${Array.from({ length: 100 }, (_, index) => `n${index}`).join(' ')}`,
    `cannot resolve ${Array.from({ length: 100 }, (_, index) => `node_number_${index}`).join(' ')}`,
  ],
  'sent <n> bytes, read <n>': [
    'sent 0 bytes, read 1 byte',
    'sent 0 bytes, read 1165 bytes (1.13 KB)',
    'sent 4300 bytes (4.2 KB), read 12 bytes',
    'sent 4300 bytes (4.2 KB), read 1165 bytes (1.13 KB)',
  ],
  'asked <value> again twice': [
    'asked 10.0.0.7:9100 again twice',
    'asked printer:9100 again twice',
  ],
  'took:<n> of it': ['took:5 ms of it', 'took:12 s of it'],
  'sent to node <id> in <n> ms': ['sent to node 4711 in 7 ms', 'sent to node 3f2a9bc1 in 12 ms'],
  'the <value> worker has begun its work': [
    ...['mail', 'stock', 'price', 'tax', 'cart', 'login'].map(
      (name) => `the ${name} worker has begun its work`,
    ),
  ],
};

describe('Patterns of messages', () => {
  for (const [pattern, lines] of Object.entries(alike)) {
    it(`are one for lines that are alike: ${pattern}`, () => {
      assert.deepEqual([...new Set(patternIds(lines))], [pattern]);
    });
  }

  const different: readonly (readonly string[])[] = [
    ['started', 'stopped', 'paused', 'resumed', 'ready'],
    ['[job 7] started (event)', '[job 7] stopped (event)', '[job 7] paused (event)'],
    ['"GET /a HTTP/1.1" 200', '"POST /a HTTP/1.1" 200', '"DELETE /a HTTP/1.1" 200'],
    ['visible is true', 'visible is false'],
    ['sent 7 bytes to 10.0.0.7', 'sent 7 bytes to 10.0.0.7 again'],
    ['failed with a.b.TimeoutException', 'failed with a.b.DeadlockException'],
    ['cannot open cart 7', 'cannot close cart 7'],
    ['opened through a proxy HTTPS', 'opened through a proxy SOCKS5'],
    ['handles the action app.screen.TURNED_ON', 'handles the action app.screen.TURNED_OFF'],
    ['read(7) failed here', 'write(7) failed here'],
    ['the worker exited (7)', 'the worker exited'],
    ['the worker exited (7 ms late)', 'the worker exited'],
    ['memory limit: 64 MB', 'disk limit: 64 MB', 'cpu limit: 64'],
  ];
  for (const lines of different) {
    it(`are different for ${lines.join(' | ')}`, () => {
      assert.equal(new Set(patternIds(lines)).size, lines.length);
    });
  }

  it('tell names from states by how many there are and what they have in common', () => {
    const names = ['mail', 'stock', 'price', 'tax', 'cart'];
    const patternsOf = (count: number): number =>
      new Set(patternIds(names.slice(0, count).map((name) => `worker ${name} has begun its work`)))
        .size;
    assert.deepEqual([patternsOf(4), patternsOf(5)], [4, 1]);
  });
});

/** Parts of lines: words of the code, and values that vary. */
const values: readonly fc.Arbitrary<string>[] = [
  fc.nat(5000).map(String),
  fc.ipV4(),
  fc.uuid(),
  fc.constantFrom('ann', 'bob', 'eve', 'root', 'mail', 'backup', 'guest', 'u-17'),
  fc.constantFrom('true', 'false', '', 'null'),
  fc.constantFrom('a.b.c.One', 'a.b.c.Two', 'x.y.Three', 'node-7', 'node-12', '/var/log/a'),
  fc.tuple(fc.nat(99), fc.constantFrom('ms', 's', 'KB', 'MB')).map((both) => both.join(' ')),
  fc.constantFrom(
    '7 ms',
    '7 (1 s)',
    '7 KB (12%)',
    '10.0.0.7 (9)',
    '7 (x-2)',
    'printer:80',
    '7 [9]',
    'LOCAL(0)',
    '#3#',
    'full (95%)',
    'full (2 GB)',
    'full',
    'n1 n2 n3',
  ),
];
const codeLine = fc.array(
  fc.oneof(
    fc.constantFrom(
      'user',
      'for',
      'opened',
      'closed',
      'order',
      'from',
      'state=',
      'took (',
      ')',
      ',',
    ),
    fc.nat(values.length - 1),
  ),
  { minLength: 2, maxLength: 8 },
);
const logs = fc.array(codeLine, { minLength: 1, maxLength: 6 }).chain((code) =>
  fc.array(
    fc
      .constantFrom(...code)
      .chain((parts) =>
        fc
          .tuple(
            ...parts.map((part) =>
              typeof part === 'number' ? (values[part] ?? fc.constant('')) : fc.constant(part),
            ),
          )
          .map((words) => words.join(' ')),
      ),
    { minLength: 2, maxLength: 60 },
  ),
);
const runs = { numRuns: shortOrLong(100, 2000) };

/** The groups of lines that have the same pattern. */
function groupsOf(lines: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const groups = new Map<string, Set<string>>();
  for (const [index, id] of patternIds(lines).entries()) {
    const group = groups.get(id) ?? new Set<string>();
    groups.set(id, group.add(lines[index] ?? ''));
  }
  return groups;
}

describe('Patterns of any log', () => {
  it(`are the same in any order ${covers('F96', 'unit')}`, () => {
    const shuffled = logs.chain((lines) =>
      fc.tuple(
        fc.constant(lines),
        fc.shuffledSubarray([...lines.keys()], { minLength: lines.length }),
      ),
    );
    fc.assert(
      fc.property(shuffled, ([lines, order]) => {
        const ids = patternIds(lines);
        const others = patternIds(order.map((index) => lines[index] ?? ''));
        const expected = order.map((index) => ids[index] ?? '');
        assert.deepEqual(others, expected);
      }),
      runs,
    );
  });

  it(`are the same if lines come in pieces, or again ${covers('F96', 'unit')}`, () => {
    fc.assert(
      fc.property(logs, fc.nat(), (lines, at) => {
        const patterns = new Patterns();
        const some = lines.slice(at % lines.length);
        // The text is asked for in between.
        for (const line of some) assert.isString(patterns.add(line).text);
        const found = lines.map((line) => patterns.add(line));
        assert.deepEqual(
          found.map(({ text }) => text),
          patternIds(lines),
        );
      }),
      runs,
    );
  });

  it('never fall apart when more lines come', () => {
    fc.assert(
      fc.property(logs, fc.nat(), (lines, count) => {
        const after = new Map(lines.map((line, index) => [line, patternIds(lines)[index]]));
        for (const group of groupsOf(lines.slice(0, 1 + (count % lines.length))).values()) {
          assert.equal(new Set([...group].map((line) => after.get(line))).size, 1);
        }
      }),
      runs,
    );
  });

  it(`are found by what messages said before they became more general ${covers('F96', 'unit')}`, () => {
    fc.assert(
      fc.property(logs, (lines) => {
        const patterns = new Patterns();
        const found = lines.map((line) => {
          const pattern = patterns.add(line);
          return { pattern, before: pattern.key };
        });
        for (const { pattern, before } of found) {
          const lookup = new PatternLookup<string>();
          lookup.add(before, 'before');
          lookup.add(pattern.key, 'now');
          const isOpen = leavesTooMuchOpen(pattern.key) && pattern.key !== pattern.messageKey;
          if (!leavesTooMuchOpen(before)) assert.include(lookup.of(pattern.messageKey), 'before');
          if (!isOpen) assert.include(lookup.of(pattern.messageKey), 'now');
          if (!isOpen) assert.include(lookup.of(before), 'now');
        }
      }),
      runs,
    );
  });

  it('say when a text changed', () => {
    fc.assert(
      fc.property(logs, (lines) => {
        const patterns = new Patterns();
        const found: { readonly pattern: ReturnType<Patterns['add']>; text: string }[] = [];
        for (const line of lines) {
          const { changes } = patterns;
          const pattern = patterns.add(line);
          if (patterns.changes === changes) {
            for (const one of found) assert.equal(one.pattern.text, one.text);
          }
          found.push({ pattern, text: '' });
          for (const one of found) one.text = one.pattern.text;
        }
      }),
      runs,
    );
  });
});

/** The key of the pattern that messages which are alike have together. */
function keyOf(...lines: readonly string[]): string {
  const patterns = new Patterns();
  const [first] = lines.map((line) => patterns.add(line));
  return first?.key ?? '';
}

describe('The lookup of patterns', () => {
  const found = (a: string, b: string): boolean => {
    const lookup = new PatternLookup<number>();
    lookup.add(a, 1);
    return lookup.of(b).length === 1;
  };
  const noStock = keyOf('no stock for user milk', 'no stock for user eggs');

  it('finds what covers a message, not what a message covers', () => {
    assert.equal(noStock, '\t\tno\t \tstock\t \tfor\t \tuser\t \t<*>\t');
    assert.isTrue(found(noStock, keyOf('no stock for user bread')));
    assert.isTrue(found(noStock, noStock));
    assert.isFalse(found(keyOf('no stock for user bread'), noStock));
    assert.isTrue(found(keyOf('took 7'), keyOf('took 7', 'took 7 ms')));
  });

  it('finds no other pattern', () => {
    for (const [line, likeIt] of [
      [keyOf('no stock of milk'), keyOf('no stock of bread')],
      [noStock, keyOf('no stock of user milk')],
      [noStock, keyOf('no stock for user a b')],
      [keyOf('took 7 (a)'), keyOf('took 7 a')],
      [keyOf('reason= code=7'), keyOf('reason=fraud code=7')],
      ['no stock', keyOf('no stock')],
    ] as const) {
      assert.isFalse(found(line, likeIt), likeIt);
    }
  });

  it(`finds none by a message that looks like a pattern ${covers('F106', 'unit')}`, () => {
    const looks = ['<value> <value> <value>', '<> <> <>', '<*> <*> <*>', '\t<*>\t<*>\t', '\n\t<*>'];
    for (const one of [...looks, 'no stock for user <value>']) {
      for (const other of ['no stock left', 'no stock for user milk', 'a', '7 8 9']) {
        assert.isFalse(found(keyOf(one), keyOf(other)), `${one} and ${other}`);
        const ids = patternIds([one, other]);
        assert.equal(new Set(ids).size, 2, `${one} and ${other}`);
      }
    }
  });

  it(`finds none by a pattern that says less than it leaves open ${covers('F106', 'unit')}`, () => {
    const open = '\t\t<*>\t \t<*>\t \tfailed\t';
    assert.isTrue(leavesTooMuchOpen(open));
    assert.isFalse(leavesTooMuchOpen(noStock));
    assert.isFalse(found(open, keyOf('Payment provider failed')));
    assert.isTrue(found(open, open));
  });
});

describe('A message that is made to have the hash of another one', () => {
  const mail = 'Payment provider rejected the card: fraud suspected';

  it(`has a pattern of its own, whichever comes first ${covers('F106', 'unit')}`, () => {
    for (const evil of [
      'health check number 0 is fine \ub460\u48ef\u3d86',
      mail.replace('rejected', 'a\u5182\u75bd\u67b0'),
    ]) {
      for (const both of [
        [evil, mail],
        [mail, evil],
      ]) {
        const patterns = new Patterns();
        const [first, second] = both.map((line) => patterns.add(line));
        assert.notEqual(first?.key, second?.key);
        assert.equal(new Set(patternIds(both)).size, 2);
        assert.deepEqual(
          both.map((line) => patterns.add(line)),
          [first, second],
        );
      }
    }
  });

  it(`makes others no more alike than they are ${covers('F106', 'unit')}`, () => {
    const end = ['card', 'order', 'bank', 'price', 'cart'];
    const lines = end.map((word, index) =>
      `Payment provider rejected the ${word}`.replace(
        index < 2 ? 'rejected' : 'no word',
        'a\u5182\u75bd\u67b0',
      ),
    );
    assert.equal(new Set(patternIds(lines)).size, 5);
  });
});

describe('The key of a pattern', () => {
  it('has a part for each slot and what is between them, whatever the body', () => {
    fc.assert(
      fc.property(anyText(3000), (body) => {
        const { key, messageKey } = new Patterns().add(body);
        assert.equal(key, messageKey);
        assert.match(key, /^\t[^\t\r\n]*(?:\t(?:<>|[^\t\r\n]+)\t[^\t\r\n]*)*$/);
      }),
    );
  });
});

describe('searchTextOf', () => {
  const textOf = (template: string, body: string): string | undefined =>
    searchTextOf(template, sampleRecord({ body }));

  it('returns the longest part of the template that is in the body', () => {
    assert.equal(textOf('charged <n> EUR for order', 'charged 1 EUR for order'), 'EUR for order');
    assert.equal(textOf('GET /sale \\u{1b}[<n>J', 'GET /sale \u001b[32J'), 'GET /sale');
    assert.equal(textOf('a  b <n> said so', 'a\nb 1 said so'), 'said so');
  });

  it('returns nothing without such a part', () => {
    assert.isUndefined(textOf('<n> <id>', '1 2'));
    assert.isUndefined(textOf('{a, b}', '{"b":1,"a":2}'));
  });
});
