import { assert } from 'chai';
import { transformSync } from 'esbuild';
import { mayHaveSourceMap, SourceMap, sourceMapOf } from '../../../../src/logs/record/sourceMap';

const code = "\n\nexport const run = () => {\n  throw new Error('lost');\n};\n";
const built = transformSync(code, {
  ...{ loader: 'ts', minify: true, sourcemap: 'external', sourcefile: '../src/run.ts' },
});

describe('source map', () => {
  it('may be that of a script', () => {
    assert.isTrue(['/app/dist/a.js', 'b.mjs', 'C.CJS'].every(mayHaveSourceMap));
    assert.isFalse(['/app/a.ts', 'a.json', 'js'].some(mayHaveSourceMap));
  });

  it('is the one that the last comment of the file names', () => {
    const of = (...lines: string[]) => sourceMapOf('/app/dist/x.js', lines.join('\n'));
    assert.deepEqual(of('a();', '//# sourceMappingURL=maps/x%20y.map', ''), {
      path: 'maps/x y.map',
    });
    assert.deepEqual(of('//# sourceMappingURL=a.map', '//# sourceMappingURL=b.map'), {
      path: 'b.map',
    });
    const json = '{"version":3,"names":["é"]}';
    const encoded = Buffer.from(json).toString('base64');
    const start = '//# sourceMappingURL=data:application/json';
    assert.deepEqual(of(`${start};charset=utf-8;base64,${encoded}`), { json });
    assert.deepEqual(of(`${start},${encodeURIComponent(json)}`), { json });
  });

  it('is expected beside the file otherwise, and never elsewhere than below it', () => {
    const beside = { path: 'x.js.map' };
    for (const text of [
      'a();',
      'log("//# sourceMappingURL=a.map")',
      '//# sourceMappingURL=https://example.com/x.map',
      '//# sourceMappingURL=file:///etc/passwd',
      '//# sourceMappingURL=/etc/passwd',
      '//# sourceMappingURL=%E0%A4%A',
      '//# sourceMappingURL=data:application/json;base64,%',
    ]) {
      assert.deepEqual(sourceMapOf('/app/dist/x.js', text), beside, text);
    }
  });

  it('leads to the place in the source', () => {
    const map = new SourceMap(built.map, '/shop/dist/x.js.map');
    const column = built.code.indexOf('throw') + 1;
    const place = { path: '/shop/src/run.ts', isAbsolute: true, line: 4 };
    assert.deepEqual(map.originalOf({ line: 1, column }), { ...place, column: 3 });
    assert.deepEqual(map.originalOf({ line: 1 }), { ...place, line: 3, column: undefined });
    for (const nowhere of [{ line: 900, column: 1 }, { line: 0 }, { line: 1, column: 0 }]) {
      assert.isUndefined(map.originalOf(nowhere));
    }
  });

  it('of a bundler has the ends of paths', () => {
    const json = built.map.replace('../src/run.ts', 'webpack://shop/./src/run.ts?4f1a');
    const place = new SourceMap(json, '/shop/dist/x.js.map').originalOf({ line: 1, column: 40 });
    assert.deepInclude(place, { path: 'src/run.ts', isAbsolute: false });
  });

  it('that is none is an error', () => {
    for (const json of ['', '[]', '{}', '{"version":3,"sources":1,"mappings":"AAAA"}', 'null']) {
      assert.throws(() => new SourceMap(json, '/x.map'));
    }
  });
});
