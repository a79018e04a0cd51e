import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { assert } from 'chai';
import fc from 'fast-check';
import { findFrames, findTraceIds } from '../../../../src/logs/record/stackFrames';
import { candidatesIn, pathMappings } from '../../../../src/logs/record/pathMapping';
import settings from '../../../control-plane/demo-workspace/.vscode/settings.json';
import { crashes } from '../../../control-plane/crashes';
import { demoFolder } from '../../../control-plane/releases';
import { createStackTraces } from '../../../control-plane/stackTraces';
import { covers } from '../../covers';
import { shortOrLong } from '../../long';
import { anyText } from '../anyText';

/** A frame as short text: path, line, column, kind; before it what the link covers, if that is not `path:line:column`. */
function framesOf(text: string): string[] {
  return findFrames(text).map(({ start, end, path, line, column, language }) => {
    const place = [path, line, ...(column === undefined ? [] : [column])];
    const covered = text.slice(start, end);
    return [
      ...(covered === place.join(':') ? [] : [covered]),
      ...place,
      language?.name ?? 'generic',
    ].join(' ');
  });
}

function assertFrames(cases: Record<string, string[]>): void {
  for (const [text, expected] of Object.entries(cases)) {
    assert.deepEqual(framesOf(text), expected, text);
  }
}

describe('The frames of a line that is made of nothing else', () => {
  it(`are as many as are asked for, the first ones ${covers('F76', 'unit')}`, () => {
    const line = 'at f (/app/src/a.ts:1:2) '.repeat(529);
    assert.lengthOf(findFrames(line), 529);
    assert.deepEqual(findFrames(line, 20), findFrames(line).slice(0, 20));
  });
});

