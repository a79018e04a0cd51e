import { html, render } from 'lit';
import {
  type ApartRow,
  type ComparisonView,
  readComparisonState,
} from '../../src/logs/explorer/protocol/comparisonMessages';
import { connectPanel, createStrings, type Strings } from '../logExplorer/panel';
import { headTemplate } from './head';
import type { Act, ComparisonHost } from './panel';

/** The page: what its panel sent last, and why the last request was refused. */
export class ComparisonPage {
  /** Arrive with the first message. */
  private strings: Strings | undefined;
  private view: ComparisonView | undefined;
  private refusal = '';
  private readonly panel: ComparisonHost = connectPanel(
    {
      start: ({ strings, locale }) => this.start(createStrings(strings, locale)),
      view: ({ view }) => this.show(view),
      problem: ({ message }) => this.fail(message),
    },
    readComparisonState,
  );

  constructor(private readonly root: HTMLElement) {}

  private start(strings: Strings): void {
    this.strings = strings;
    document.title = strings('comparison.title');
  }

  private show(view: ComparisonView): void {
    this.view = view;
    this.draw();
    const { now, before } = view.sides ?? {};
    if (now && before) this.panel.save({ now: now.query, before: before.query });
  }

  /** Shows why something failed until the next request. */
  private fail(why: string): void {
    this.refusal = why;
    this.draw();
  }

  private readonly act: Act = (kind, rest) => {
    this.fail('');
    this.panel.ask(kind, rest).catch((error: unknown) => this.failed(error));
  };

  private failed(error: unknown): void {
    this.fail(error instanceof Error ? error.message : String(error));
  }

  private readonly apartOf = async (key: string): Promise<readonly ApartRow[] | undefined> => {
    try {
      return await this.panel.ask('apart', { key });
    } catch (error) {
      this.failed(error);
      return undefined;
    }
  };

  private draw(): void {
    const { view, strings, act, apartOf } = this;
    if (strings === undefined || view === undefined) return;
    const table = html`<comparison-table
      class="table"
      ?hidden=${view.rows.length === 0}
      .strings=${strings}
      .act=${act}
      .apartOf=${apartOf}
      .view=${view}
    ></comparison-table>`;
    render([headTemplate(view, this.refusal, act, strings), table], this.root);
  }
}
