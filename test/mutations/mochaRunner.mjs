// Runs the unit tests for Stryker, each mutant with the tests that reach it. Stryker's own runner
// for mocha looks for files that have other names in mocha 12; this one uses only mocha's public
// API.
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { INSTRUMENTER_CONSTANTS } from '@stryker-mutator/api/core';
import { PluginKind, commonTokens, declareClassPlugin, tokens } from '@stryker-mutator/api/plugin';
import {
  DryRunStatus,
  MutantRunStatus,
  TestStatus,
  determineHitLimitReached,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';

const require = createRequire(path.resolve('package.json'));

/** As `.config/mocha.json`, without options for a run of all tests. */
function config() {
  return JSON.parse(readFileSync('.config/mocha.json', 'utf8'));
}

/** The test files below some folders of `test/unit`. */
function testFiles(folders) {
  return readdirSync('test/unit', { recursive: true })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.test.ts'))
    .filter((file) => folders.some((folder) => file.startsWith(folder)))
    .sort()
    .map((file) => path.resolve('test/unit', file));
}

/**
 * Selects a share of all mutants, always the same ones: hashes the id to a number from 0 to less
 * than 1.
 */
function drawn(id, seed) {
  let hash = 2_166_136_261 ^ seed;
  for (const sign of String(id)) hash = Math.imul(hash ^ sign.charCodeAt(0), 16_777_619);
  hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_507);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}

class MochaRunner {
  static inject = tokens(commonTokens.options);

  constructor({ unitTests }) {
    const { sample = 1, seed = 1, below = [''] } = unitTests ?? {};
    this.isInSample = (id) => sample >= 1 || drawn(id, seed) < sample;
    this.below = below;
    this.context = globalThis[INSTRUMENTER_CONSTANTS.NAMESPACE] ??= {};
    this.isPerTest = false;
  }

  capabilities() {
    // Imported modules stay loaded: Stryker starts another process when they must be loaded again.
    return { reloadEnvironment: false };
  }

  async init() {
    for (const file of config().require) {
      const whole = path.resolve(file);
      if (whole.endsWith('.mjs')) await import(pathToFileURL(whole).href);
      else require(whole);
    }
    const { default: Mocha } = await import('mocha');
    this.mocha = new Mocha({ timeout: 0, reporter: Silent });
    this.mocha.cleanReferencesAfterRun(false);
    for (const file of testFiles(this.below)) this.mocha.addFile(file);
    const note = (test) => {
      if (this.isPerTest) this.context.currentTestId = test.fullTitle();
    };
    this.mocha.suite.beforeEach(function () {
      note(this.currentTest);
    });
  }

  async dryRun({ coverageAnalysis, disableBail }) {
    this.isPerTest = coverageAnalysis === 'perTest';
    const result = await this.run(undefined, disableBail);
    this.isPerTest = false;
    return coverageAnalysis === 'off' || result.status !== DryRunStatus.Complete
      ? result
      : { ...result, mutantCoverage: this.context.mutantCoverage };
  }

  async mutantRun({ activeMutant, testFilter, disableBail, hitLimit }) {
    if (!this.isInSample(activeMutant.id)) {
      // Counts as neither killed nor survived.
      return { status: MutantRunStatus.Error, errorMessage: 'Not in the sample.' };
    }
    this.context.hitLimit = hitLimit;
    this.context.hitCount = hitLimit === undefined ? undefined : 0;
    const wanted = testFilter && new Set(testFilter);
    // Mocha calls only this method of a pattern; a real one of hundreds of titles would be slow.
    this.mocha.options.grep = wanted && { test: (title) => wanted.has(title) };
    return toMutantRunResult(await this.run(activeMutant.id, disableBail));
  }

  async run(mutant, disableBail) {
    try {
      if (!this.isLoaded) await this.mocha.loadFilesAsync();
      this.isLoaded = true;
      setBail(this.mocha.suite, !disableBail);
      this.context.activeMutant = mutant;
      const tests = await new Promise((resolve) => {
        const runner = this.mocha.run(() => resolve(runner.testsSeen));
      });
      const { hitCount, hitLimit } = this.context;
      return (
        determineHitLimitReached(hitCount, hitLimit) ?? { status: DryRunStatus.Complete, tests }
      );
    } catch (error) {
      return { status: DryRunStatus.Error, errorMessage: String(error?.stack ?? error) };
    }
  }
}

/** Mocha stops at the first failure of each suite; this applies it everywhere. */
function setBail(suite, isBail) {
  suite.bail(isBail);
  for (const inner of suite.suites) setBail(inner, isBail);
}

/** A reporter that records the result of each test, and prints nothing. */
function Silent(runner) {
  const tests = (runner.testsSeen = []);
  const note = (test, rest) =>
    tests.push({
      id: test.fullTitle(),
      name: test.fullTitle(),
      fileName: test.file,
      timeSpentMs: test.duration ?? 0,
      ...rest,
    });
  runner
    .on('pass', (test) => note(test, { status: TestStatus.Success }))
    .on('pending', (test) => note(test, { status: TestStatus.Skipped }))
    .on('fail', (test, error) =>
      note(test.type === 'hook' ? (test.ctx?.currentTest ?? test) : test, {
        status: TestStatus.Failed,
        failureMessage: String(error?.stack ?? error),
      }),
    );
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'unit', MochaRunner)];

export const strykerValidationSchema = {
  type: 'object',
  properties: {
    unitTests: {
      description: 'Which unit tests run, and how many of the mutants.',
      type: 'object',
      additionalProperties: false,
      properties: {
        below: {
          description: 'The prefixes of the paths of test files, below test/unit.',
          type: 'array',
          items: { type: 'string' },
        },
        sample: { description: 'A share of the mutants, up to 1.', type: 'number' },
        seed: { description: 'The seed of the selection.', type: 'integer' },
      },
    },
  },
};