describe('frames', () => {
  it('finds a path of any length by its last 1,024 characters, which name the file', () => {
    const long = `/a/${'x/'.repeat(600)}f.ts`;
    const paths = (text: string): string[] => findFrames(text).map(({ path: found }) => found);
    assert.deepEqual(paths(`at f (${long}:1:2)`), [long.slice(-1024)]);
    assert.deepEqual(paths(`at f (${long.slice(-1024)}:1:2)`), [long.slice(-1024)]);
  });

  it('finds JavaScript and TypeScript', () => {
    assertFrames({
      '    at handle (/app/src/server.ts:42:13)': ['/app/src/server.ts 42 13 javascript'],
      '    at async Promise.all (index 0)': [],
      '    at /app/src/server.mjs:1:2': ['/app/src/server.mjs 1 2 javascript'],
      '    at new Server (/srv/my app/src/a.js:7:1)': ['/srv/my app/src/a.js 7 1 javascript'],
      '    at page (/app/app/[id]/(group)/page.tsx:3:9)': [
        '/app/app/[id]/(group)/page.tsx 3 9 javascript',
      ],
      'at file:///app/my%20src/x.js:10:5': [
        'file:///app/my%20src/x.js:10:5 /app/my src/x.js 10 5 javascript',
      ],
      'at f (file:///C:/app/x.js:10:5)': ['file:///C:/app/x.js:10:5 C:/app/x.js 10 5 javascript'],
      'at file:///app/%zz.js:10:5': ['file:///app/%zz.js:10:5 /app/%zz.js 10 5 javascript'],
      'at f (C:\\app\\src\\x.ts:10:5)': ['C:\\app\\src\\x.ts 10 5 javascript'],
      'at f (webpack:///./src/x.ts:1:2)': ['webpack:///./src/x.ts:1:2 src/x.ts 1 2 javascript'],
      'at f (webpack-internal:///(rsc)/./src/x.ts:1:2)': [
        'webpack-internal:///(rsc)/./src/x.ts:1:2 src/x.ts 1 2 javascript',
      ],
      'at f (webpack://shop/./src/x.ts?ab12:1:2)': [
        'webpack://shop/./src/x.ts?ab12:1:2 src/x.ts 1 2 javascript',
      ],
      'at f (turbopack:///[project]/src/x.ts:1:2)': [
        'turbopack:///[project]/src/x.ts:1:2 src/x.ts 1 2 javascript',
      ],
      'at f (https://cdn.example.org/assets/x.js:1:2)': [
        'https://cdn.example.org/assets/x.js:1:2 /assets/x.js 1 2 javascript',
      ],
      'run@/app/x.js:1:2': ['/app/x.js 1 2 javascript'],
      'at f (/app/node_modules/@scope/a/x.js:1:2)': [
        '/app/node_modules/@scope/a/x.js 1 2 javascript',
      ],
      'at node:internal/process/task_queues:95:5': [],
      'at eval (eval at run (/app/x.js:1:7), <anonymous>:1:1)': ['/app/x.js 1 7 javascript'],
    });
  });

  it('finds Python', () => {
    assertFrames({
      '  File "/app/my shop/views.py", line 12, in get': [
        '/app/my shop/views.py", line 12 /app/my shop/views.py 12 python',
      ],
      '  File "<stdin>", line 1, in <module>': [],
      '"x.py", line 3': ['x.py", line 3 x.py 3 python'],
      '  File "/app/bin/run", line 3, in f': ['/app/bin/run", line 3 /app/bin/run 3 generic'],
      'x", line 3': [],
      '  File "", line 3': [],
      'tests/test_a.py:7: AssertionError': ['tests/test_a.py 7 python'],
    });
  });

  it('finds Java with the package as the folder', () => {
    assertFrames({
      '\tat com.example.web.Server.run(Server.java:12)': [
        'Server.java:12 com/example/web/Server.java 12 java',
      ],
      '\tat app//com.example.Main.main(Main.kt:3) ~[app.jar:?]': [
        'Main.kt:3 com/example/Main.kt 3 java',
      ],
      '\tat java.base/java.util.Optional$1.get(Optional.java:143)': [
        'Optional.java:143 java/util/Optional.java 143 java',
      ],
      '\tat Main.main(Main.java:3)': ['Main.java 3 java'],
      '(Main.java:3)': ['Main.java 3 java'],
      'at 1x.a.B.c(Main.java:3)': ['Main.java 3 java'],
      'src/main/java/Main.java:3: error': ['src/main/java/Main.java 3 java'],
      '\tat x.Y.z(Native Method)': [],
    });
  });

  it('finds PHP', () => {
    assertFrames({
      '#0 /app/src/Cart.php(17): App\\Cart->total(12)': [
        '/app/src/Cart.php(17) /app/src/Cart.php 17 php',
      ],
      '#1 /srv/my shop/Cart.php(4): total()': [
        '/srv/my shop/Cart.php(4) /srv/my shop/Cart.php 4 php',
      ],
      'PHP Warning:  no cart in /app/src/Cart.php on line 16': [
        '/app/src/Cart.php on line 16 /app/src/Cart.php 16 php',
      ],
      'RuntimeException: no cart in /srv/my shop/Cart.php:42': ['/srv/my shop/Cart.php 42 php'],
      '#2 [internal function]: App\\{closure}(3)': [],
      '#3 {main}': [],
    });
  });

  it('finds C# in the languages of .NET', () => {
    const path = 'C:\\src\\my shop\\Cart.cs';
    for (const [before, line] of [
      ['   at A.B(C d) in ', ':line 7'],
      ['   bei A.B(C d) in ', ':Zeile 7.'],
      ['   à A.B(C d) dans ', ':ligne 7'],
      ['   en A.B(C d) en ', ':línea 7'],
      ['   in A.B(C d) in ', ':riga 7'],
      ['   в A.B(C d) в ', ':строка 7'],
      ['   в A.B(C d) в ', ':строка 7'],
      ['   場所 A.B(C d) 場所 ', ':行 7'],
      ['   在 A.B(C d) 位置 ', ':行号 7'],
      ['   於 A.B(C d) 於 ', ': 行 7'],
      ['   위치: A.B(C d) 파일 ', ':줄 7'],
      ['   w A.B(C d) w ', ':wiersz 7'],
      ['   v A.B(C d) v ', ':řádek 7'],
      ['   em A.B(C d) na ', ':linha 7'],
      ['   konum: A.B(C d) ', ' içinde: satır 7'],
    ]) {
      const found = findFrames(`${before ?? ''}${path}${line ?? ''}`);
      assert.deepEqual(
        found.map((one) => [one.path, one.line]),
        [[path, 7]],
        line,
      );
    }
  });

  it('finds lines and columns in words and in parentheses', () => {
    assertFrames({
      "bad value in 'conf/app.yaml', line 3, column 14:": [
        "conf/app.yaml', line 3, column 14 conf/app.yaml 3 14 generic",
      ],
      'in "/etc/my app/app.toml", line 3, col 2': [
        '/etc/my app/app.toml", line 3, col 2 /etc/my app/app.toml 3 2 generic',
      ],
      'died at jobs/run.pl line 9.': ['jobs/run.pl line 9 jobs/run.pl 9 generic'],
      'src/Cart.cs(12,34): error CS1002': ['src/Cart.cs(12,34) src/Cart.cs 12 34 csharp'],
      'src/cart.ts(12): no': ['src/cart.ts(12) src/cart.ts 12 javascript'],
      'cart.total(12), at host.example (3), v1.2 (4), a.ts(1': [],
      'in the first line 3 of online 4': [],
    });
  });

  it('finds paths with spaces where their languages have paths', () => {
    assertFrames({
      '    at /srv/my app/a.js:1:2': ['/srv/my app/a.js 1 2 javascript'],
      '    at async /srv/my app/a.js:1:2': ['/srv/my app/a.js 1 2 javascript'],
      '\t/srv/my app/main.go:12 +0x1d': ['/srv/my app/main.go 12 go'],
      "/srv/my app/a.rb:12:in 'run'": ['/srv/my app/a.rb 12 ruby'],
      '             at /srv/my app/main.rs:12:5': ['/srv/my app/main.rs 12 5 rust'],
      'cannot read "C:\\my app\\a.ts:3:4"': ['C:\\my app\\a.ts 3 4 javascript'],
      'GET /cart failed in src/cart.ts:3': ['src/cart.ts 3 javascript'],
    });
  });

  it('finds Go, Ruby, C# and Rust', () => {
    assertFrames({
      '\t/app/cmd/main.go:12 +0x1d': ['/app/cmd/main.go 12 go'],
      "\tfrom /app/lib/a.rb:12:in 'run'": ['/app/lib/a.rb 12 ruby'],
      '   at Shop.Cart.Add() in /src/my shop/Cart.cs:line 42': [
        '/src/my shop/Cart.cs:line 42 /src/my shop/Cart.cs 42 csharp',
      ],
      '   at Shop in C:\\src\\Cart.cs:line 42': [
        'C:\\src\\Cart.cs:line 42 C:\\src\\Cart.cs 42 csharp',
      ],
      'error:line 3': [],
      'found in :line 3': [],
      '             at ./src/main.rs:12:5': ['./src/main.rs 12 5 rust'],
      "thread 'main' panicked at src/main.rs:4:9:": ['src/main.rs 4 9 rust'],
      "thread 'main' panicked at 'no', src/main.rs:4:9": ['src/main.rs 4 9 rust'],
    });
  });

  it('finds other positions, and no hosts, times or versions', () => {
    assertFrames({
      'lib/a.weird:3:1 and config.yaml:7': ['lib/a.weird 3 1 generic', 'config.yaml 7 generic'],
      'a.weird:3:1': ['a.weird 3 1 generic'],
      'see [src/a.c:3] (src/b.c:4) {"at":"src/c.c:5"} x=src/d.c:6,src/e.c:7 error:src/f.c:8': [
        'src/a.c 3 generic',
        'src/b.c 4 generic',
        'src/c.c 5 generic',
        'src/d.c 6 generic',
        'src/e.c 7 generic',
        'src/f.c 8 generic',
      ],
      'read (the file src/a.c:3)': ['src/a.c 3 generic'],
      'GET http://localhost:3000/src/app.ts:12:5': ['/src/app.ts 12 5 javascript'],
      'listening on 10.0.0.1:8080, example.com:443, http://example.com:80/, [::1]:80': [],
      '2026-11-20 12:00:00.123 [info] [web-api] took 1:30': [],
      'a.ts:0:0 :12:5 .ts:': [],
      'a.ts:12:0': ['a.ts:12:0 a.ts 12 javascript'],
      'a.ts:12345678': [],
    });
  });

  it('finds frames that lie one after the other in any text', () => {
    const piece = fc.oneof(
      fc.constantFrom(':12', ':3:4', '.ts', '.java', 'at ', '(', ')', '[', ']', 'file://'),
      fc.constantFrom('C:\\', '@/', '?'),
      fc.constantFrom('File "', '", line 3', ' in ', ':line 4', 'a.b.', '/', ' ', '%', 'x'),
      fc.constantFrom('.php', '(17)', '(1,2)', ' on line 5', ', column 6', ':Zeile 7', '#0 '),
      anyText(3),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join('');
        let last = 0;
        for (const { start, end, path, line, column } of findFrames(text)) {
          assert.isTrue(last <= start && start < end && end <= text.length, text);
          assert.isTrue(path !== '' && line > 0 && (column === undefined || column > 0), text);
          last = end;
        }
      }),
      { numRuns: shortOrLong(200, 1000) },
    );
  });

  it('finds trace ids', () => {
    const id = '4bf92f3577b34da6a3ce929d0e0e4736';
    const text = `trace=${id} traceparent: 00-${id}-00f067aa0ba902b7-01`;
    assert.deepEqual(findTraceIds(text), [
      { start: 6, end: 38, traceId: id },
      { start: 55, end: 87, traceId: id },
    ]);
    assert.deepEqual(findTraceIds(`${'0'.repeat(32)} ${id}0 x${id}`), []);
    assert.deepEqual(
      findTraceIds(`${id.toUpperCase()} Root=1-4bf92f35-77b34da6a3ce929d0e0e4736;`),
      [
        { start: 0, end: 32, traceId: id },
        { start: 38, end: 73, traceId: id },
      ],
    );
  });
});

