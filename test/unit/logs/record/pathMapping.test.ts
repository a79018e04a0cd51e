import { assert } from 'chai';
import fc from 'fast-check';
import {
  candidatesIn,
  firstFile,
  foldersOf,
  longestUniqueEnd,
  pathMappings,
  searchName,
} from '../../../../src/logs/record/pathMapping';
import { covers } from '../../covers';
import { shortOrLong } from '../../long';

/** In a workspace of one folder. */
function candidatePaths(path: string, mappings: Readonly<Record<string, string>> = {}): string[] {
  return candidatesIn(path, [{ name: '', mappings: pathMappings(mappings) }]).map(
    (candidate) => candidate.path,
  );
}

describe('path mapping', () => {
  it('takes relative paths as they are', () => {
    assert.deepEqual(candidatePaths('src/server.ts'), ['src/server.ts']);
    assert.deepEqual(candidatePaths('./src/server.ts'), ['src/server.ts']);
    assert.deepEqual(candidatePaths('src\\lib\\..\\server.ts'), ['src/server.ts']);
  });

  it('tries the ends of an absolute path, the longest first', () => {
    const ends = ['app/src/server.ts', 'src/server.ts', 'server.ts'];
    assert.deepEqual(candidatePaths('/app/src/server.ts'), ends);
    assert.deepEqual(candidatePaths('C:\\app\\src\\server.ts'), ends);
    assert.deepEqual(candidatePaths('/app/build/../src//./server.ts'), ends);
    const deep = candidatePaths(`/${'d/'.repeat(300)}server.ts`);
    assert.lengthOf(deep, 12);
    assert.strictEqual(deep.at(-1), 'server.ts');
  });

  it('puts the longest mapped prefix first', () => {
    const mappings = {
      '/app': 'services/web',
      '/app/lib/': '',
      'C:\\build': '${workspaceFolder}/out',
    };
    assert.deepEqual(candidatePaths('/app/src/a.ts', mappings), [
      'services/web/src/a.ts',
      'app/src/a.ts',
      'src/a.ts',
      'a.ts',
    ]);
    assert.strictEqual(candidatePaths('/app/lib/a.ts', mappings)[0], 'a.ts');
    assert.strictEqual(candidatePaths('/application/a.ts', mappings)[0], 'application/a.ts');
    assert.strictEqual(candidatePaths('c:\\build\\a.ts', mappings)[0], 'out/a.ts');
    assert.deepEqual(candidatePaths('app/a.ts', mappings), ['app/a.ts']);
    assert.deepEqual(candidatePaths('com/a/B.py', { 'com/a': 'python' }), [
      'python/B.py',
      'com/a/B.py',
    ]);
    assert.strictEqual(candidatePaths('/x/a.ts', { '/': 'all' })[0], 'all/x/a.ts');
  });

  it('counts only mappings that a frame can have, the first 1,000', () => {
    const many = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [`/srv/${index}`, `src/${index}`]),
    );
    const mappings = pathMappings({ '/n': 1, '/o': {}, [`/${'x'.repeat(1024)}`]: 'long', ...many });
    assert.equal(mappings.size, 1000);
    const first = (path: string) => candidatesIn(path, [{ name: '', mappings }])[0]?.path;
    assert.equal(first('/srv/999/a.ts'), 'src/999/a.ts');
    assert.equal(first('/srv/1000/a.ts'), 'srv/1000/a.ts');
    assert.equal(first('/n/a.ts'), 'n/a.ts');
  });

  it('looks up the starts of a path, however many mappings there are', () => {
    // Counted: time depends on the machine.
    let looks = 0;
    class Counted extends Map<string, string> {
      override get(key: string): string | undefined {
        looks++;
        return super.get(key);
      }
    }
    const mappings = new Counted(pathMappings({ '/app': 'src', '/srv': 'lib' }));
    candidatesIn('/app/a/b/c.ts', [{ name: '', mappings }]);
    assert.equal(looks, 4);
  });

  it('takes the first of two mappings of the same folder', () => {
    assert.equal(candidatePaths('/app/a.ts', { '/app': 'one', '/app/': 'two' })[0], 'one/a.ts');
  });

  it('looks for packages where builds keep them', () => {
    assert.deepEqual(candidatePaths('com/example/Main.kt'), [
      'com/example/Main.kt',
      'src/main/kotlin/com/example/Main.kt',
      'src/test/kotlin/com/example/Main.kt',
      'src/com/example/Main.kt',
    ]);
  });

  it('takes no file of ours for one of a dependency or of the runtime', () => {
    assert.deepEqual(candidatePaths('/app/node_modules/express/lib/index.js'), [
      'app/node_modules/express/lib/index.js',
      'node_modules/express/lib/index.js',
    ]);
    assert.deepEqual(candidatePaths('/usr/local/go/src/net/http/server.go'), []);
    assert.deepEqual(candidatePaths('/rustc/abc/library/core/src/panicking.rs'), []);
    assert.include(candidatePaths('/usr/src/app/server.js'), 'server.js');
    assert.deepEqual(candidatePaths('/rustc/a/b.rs', { '/rustc': 'rust' }), ['rust/a/b.rs']);
  });

  describe('in several folders', () => {
    const shown = (path: string, ...folders: [name: string, mappings?: Record<string, string>][]) =>
      candidatesIn(
        path,
        folders.map(([name, mappings = {}]) => ({ name, mappings: pathMappings(mappings) })),
      ).map((candidate) => `${folders[candidate.folder]![0]}: ${candidate.path}`);

    it('puts what one of them maps before what another might have', () => {
      const found = shown('/srv/b/x.ts', ['one'], ['two', { '/srv': '' }], ['b', { '/srv/b': '' }]);
      assert.deepEqual(found.slice(0, 4), [
        'b: x.ts',
        'two: b/x.ts',
        'one: srv/b/x.ts',
        'two: srv/b/x.ts',
      ]);
      assert.lengthOf(new Set(found), found.length);
    });

    it('puts the one that the path names first, of those with the same file', () => {
      assert.deepEqual(shown('/app/api/x.ts', ['web'], ['api']).slice(-4), [
        'web: api/x.ts',
        'api: api/x.ts',
        'api: x.ts',
        'web: x.ts',
      ]);
    });

    it('is empty if there is no folder', () => {
      assert.deepEqual(candidatesIn('/app/x.ts', []), []);
    });
  });

  it('puts a renamed file behind its former path, in its folder', () => {
    const renamed = new Map([
      ['src/old/name.js', 'src/new/name.js'],
      ['web/src/a.js', 'web/lib/a.js'],
    ]);
    const folders = [
      { name: 'one', mappings: pathMappings({ '/srv': 'src/old' }), renamed },
      { name: 'two', mappings: pathMappings({}) },
    ];
    const paths = (path: string, ...own: string[]): string[] =>
      candidatesIn(path, folders, own).flatMap((one) => (one.folder === 0 ? one.path : []));
    assert.deepEqual(paths('/app/src/old/name.js'), [
      'app/src/old/name.js',
      'src/old/name.js',
      'src/new/name.js',
      'old/name.js',
      'name.js',
    ]);
    assert.deepEqual(paths('/srv/name.js').slice(0, 2), ['src/old/name.js', 'src/new/name.js']);
    assert.include(paths('/app/src/a.js', 'web'), 'web/lib/a.js');
    assert.notInclude(
      candidatesIn('/app/src/old/name.js', folders).map(({ folder, path }) => `${folder} ${path}`),
      '1 src/new/name.js',
    );
  });

  it("puts files in the workload's own folders before others with the same end", () => {
    const paths = (path: string, ...own: string[]): string[] =>
      candidatesIn(path, [{ name: '', mappings: pathMappings({ '/app/lib': 'lib' }) }], own).map(
        (one) => one.path,
      );
    assert.deepEqual(paths('/app/src/a.ts', 'services/web', 'services'), [
      ...['services/web/app/src/a.ts', 'services/app/src/a.ts', 'app/src/a.ts'],
      ...['services/web/src/a.ts', 'services/src/a.ts', 'src/a.ts'],
      ...['services/web/a.ts', 'services/a.ts', 'a.ts'],
    ]);
    assert.strictEqual(paths('/app/lib/a.ts', 'services/web')[0], 'lib/a.ts');
    assert.deepEqual(paths('src/a.ts', 'web'), ['web/src/a.ts', 'src/a.ts']);
    assert.deepEqual(paths('/usr/local/go/src/net/http/server.go', 'web'), []);
  });

  it('never leaves the folder', () => {
    assert.deepEqual(candidatePaths('../../etc/passwd'), ['etc/passwd']);
    assert.deepEqual(candidatePaths('/..'), []);
    assert.deepEqual(candidatePaths('..'), []);
    assert.strictEqual(candidatePaths('/app/a.ts', { '/app': '../../other' })[0], 'other/a.ts');
    const part = fc.constantFrom(
      ...['..', '.', '/', '\\', 'a', 'C:', 'x.ts', '.java', '${workspaceFolder}', ' '],
    );
    const path = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(path, fc.dictionary(path, path), (text, settings) => {
        const own = foldersOf({ context: text, dockerfile: `${text}/${text}` });
        const mappings = pathMappings(settings);
        const candidates = candidatesIn(text, [{ name: '', mappings }], own).map(
          (candidate) => candidate.path,
        );
        assert.lengthOf(new Set(candidates), candidates.length);
        const wrong = candidates
          .flatMap((candidate) => candidate.split('/'))
          .filter((segment) => /^\.{0,2}$|\\/.test(segment));
        assert.deepEqual(wrong, []);
      }),
      { numRuns: shortOrLong(200, 1000) },
    );
  });
});

