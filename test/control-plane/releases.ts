import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The files that stack traces name. */
export const demoFolder = path.join(__dirname, 'demo-workspace');

/** A change to a file of the demo workspace: where it has `to` now, it had `from` before. */
interface Edit {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** A commit of the history of the demo workspace. */
export interface DemoCommit {
  readonly message: string;
  readonly edits: readonly Edit[];
  /** How many hours before the start it was deployed; undefined if it was not. */
  readonly deployedHoursAgo?: number;
}

const added = (file: string, text: string, before: string): Edit => ({
  file,
  from: before,
  to: `${text}${before}`,
});

/**
 * The history of the demo workspace, oldest first; its files are those of the last commit. Lines move
 * between the commits, so a line of a stack trace is in another place now.
 */
export const demoCommits: readonly DemoCommit[] = [
  { message: 'Start the shop', edits: [], deployedHoursAgo: 40 },
  {
    message: 'Give a discount in spring',
    edits: [
      added(
        'web-api/src/pricing.ts',
        "  ['SPRING', { code: 'SPRING', percent: 15 }],\n",
        ']);\n\nexport function priceOf',
      ),
      added('web-api/src/routes/orders.ts', 'let count = 0;\n\n', 'export async'),
      {
        file: 'web-api/src/routes/orders.ts',
        from: '{ id: `ord_${Date.now()}`, total }',
        to: "{ id: `ord_${(++count).toString().padStart(6, '0')}`, total }",
      },
    ],
    deployedHoursAgo: 10,
  },
  {
    message: 'Say what prices and carts are',
    edits: [
      added(
        'web-api/src/pricing.ts',
        '/** The sum of an order in cents. */\n',
        'export function priceOf',
      ),
      added(
        'storefront/render/cart.js',
        '/** The lines of the cart as HTML. */\n',
        'function renderCart',
      ),
    ],
    deployedHoursAgo: 3,
  },
  {
    message: 'Name who answered, and tidy up',
    edits: [
      {
        file: 'web-api/src/server.ts',
        from: "throw new Error('no answer')",
        to: 'throw new Error(`inventory answered ${response.status}`)',
      },
      added(
        'web-api/src/routes/orders.ts',
        '/** Takes an order: reserves the items, charges the customer, hands it to the worker. */\n',
        'export async function createOrder',
      ),
      added(
        'recommender/recommender/scoring.py',
        '"""Scores products for a customer from what others bought with them."""\n\n',
        'from dataclasses',
      ),
      {
        file: 'storefront/render/cart.js',
        from: '`<li>${item.product.name}</li>`',
        to: '`<li>${item.quantity} × ${item.product.name}</li>`',
      },
    ],
  },
];

/** The text of a file of the demo workspace at a commit, an index of `demoCommits`. */
export function textAtCommit(file: string, commit: number): string {
  let text = readFileSync(path.join(demoFolder, file), 'utf8');
  for (const { edits } of demoCommits.slice(commit + 1).reverse()) {
    for (const { from, to } of edits.filter((one) => one.file === file).reverse()) {
      if (!text.includes(to)) throw new Error(`${file} does not contain ${to}.`);
      text = text.replace(to, () => from);
    }
  }
  return text;
}

/** A commit of the demo workspace that is deployed everywhere. */
export interface Release {
  readonly sha: string;
  /** The index of its commit in `demoCommits`. */
  readonly commit: number;
  readonly hoursAgo: number;
}

/** The deployed commits, newest first. @param hashes those of all commits, oldest first. */
export function releasesOf(hashes: readonly string[]): Release[] {
  return demoCommits
    .flatMap(({ deployedHoursAgo: hoursAgo }, commit) => {
      const sha = hashes[commit];
      return sha === undefined || hoursAgo === undefined ? [] : [{ sha, commit, hoursAgo }];
    })
    .reverse();
}