const folder = { name: 'shop', mappings: pathMappings(settings['controlPlane.logs.pathMappings']) };

/** The file of the demo workspace that a path of a frame stands for, as the workspace finds it. */
function fileOf(framePath: string): string | undefined {
  return candidatesIn(framePath, [folder])
    .map((candidate) => candidate.path)
    .find((candidate) =>
      statSync(path.join(demoFolder, candidate), { throwIfNoEntry: false })?.isFile(),
    );
}

describe('a stack trace', () => {
  const traces = createStackTraces();
  for (const [index, { workload, language, frames }] of crashes.entries()) {
    it(`of ${language} in ${workload} leads to its lines in the workspace, and nowhere else`, () => {
      const found = (traces[index]?.body ?? '').split('\n').flatMap((text) =>
        findFrames(text).flatMap((frame) => {
          const file = fileOf(frame.path);
          if (file === undefined) return [];
          const lines = readFileSync(path.join(demoFolder, file), 'utf8').split('\n');
          return [`${file}: ${lines[frame.line - 1] ?? ''}`];
        }),
      );
      const leadsTo = (line: string, { file, at }: (typeof frames)[number]): boolean =>
        line.startsWith(`${file}: `) && line.includes(at.trim());
      for (const line of found) {
        assert.isTrue(
          frames.some((frame) => leadsTo(line, frame)),
          `leads to ${line}`,
        );
      }
      for (const frame of frames) {
        assert.isTrue(
          found.some((line) => leadsTo(line, frame)),
          `${frame.file}: ${frame.at}`,
        );
      }
    });
  }
});
