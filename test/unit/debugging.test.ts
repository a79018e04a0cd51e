import { assert } from 'chai';
import { formatMessages, transform, type TransformFailure } from 'esbuild';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../..');

function read(file: string): unknown {
  return JSON.parse(readFileSync(path.join(root, file), 'utf8'));
}

interface Launch {
  configurations: {
    name: string;
    outFiles?: string[];
    preLaunchTask?: string;
    program?: string;
  }[];
}

interface Tasks {
  tasks: {
    label: string;
    script: string;
    problemMatcher: Matcher | [];
  }[];
}

interface Matcher {
  pattern: { regexp: string; message?: number; file?: number; line?: number; column?: number }[];
  background: { beginsPattern: string; endsPattern: string };
}

interface Manifest {
  scripts: Record<string, string>;
  main: string;
  browser: string;
}

describe('F5', () => {
  const { configurations } = read('.vscode/launch.json') as Launch;
  const { tasks } = read('.vscode/tasks.json') as Tasks;
  const { scripts, main, browser } = read('package.json') as Manifest;
  const matcher = tasks.find(({ label }) => label === 'watch')?.problemMatcher as Matcher;

  for (const { name, outFiles, preLaunchTask, program } of configurations) {
    it(`${name}: what it names exists`, () => {
      if (preLaunchTask)
        assert.include(
          tasks.map(({ label }) => label),
          preLaunchTask,
        );
      const folders = outFiles?.map((files) => files.replace('/**/*.js', ''));
      const inWorkspace = (file: string): string => path.join('${workspaceFolder}', file);
      for (const folder of folders ?? []) {
        const entry = [main, browser].find((file) => inWorkspace(file).startsWith(`${folder}/`));
        assert.isDefined(entry, `${folder} holds a bundle`);
      }
      if (program) assert.isTrue(existsSync(program.replace('${workspaceFolder}', root)), program);
    });
  }

  it('runs scripts that package.json has', () => {
    for (const { script } of tasks) assert.property(scripts, script);
  });

  it('waits for what the build says, and marks its errors', async () => {
    const build = readFileSync(path.join(root, '.config/build.ts'), 'utf8');
    const said = [...build.matchAll(/console\.log\('(\[watch\] [^']*)'\)/g)].map(
      ([, text]) => text,
    );
    const { beginsPattern, endsPattern } = matcher.background;
    assert.isTrue(said.some((text) => new RegExp(beginsPattern).test(text ?? '')));
    assert.isTrue(said.some((text) => new RegExp(endsPattern).test(text ?? '')));

    const { errors } = await transform('\nconst x: = 1;', {
      loader: 'ts',
      sourcefile: 'src/a.ts',
    }).then(
      () => assert.fail('it is wrong'),
      (error: unknown) => error as TransformFailure,
    );
    const [text = ''] = await formatMessages(errors, { kind: 'error', color: false });
    const lines = text.split('\n');
    const found: Record<string, string | undefined> = {};
    for (const [index, { regexp, ...groups }] of matcher.pattern.entries()) {
      const match = new RegExp(regexp).exec(lines[index] ?? '');
      assert.isNotNull(match, `${regexp} matches ${lines[index]}`);
      for (const [name, group] of Object.entries(groups)) found[name] = match[group];
    }
    assert.deepEqual(found, {
      message: 'Unexpected "="',
      file: 'src/a.ts',
      line: '2',
      column: '9',
    });
  });
});
