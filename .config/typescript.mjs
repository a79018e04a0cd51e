// Runs the TypeScript of the unit tests. Only syntax is transformed, line by line and without helpers
// of its own, so that the coverage report counts the branches of the source and no others.
import { transformSync } from 'esbuild';
import { addHook } from 'pirates';

addHook(
  (code, file) =>
    transformSync(code, {
      loader: file.endsWith('.ts') ? 'ts' : 'js',
      format: 'cjs',
      target: 'node20',
      sourcemap: 'inline',
      sourcefile: file,
    }).code,
  {
    exts: ['.ts', '.js'],
    matcher: (file) => !file.includes('node_modules'),
    ignoreNodeModules: true,
  },
);
