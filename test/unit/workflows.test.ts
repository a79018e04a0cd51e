import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { assert } from 'chai';
import publishing from '../../.ci/publishing/package.json';
import manifest from '../../package.json';

const folder = path.resolve(__dirname, '../../.github/workflows');

/** What a workflow must not contain, though GitHub accepts it; one text for each problem. */
function problemsOf(workflow: string): string[] {
  const uses = [...workflow.matchAll(/^[ -]+uses: *(\S+)/gm)].map(([, action = '']) => action);
  return [
    ...(/^permissions:/m.test(workflow) ? [] : ['It does not say which permissions it needs.']),
    ...uses
      .filter((action) => !/^\.\/|^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(action))
      .map((action) => `${action} is not pinned to a commit.`),
    // Text from others would become part of the script.
    ...scriptsOf(workflow)
      .filter((script) => script.includes('${{'))
      .map((script) => `An expression is in a script instead of its env: ${script.trim()}`),
    ...jobsOf(workflow)
      .filter((job) => job.includes('id-token: write'))
      .flatMap(scriptsOf)
      .filter((script) => /npm (?:ci|install)(?!.* --workspace publishing$)/m.test(script))
      .map(
        (script) => `A job that can sign in installs more than what publishes: ${script.trim()}`,
      ),
    // Code of a dependency or a test could change what is published, or sign in.
    ...jobsOf(workflow)
      .filter((job) => /upload-artifact@.*\n +with:\n +name: vsix$|id-token: write/m.test(job))
      .flatMap(scriptsOf)
      .filter((script) =>
        /npm test|test:|\.ci\/run|npm (?:ci|install)(?!.*--ignore-scripts)/.test(script),
      )
      .map((script) => `A job that makes or publishes the package runs ${script.trim()}`),
  ];
}

function jobsOf(workflow: string): string[] {
  return workflow.split(/^ {2}(?=\w[\w-]*:$)/m);
}

/** The scripts of a workflow: a line, or all lines that are indented further than their key. */
function scriptsOf(workflow: string): string[] {
  const lines = workflow.split('\n');
  return lines.flatMap((line, index) => {
    const [, before, script = ''] = /^([ -]*)run:(.*)$/.exec(line) ?? [];
    if (before === undefined) return [];
    const rest = lines.slice(index + 1);
    const end = rest.findIndex((one) => one.trim() !== '' && one.search(/\S/) <= before.length);
    return [[script, ...(end < 0 ? rest : rest.slice(0, end))].join('\n')];
  });
}

describe('a workflow', () => {
  for (const file of readdirSync(folder)) {
    it(`follows the rules: ${file}`, () => {
      const text = readFileSync(path.join(folder, file), 'utf8');
      assert.isNotEmpty([...text.matchAll(/uses:|run:/g)]);
      assert.isEmpty(problemsOf(text));
    });
  }

  it('runs on the oldest Node.js that README.md names', () => {
    const root = path.resolve(folder, '../..');
    const [, oldest] =
      /Node\.js (\S+) or later/.exec(readFileSync(path.join(root, 'README.md'), 'utf8')) ?? [];
    assert.include(
      readFileSync(path.join(folder, 'test.yml'), 'utf8'),
      `node-version: ${oldest}\n`,
    );
  });

  it('install for publishing only what the script of the job runs', () => {
    const root = path.resolve(folder, '../..');
    const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
    const run = [...read('.ci/publish').matchAll(/npx --no-install (\w+)/g)].map(
      ([, name]) => name,
    );
    const installed = Object.keys(publishing.devDependencies).map((name) => path.basename(name));
    assert.sameMembers(installed, run);
    assert.deepEqual(manifest.workspaces, ['.ci/publishing']);
    assert.equal(
      publishing.devDependencies['@vscode/vsce'],
      manifest.devDependencies['@vscode/vsce'],
      'the package is made and published with the same version',
    );
  });

  it('are updated like the dependencies', () => {
    const text = readFileSync(path.join(folder, '../dependabot.yml'), 'utf8');
    const found = [...text.matchAll(/package-ecosystem: (\S+)\n +directory: \/\n/g)];
    assert.deepEqual(
      found.map(([, name]) => name),
      ['npm', 'github-actions'],
    );
  });

  const pinned = `- uses: a/upload-artifact@${'d2'.repeat(20)} # v6`;
  const env = ['  env:', '    A: ${{ github.ref }}'];
  for (const [problems, what, ...steps] of [
    [0, 'expressions in env', pinned, '- run: echo "$A"', ...env],
    [0, 'env after a script of lines', '- run: |', '    echo', '', '    a', ...env],
    [0, 'code of others that publishes nothing', '- run: npm ci', '- run: npm test'],
    [1, 'an action by its tag', '- uses: actions/checkout@v6'],
    [1, 'an expression in a script', '- run: echo ${{ github.ref }}'],
    [1, 'an expression in a later line', '- name: a', '  run: |', '', '    a', '    ${{ a }}'],
  ] as const) {
    it(`has ${problems} problems with ${what}`, () => {
      const lines = steps.map((line) => `      ${line}`);
      const workflow = ['permissions: {}', 'jobs:', '  a:', '    steps:', ...lines].join('\n');
      assert.lengthOf(problemsOf(workflow), problems);
    });
  }

  it('has a problem without its permissions', () => {
    assert.lengthOf(problemsOf('jobs: {}'), 1);
  });

  it('has a problem with code of others in the job that makes or publishes the package', () => {
    const upload = `    ${pinned}\n      with:\n        name: vsix\n`;
    const signIn = '    permissions:\n      id-token: write\n';
    const job = (what: string, script: string): string =>
      `permissions: {}\njobs:\n  a:\n${what}    - run: ${script}\n`;
    const install = 'npm ci --ignore-scripts --workspace publishing';
    assert.isEmpty(problemsOf(job(upload, 'npm ci --ignore-scripts')));
    assert.isEmpty(problemsOf(job(signIn, install)));
    assert.lengthOf(
      problemsOf(job(signIn, 'npm ci --ignore-scripts')),
      1,
      'it installs everything',
    );
    assert.lengthOf(problemsOf(job(signIn, `${install} --include-workspace-root`)), 1);
    for (const what of [upload, signIn]) {
      for (const script of ['npm test', 'npm run test:unit', 'bash .ci/run']) {
        assert.lengthOf(problemsOf(job(what, script)), 1, what + script);
      }
      assert.isNotEmpty(problemsOf(job(what, 'npm ci')));
    }
    assert.isEmpty(problemsOf(`${job(upload, 'npm run package')}  b:\n    - run: npm test\n`));
  });
});
