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

const contrast = 'color-contrast';

/** Asserts that axe finds nothing in the page. */
export async function isAccessible(place: PagePlace, when?: string): Promise<void> {
  const { violations, passes } = await axeIn(place, {});
  assert.deepEqual(textsOf(violations), [], when);
  assert.isAtLeast(passes.length, 10, 'axe has run');
}

/** The same without the contrast of texts, which depends on the theme. */
export async function isAccessibleInAnyTheme(place: PagePlace): Promise<void> {
  const { violations } = await axeIn(place, { rules: { [contrast]: { enabled: false } } });
  assert.deepEqual(textsOf(violations), []);
}

/** Asserts that each text of the page has enough contrast, if axe can tell what is behind it. */
export async function hasContrast(place: PagePlace, when: string): Promise<void> {
  const { violations, passes } = await axeIn(place, { runOnly: [contrast] });
  assert.deepEqual(textsOf(violations), [], when);
  assert.isNotEmpty(passes, 'axe has run');
}

/** What axe finds with these options. */
async function axeIn(
  { page }: PagePlace,
  options: object,
): Promise<Readonly<Record<'violations' | 'passes', readonly Finding[]>>> {
  const frame = await pageFrame(page.frames());
  if (!(await frame.evaluate<boolean>("'axe' in window"))) {
    await frame.evaluate(await readFile(require.resolve('axe-core/axe.min.js'), 'utf8'));
  }
  // Of what passes, the rules are enough: describing each element is half of the work.
  const all = { resultTypes: ['violations'], ...options };
  return frame.evaluate(`axe.run(document, ${JSON.stringify(all)})`);
}

function textsOf(findings: readonly Finding[]): string[] {
  return findings.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, target, failureSummary = '' }) =>
      [`${id}: ${help}`, target.join(' '), html, failureSummary].join(': '),
    ),
  );
}

interface Finding {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly {
    readonly html: string;
    readonly target: readonly string[];
    readonly failureSummary?: string;
  }[];
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
