// Runs the TypeScript of the tests. Transforms only syntax, without helpers: with tsx, the coverage
// report counts a quarter more branches than the source has.
import { transformSync } from 'esbuild';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

// The lines of a failure are those of the source.
process.setSourceMapsEnabled(true);

createRequire(import.meta.url).extensions['.ts'] = (module, file) => {
  const { code } = transformSync(readFileSync(file, 'utf8'), {
    loader: 'ts',
    format: 'cjs',
    target: 'node20',
    sourcemap: 'inline',
    sourcefile: file,
  });
  module._compile(code, file);
};