describe('the folders of a workload', () => {
  it('are those of its Dockerfile and its build context, without the root', () => {
    assert.deepEqual(foldersOf({}), []);
    assert.deepEqual(foldersOf({ context: '.', dockerfile: './Dockerfile' }), []);
    assert.deepEqual(foldersOf({ context: 'web/', dockerfile: 'web/Dockerfile' }), ['web']);
    assert.deepEqual(foldersOf({ context: './', dockerfile: 'services/web/Dockerfile' }), [
      'services/web',
    ]);
    assert.deepEqual(foldersOf({ context: '/services', dockerfile: 'services\\web\\Dockerfile' }), [
      ...['services/web', 'services'],
    ]);
    assert.deepEqual(foldersOf({ context: '../../etc' }), ['etc']);
  });
});

describe('the file with the longest unique end', () => {
  const found = (path: string, files: string[], ...own: string[]): string | undefined =>
    longestUniqueEnd(
      path,
      files.map((one) => ({ path: one })),
      own,
    )?.path;

  it('is the one that shares most of the path', () => {
    const files = ['web/src/routes/a.ts', 'api/src/routes/a.ts', 'api/src/a.ts'];
    assert.equal(found('/srv/api/src/routes/a.ts', files), 'api/src/routes/a.ts');
    assert.equal(found('/app/src/a.ts', files), 'api/src/a.ts');
    assert.isUndefined(found('/app/src/routes/a.ts', files));
    assert.isUndefined(found('/app/src/a.ts', []));
  });

  it("is in the workload's own folders if several share it", () => {
    const files = ['web/src/a.ts', 'api/src/a.ts', 'web-old/src/a.ts'];
    assert.equal(found('/app/src/a.ts', files, 'web'), 'web/src/a.ts');
    assert.isUndefined(found('/app/src/a.ts', files, 'other'));
    assert.isUndefined(found('/app/src/a.ts', files, 'web', 'api'));
  });

  it('shares the folder, too, if the path has more than the folder of a container', () => {
    assert.equal(found('/app/server.js', ['web/server.js']), 'web/server.js');
    assert.equal(found('server.js', ['web/server.js']), 'web/server.js');
    assert.isUndefined(found('/app/lib/server.js', ['web/server.js']));
    assert.isUndefined(found('net/http/server.go', ['cmd/server.go']));
    assert.equal(found('example.com/shop/cmd/main.go', ['cmd/main.go']), 'cmd/main.go');
  });

  it('has the whole package', () => {
    assert.isUndefined(found('java/lang/Thread.java', ['core/lang/Thread.java']));
    const file = 'core/src/main/java/com/example/Main.java';
    assert.equal(found('com/example/Main.java', [file]), file);
  });

  it('is not searched for if the file is that of a dependency or of the runtime', () => {
    assert.equal(searchName('/app/src/a.ts'), 'a.ts');
    assert.equal(searchName('C:\\code\\[id].tsx'), '[id].tsx');
    assert.isUndefined(searchName('/app/node_modules/express/index.js'));
    assert.isUndefined(searchName('vendor/lib/a.php'));
    assert.isUndefined(searchName('/usr/lib/python3.12/site.py'));
    assert.isUndefined(searchName('/..'));
  });
});

