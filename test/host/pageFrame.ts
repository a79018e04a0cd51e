import { readFile } from 'node:fs/promises';
import { assert } from 'chai';
import type { Frame, Page } from 'playwright';

/** Where a page of ours is: alone in a browser, or in a frame of VS Code. */
interface PagePlace {
  readonly page: Page;
}

/** The value of an expression in the page. */
export async function inPage<T>({ page }: PagePlace, expression: string): Promise<T> {
  return (await pageFrame(page.frames())).evaluate<T>(expression);
}

/** Asserts that axe finds nothing in the page. */
export async function isAccessible({ page }: PagePlace, when?: string): Promise<void> {
  const frame = await pageFrame(page.frames());
  if (!(await frame.evaluate<boolean>("'axe' in window"))) {
    await frame.evaluate(await readFile(require.resolve('axe-core/axe.min.js'), 'utf8'));
  }
  const { violations, passes } = await frame.evaluate<{
    violations: Finding[];
    passes: Finding[];
  }>('axe.run(document)');
  const findings = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, target }) => `${id}: ${help}: ${target.join(' ')}: ${html}`),
  );
  assert.deepEqual(findings, [], when);
  assert.isAtLeast(passes.length, 10, 'axe has run');
}

interface Finding {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly target: readonly string[] }[];
}

async function pageFrame(frames: readonly Frame[]): Promise<Frame> {
  const frame = await findPage(frames);
  if (frame === undefined) throw new Error('There is no page of the Log Explorer.');
  return frame;
}

export async function findPage(frames: readonly Frame[]): Promise<Frame | undefined> {
  for (const frame of frames) {
    if ((await frame.locator('#page').count()) > 0) return frame;
  }
  return undefined;
}
