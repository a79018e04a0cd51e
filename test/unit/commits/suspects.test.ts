import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { mkdtemp, rm } from 'node:fs/promises';
import { assert } from 'chai';
import type { CommitChanges } from '../../../src/commits/changesOfFiles';
import { lineBefore, readPatch } from '../../../src/commits/patch';
import {
  functionAround,
  rankSuspects,
  type SuspectPlace,
  findSuspects,
  type SuspectQuestion,
} from '../../../src/commits/suspects';
import { createGitFolder } from '../../host/gitFolder';
import { covers } from '../covers';
import { GitCommandLine } from './gitCommandLine';

/** How a language writes a function. */
interface Language {
  readonly file: string;
  readonly open: (name: string) => string;
  readonly close?: string;
  readonly line: (name: string, value: string) => string;
  readonly guard: (name: string) => readonly string[];
  readonly note: (text: string) => string;
}

const languages: readonly Language[] = [
  {
    file: 'web/src/orders.ts',
    open: (name) => `export async function ${name}(order: Order): Promise<number> {`,
    close: '}',
    line: (name, value) => `  const ${name} = ${value};`,
    guard: (name) => [`  if (${name} === undefined) {`, '    return 0;', '  }'],
    note: (text) => `  // ${text}`,
  },
  {
    file: 'jobs/orders.py',
    open: (name) => `def ${name}(order):`,
    line: (name, value) => `    ${name} = ${value}`,
    guard: (name) => [`    if ${name} is None:`, '        return 0'],
    note: (text) => `    # ${text}`,
  },
  {
    file: 'stock/orders.go',
    open: (name) => `func (s *Stock) ${name}(order *Order) (int, error) {`,
    close: '}',
    line: (name, value) => `\t${name} := ${value}`,
    guard: (name) => [`\tif ${name} == nil {`, '\t\treturn 0, errMissing', '\t}'],
    note: (text) => `\t// ${text}`,
  },
  {
    file: 'src/main/java/com/example/Orders.java',
    open: (name) => `    public int ${name}(Order order) throws IOException {`,
    close: '    }',
    line: (name, value) => `        var ${name} = ${value};`,
    guard: (name) => [`        if (${name} == null) {`, '            return 0;', '        }'],
    note: (text) => `        // ${text}`,
  },
  {
    file: 'app/models/orders.rb',
    open: (name) => `  def ${name}(order)`,
    close: '  end',
    line: (name, value) => `    ${name} = ${value}`,
    guard: (name) => [`    return 0 if ${name}.nil?`],
    note: (text) => `    # ${text}`,
  },
];

/** A function: its lines are what stands between its declaration and its end. */
interface Func {
  readonly name: string;
  readonly body: string[];
}

type Files = Record<string, string>;

/** A history of one repository, whose last commit fails in production. */
interface History {
  readonly commits: readonly Files[];
  /** The index of the commit that broke it; undefined if none of them did. */
  readonly culprit: number | undefined;
  readonly message: string;
  /** The text of the lines of the stack, innermost first. */
  readonly frames: readonly string[];
  readonly file: string;
}

