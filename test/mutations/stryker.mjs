// The mutants of one area, with the unit tests of that area: `MUTATE=tail npm run test:mutations`.
const areas = {
  api: { folder: 'src/api', tests: ['api/'] },
  tail: { folder: 'src/logs/tail', tests: ['logs/tail/'] },
  query: { folder: 'src/logs/query', tests: ['logs/query/'] },
  calls: { folder: 'src/logs/calls', tests: ['logs/calls/'] },
  explorer: { folder: 'src/logs/explorer', tests: ['logs/explorer/'] },
  activity: { folder: 'src/activity', tests: ['activity/', 'actions/'] },
  actions: { folder: 'src/actions', tests: ['actions/', 'activity/'] },
  pushes: { folder: 'src/pushes', tests: ['pushes/'] },
};

const { MUTATE = 'actions', SAMPLE = '1', SEED = '1' } = process.env;
const { folder, tests } = areas[MUTATE];

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  testRunner: 'unit',
  plugins: ['./test/mutations/mochaRunner.mjs'],
  unitTests: { below: tests, sample: Number(SAMPLE), seed: Number(SEED) },
  // What imports `vscode` is tested in a window.
  mutate: [`${folder}/**/*.ts`, '!src/**/ui/**', '!src/**/generated/**'],
  coverageAnalysis: 'perTest',
  // Code that runs once when a module is loaded: each mutant would need a process of its own.
  ignoreStatic: true,
  concurrency: 1,
  timeoutMS: 3000,
  dryRunTimeoutMinutes: 10,
  reporters: ['clear-text', 'json', 'html'],
  clearTextReporter: { logTests: false },
  jsonReporter: { fileName: `coverage/mutations-${MUTATE}.json` },
  htmlReporter: { fileName: `coverage/mutations-${MUTATE}.html` },
  tempDirName: 'coverage/mutations',
  ignorePatterns: ['coverage', 'dist'],
};
