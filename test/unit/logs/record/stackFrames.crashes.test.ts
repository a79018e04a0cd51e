import { assert } from 'chai';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import settings from '../../../control-plane/demo-workspace/.vscode/settings.json';
import { findFrames } from '../../../../src/logs/record/stackFrames';
import { candidatesIn, pathMappings } from '../../../../src/logs/record/pathMapping';
import { crashes } from '../../../control-plane/crashes';
import { demoFolder } from '../../../control-plane/releases';
import { createStackTraces } from '../../../control-plane/stackTraces';

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