/** Numbers from 0 to below 1, the same for each seed. */
function randomOf(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const kinds = ['line', 'guard', 'function', 'caller', 'table'] as const;

function historyOf(seed: number): History {
  const random = randomOf(seed);
  const upTo = (count: number): number => Math.floor(random() * count);
  const language = languages[seed % languages.length];
  assert(language);
  const kind = kinds[Math.floor(seed / languages.length) % kinds.length];
  const { line, note } = language;
  const functions = ['load', 'price', 'total', 'apply', 'check', 'notify'].map(
    (name, at): Func => ({
      name: `${name}Order`,
      body: Array.from({ length: 9 + at }, (_, index) => line(`${name}${index}`, `${index} + at`)),
    }),
  );
  const [load, price, total, , check] = functions;
  assert(load && price && total && check);
  const failing = line('discount', 'campaign.percent * order.sum');
  price.body.splice(6, 0, ...language.guard('campaign'), failing);
  price.body.splice(1, 0, line('campaign', 'campaigns.find(order.code)'));
  const calling = line('rest', 'priceOrder(order)');
  total.body.splice(4, 0, calling);
  const tables = ['sizes', 'percentByCode', 'colors'].map((name) => line(name, 'table(1, 2, 3)'));
  const others: Files = { 'README.md': 'Orders\n', [`${language.file}.md`]: 'Notes\n' };

  const render = (): Files => {
    const text = functions.flatMap(({ name, body }) => [
      ...[language.open(name), ...body],
      ...(language.close === undefined ? [] : [language.close]),
      '',
    ]);
    return { ...others, [language.file]: [...tables, '', ...text, ''].join('\n') };
  };
  const change = (lines: string[], before: string, after: readonly string[]): void => {
    lines.splice(lines.indexOf(before), 1, ...after);
  };

  /** What people do all day. */
  const harmless = (at: number): void => {
    const other = functions[[0, 3, 4, 5][upTo(4)] ?? 0] ?? load;
    switch (upTo(5)) {
      case 0:
        others[`docs/${at}.md`] = `${at}\n`;
        break;
      case 1:
        tables.unshift(note(`licence ${at}`));
        break;
      case 2:
        other.body[upTo(other.body.length)] = line(`changed${at}`, `${at}`);
        break;
      case 3:
        other.body.splice(upTo(other.body.length), 0, line(`added${at}`, `${at}`));
        break;
      default:
        // In the function of the failure, at its end.
        price.body.push(note(`see ${at}`));
    }
  };
  const harm: Record<(typeof kinds)[number], () => void> = {
    line: () => change(price.body, failing, [line('discount', 'campaign.percent * order.total')]),
    guard: () => {
      const from = price.body.indexOf(language.guard('campaign')[0] ?? '');
      price.body.splice(from, language.guard('campaign').length);
    },
    function: () =>
      change(price.body, line('campaign', 'campaigns.find(order.code)'), [
        line('campaign', 'campaigns.findActive(order.code)'),
      ]),
    caller: () => change(total.body, calling, [line('rest', 'priceOrder(order.parent)')]),
    table: () =>
      change(tables, line('percentByCode', 'table(1, 2, 3)'), [line('percentByCode', 'table(1)')]),
  };
  const count = 6 + upTo(14);
  const at = upTo(count);
  const commits = [render()];
  for (let index = 0; index < count; index++) {
    if (index === at) harm[kind ?? 'line']();
    else harmless(index);
    commits.push(render());
  }
  const lineOf = (start: string, body: readonly string[]): string =>
    body.find((one) => one.includes(start)) ?? '';
  return {
    commits,
    culprit: at,
    message: "Cannot read 'percent' of undefined (percentByCode)",
    frames: [lineOf('discount ', price.body), lineOf('rest ', total.body)],
    file: language.file,
  };
}

/** Makes the commits of all histories, each on a branch of its own, with one run of Git. */
function importAll(folder: string, histories: readonly History[]): void {
  const git = (...args: string[]): Buffer => execFileSync('git', args, { cwd: folder });
  git('init', '-q');
  const parts: string[] = [];
  const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
  histories.forEach(({ commits }, branch) => {
    commits.forEach((files, at) => {
      parts.push(`commit refs/heads/h${branch}\n`);
      parts.push(`committer Dev <dev@example.com> ${1_760_000_000 + at * 60} +0000\n`);
      parts.push(data(`change ${at}`), at === 0 ? '' : 'deleteall\n');
      for (const [name, text] of Object.entries(files)) {
        parts.push(`M 644 inline ${name}\n${data(text)}`);
      }
    });
  });
  execFileSync('git', ['fast-import', '--quiet'], { cwd: folder, input: parts.join('') });
}

/** The commits after the first, newest first, with the patch of each file. */
function changesOf(folder: string, branch: number): CommitChanges[] {
  const log = execFileSync('git', ['log', '-p', '--format=%x00%H', `h${branch}`], {
    cwd: folder,
    encoding: 'utf8',
  });
  return log
    .split('\0')
    .slice(1, -1)
    .map((commit) => {
      const [sha = '', ...rest] = commit.split('\n');
      const files = rest.join('\n').split(/^diff --git a\//m);
      return {
        sha,
        patches: new Map(files.slice(1).map((one) => [one.slice(0, one.indexOf(' b/')), one])),
      };
    });
}

describe('A suspected commit', () => {
  let folder: string;
  const histories = Array.from({ length: 50 }, (_, seed) => historyOf(seed));
  before(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'suspects-'));
    importAll(folder, histories);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const placesOf = ({ commits, frames, file }: History): SuspectPlace[] => {
    const text = (commits.at(-1)?.[file] ?? '').split('\n');
    return frames.map((frame) => ({ path: file, line: text.indexOf(frame) + 1, text }));
  };

  it('is the planted one, first in four of five histories and among three in nearly all', () => {
    const ranks = histories.map((history, branch) => {
      const changes = changesOf(folder, branch);
      const { culprit = 0, message, commits } = history;
      const sha = changes[commits.length - 2 - culprit]?.sha;
      return rankSuspects(placesOf(history), message, changes).findIndex((one) => one.sha === sha);
    });
    const within = (most: number): number =>
      ranks.filter((rank) => rank >= 0 && rank < most).length / ranks.length;
    assert.isAtLeast(within(1), 0.8, ranks.join(' '));
    assert.isAtLeast(within(3), 0.95, ranks.join(' '));
  });

  it('is nobody if no commit touches the stack, or there are none', () => {
    for (const [branch, history] of histories.entries()) {
      assert.isEmpty(rankSuspects(placesOf(history), history.message, []));
      const elsewhere = changesOf(folder, branch).map(({ sha, patches }) => ({
        sha,
        patches: new Map([...patches].filter(([file]) => file !== history.file)),
      }));
      assert.isEmpty(rankSuspects(placesOf(history), history.message, elsewhere));
    }
  });

  it('is likelier at several frames than at one', () => {
    const hunk = (line: number, text: string): string =>
      `@@ -${line},1 +${line},1 @@\n-${text} before\n+${text}\n`;
    const place = (file: string): SuspectPlace => ({ path: file, line: 1, text: [] });
    const both = {
      sha: 'both',
      patches: new Map([
        ['inner', hunk(50, 'orderSum')],
        ['outer', hunk(1, 'x')],
      ]),
    };
    const one = { sha: 'one', patches: new Map([['outer', hunk(1, 'y')]]) };
    const ranked = rankSuspects([place('inner'), place('outer')], 'orderSum is gone', [one, both]);
    assert.deepEqual(
      ranked.map(({ sha, reason }) => [sha, reason]),
      [
        ['both', 'line'],
        ['one', 'line'],
      ],
    );
  });

  it(`is none that changed only white space of the line ${covers('F104', 'unit')}`, () => {
    const line = 'return items.reduce((sum, item) => sum + item.price, 0);';
    const text = ['export function total(items) {', `  ${line}`, '}'];
    const indent = `@@ -1,3 +1,3 @@\n ${text[0]}\n-\t${line}\n+  ${line}\n }\n`;
    const message = "Cannot read properties of undefined (reading 'price')";
    const commits = [{ sha: 'indent', patches: new Map([['a.ts', indent]]) }];
    assert.isEmpty(rankSuspects([{ path: 'a.ts', line: 2, text }], message, commits));
  });

  it('has changed the function around a line, whose lines are found by their indentation', () => {
    const text = ['class Orders {', '  price(order) {', '    if (order) {', '      fail();'];
    const rest = ['    }', '    return 1;', '  }', '  other() {', '    fail();', '  }', '}'];
    assert.deepEqual(functionAround([...text, ...rest], 4), [2, 7]);
    assert.deepEqual(functionAround(['fail()'], 1), [1, 1]);
    assert.deepEqual(functionAround([], 9), [9, 9]);
  });
});

describe('The search for the commit behind an error', () => {
  let folder: string;
  let reader: GitCommandLine;
  const commits: string[] = [];
  const code = (value: string): string =>
    ['function price(order) {', `  return ${value};`, '}', ''].join('\n');

  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'suspect-'));
    const repository = await createGitFolder(folder);
    reader = new GitCommandLine(repository);
    commits.push(await repository.commit('price.js', code('order.sum'), 'Start'));
    commits.push(await repository.commit('README.md', 'Orders\n', 'Say what it is'));
    commits.push(await repository.commit('price.js', code('order.total.sum'), 'Count all'));
    commits.push(await repository.commit('README.md', 'All orders\n', 'Say more'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const find = (
    from: number,
    to: number,
    file = 'price.js',
    signal = new AbortController().signal,
  ) => {
    const question: SuspectQuestion = {
      before: commits[from] ?? '',
      now: commits[to] ?? '',
      message: "Cannot read properties of undefined (reading 'sum')",
      places: [{ file, line: 2 }],
    };
    return findSuspects(reader, question, signal);
  };

  it('finds the one that changed the line, with author and time', async () => {
    const [suspect, ...others] = (await find(0, 3))?.commits ?? [];
    assert.isEmpty(others);
    assert.deepInclude(suspect, { reason: 'line', file: 'price.js' });
    const { sha, title, author } = suspect?.commit ?? {};
    assert.deepEqual([sha, title, author], [commits[2], 'Count all', 'A Person']);
  });

  it('finds none if no commit touches the stack, and after a rollback', async () => {
    const none = { commits: [], tooLarge: [] };
    assert.deepEqual(await find(2, 3), none);
    assert.deepEqual(await find(3, 0), none);
    assert.deepEqual(await find(0, 3, 'other.js'), none);
  });

  it('does not know without the commits, and ends with its row', async () => {
    commits.push('0123456789abcdef0123456789abcdef01234567');
    assert.isUndefined(await find(0, 4));
    const signal = AbortSignal.abort(new Error('gone'));
    const error = await find(0, 3, 'price.js', signal).catch((reason: unknown) => reason);
    assert.propertyVal(error, 'message', 'gone');
  });
});

const patch = [
  'diff --git a/a.ts b/a.ts',
  '--- a/a.ts',
  '+++ b/a.ts',
  '@@ -1,4 +1,5 @@',
  ' one',
  '-two',
  '+2',
  '+2b',
  ' three',
  ' four',
  '@@ -10,2 +10,0 @@ function rest() {',
  '-ten',
  '--- eleven',
  '@@ -20,0 +20 @@',
  '+twenty',
  '\\ No newline at end of file',
].join('\n');

describe('A patch', () => {
  it('has its changes, each with the lines of both sides', () => {
    assert.deepEqual(readPatch(patch), [
      { oldLine: 2, removed: 1, newLine: 2, added: ['2', '2b'] },
      { oldLine: 10, removed: 2, newLine: 11, added: [] },
      { oldLine: 21, removed: 0, newLine: 20, added: ['twenty'] },
    ]);
    assert.isEmpty(readPatch(''));
    assert.isEmpty(readPatch('Binary files a/a.png and b/a.png differ'));
  });

  it('has no lines that differ only in white space, and says which are blank', () => {
    const mixed = [
      '@@ -1,5 +1,6 @@',
      '-  one',
      '-  two',
      '-  three',
      '+\tone\r',
      '+\t2',
      '+',
      '+\tthree',
      ' four',
      '+',
      ' five',
    ].join('\n');
    assert.deepEqual(readPatch(mixed), [
      { oldLine: 2, removed: 1, newLine: 2, added: ['\t2', ''] },
      { oldLine: 5, removed: 0, newLine: 6, added: [''], isBlank: true },
    ]);
    const changes = readPatch(mixed);
    assert.deepEqual(
      [1, 2, 4, 5, 7].map((line) => lineBefore(changes, line)),
      [1, 2, 3, 4, 5],
    );
    const noBreakSpace = '@@ -1 +1 @@\n-a = 1\n+a\u00a0= 1';
    assert.lengthOf(readPatch(noBreakSpace), 1, 'it is no white space for a compiler');
  });

  it('tells where a line stood before', () => {
    const changes = readPatch(patch);
    const before = [1, 2, 3, 4, 10, 11, 19, 20, 21].map((line) => lineBefore(changes, line));
    assert.deepEqual(before, [1, 2, 2, 3, 9, 12, 20, 21, 21]);
  });
});