describe('The first file of some', () => {
  const looks: number[] = [];
  const isSeven = (place: number): Promise<boolean> => {
    looks.push(place);
    return Promise.resolve(place === 7);
  };
  beforeEach(() => looks.splice(0));

  it('is the first that is there', async () => {
    const budget = { left: 100 };
    assert.equal(await firstFile([1, 7, 8], isSeven, budget), 7);
    assert.deepEqual(looks, [1, 7]);
    assert.isUndefined(await firstFile([1, 2], isSeven, budget));
    assert.equal(budget.left, 96);
  });

  it(`is looked for no further than the budget of a request goes ${covers('F76', 'unit')}`, async () => {
    const budget = { left: 5 };
    for (let frame = 0; frame < 500; frame++) {
      await firstFile([1, 2, 3, 4, 5, 6], isSeven, budget);
    }
    assert.lengthOf(looks, 5);
    assert.equal(await firstFile([7], isSeven, budget), 'unknown');
  });

  it('is not known where a file system does not answer, unless another has it', async () => {
    const isThere = (place: number): Promise<boolean | 'unknown'> =>
      Promise.resolve(place === 1 ? 'unknown' : place === 7);
    assert.equal(await firstFile([1, 7], isThere, { left: 9 }), 7);
    assert.equal(await firstFile([1, 2], isThere, { left: 9 }), 'unknown');
  });
});
