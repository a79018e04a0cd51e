import type { CDPSession, Frame, FrameLocator, Locator, Page } from 'playwright';

export interface Frames {
  /** The milliseconds from one `requestAnimationFrame` to the next. */
  readonly frames: number[];
  /** Tasks of more than 50 ms, as the browser reports them. */
  readonly longTasks: number[];
}

/** The number of frames for scrolling one way. */
const steps = 300;

/** The page of the Log Explorer in a window, for the benchmark. */
export class ExplorerWindow {
  private constructor(
    private readonly page: Page,
    private readonly inner: FrameLocator,
    private readonly frame: Frame,
    private readonly bar: Locator,
  ) {}

  /** Waits for the page of the Log Explorer, which is inside two frames of VS Code. */
  static async in(page: Page): Promise<ExplorerWindow> {
    const inner = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
    const bar = inner.getByRole('combobox', { name: 'Query' });
    await bar.waitFor();
    const handle = await inner.locator('#page').elementHandle();
    const frame = await handle.ownerFrame();
    if (!frame) throw new Error('No frame contains the page of the Log Explorer.');
    return new ExplorerWindow(page, inner, frame, bar);
  }

  /** Presses Enter in the query bar; returns the milliseconds until a record with this text is painted. */
  async enter(query: string, text: string): Promise<number> {
    await this.bar.fill(query);
    // The query is parsed and completed while it is typed.
    await this.page.waitForTimeout(400);
    await this.frame.evaluate(`void (window.benchShown = (${shown})(${JSON.stringify(text)}))`);
    await this.bar.press('Enter');
    return Number(await this.frame.evaluate('window.benchShown'));
  }

  /** Searches for everything and loads older records until there are this many. */
  async load(count: number): Promise<void> {
    await this.bar.fill('last:24h');
    await this.bar.press('Enter');
    await this.frame.evaluate(`(${load})(${count})`);
    // Lets the window finish its work for the last step.
    await this.page.waitForTimeout(1000);
  }

  /** Follows the logs from now on. */
  async follow(): Promise<void> {
    await this.inner.getByRole('button', { name: 'Follow', exact: true }).click();
  }

  async setWrap(wrap: boolean): Promise<void> {
    const list = this.inner.locator('.list');
    const isWrapped = /\bwrap\b/.test((await list.getAttribute('class')) ?? '');
    if (isWrapped !== wrap) await this.inner.getByRole('grid').press('Alt+z');
    await this.page.waitForTimeout(300);
  }

  /** The frames of scrolling from the newest record to the oldest and back, or as many idle ones. */
  frames(what: 'scroll' | 'rest'): Promise<Frames> {
    return this.frame.evaluate<Frames>(`(${scroll})(${what === 'scroll'}, ${steps})`);
  }

  /** The heap of the page in bytes, after a garbage collection. */
  async heap(): Promise<number> {
    const session = await sessionOf(this.page, this.frame);
    for (let times = 0; times < 3; times++) await session.send('HeapProfiler.collectGarbage');
    const usage = await session.send('Runtime.getHeapUsage');
    await session.detach();
    return usage.usedSize;
  }
}

/** A session with the process of the frame, which may be that of the window. */
async function sessionOf(page: Page, frame: Frame): Promise<CDPSession> {
  const context = page.context();
  for (let at: Frame | null = frame; at !== null; at = at.parentFrame()) {
    const session = await context.newCDPSession(at).catch(() => undefined);
    if (session) return session;
  }
  return context.newCDPSession(page);
}

/** In the page: milliseconds from the next Enter until a row with a text is painted. */
const shown = `(text) => new Promise((resolve) => {
  let start;
  const look = () => {
    const rows = [...document.querySelectorAll('.rows .row .body')];
    if (start === undefined || !rows.some((row) => row.textContent.includes(text))) return;
    observer.disconnect();
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve(performance.now() - start);
    // After the frame with the row is painted.
    requestAnimationFrame(() => port2.postMessage(undefined));
  };
  const observer = new MutationObserver(look);
  observer.observe(document.body, { childList: true, subtree: true, characterData: true });
  document.addEventListener('keydown', () => (start = performance.now()), { capture: true, once: true });
})`;

/** In the page: loads older records while there is a button for it. */
const load = `(count) => new Promise((resolve, reject) => {
  const end = performance.now() + 120_000;
  const step = () => {
    const grid = document.querySelector('[role=grid]');
    const rows = Number(grid.getAttribute('aria-rowcount')) - 1;
    if (rows >= count) return resolve();
    if (performance.now() > end) return reject(new Error(rows + ' records were loaded.'));
    const button = document.querySelector('.end.older button');
    if (!button.hidden && !button.closest('[hidden]')) button.click();
    setTimeout(step, 20);
  };
  step();
})`;

/** In the page: scrolls in each frame, or stays idle. */
const scroll = `(isToScroll, steps) => new Promise((resolve) => {
  const grid = document.querySelector('[role=grid]');
  const frames = [];
  const longTasks = [];
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longTasks.push(duration);
  });
  observer.observe({ type: 'longtask' });
  // As if a user scrolled: the list then does more work.
  grid.dispatchEvent(new WheelEvent('wheel'));
  let before;
  let step = 0;
  const frame = (now) => {
    if (before !== undefined) frames.push(now - before);
    before = now;
    if (step > 2 * steps) {
      setTimeout(() => {
        observer.disconnect();
        resolve({ frames, longTasks });
      }, 200);
      return;
    }
    const share = Math.abs(1 - step / steps);
    if (isToScroll) grid.scrollTop = share * (grid.scrollHeight - grid.clientHeight);
    step++;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
})`;
