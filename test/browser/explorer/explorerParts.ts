import type { FrameLocator, Locator, Page } from 'playwright';
import type { StringId } from '../../../src/logs/explorer/ui/pageStrings';
import { eventually } from '../../host/eventually';
import { pageText } from './pageTexts';

/** Where the page of the Log Explorer is: alone in a browser, or in a frame of VS Code. */
export interface ExplorerPlace {
  readonly page: Page;
  /** The page itself. */
  readonly explorer: Pick<
    FrameLocator,
    'locator' | 'getByRole' | 'getByText' | 'getByLabel' | 'getByTitle'
  >;
}

/** The parts of the page above the list. */
export interface ExplorerParts {
  /** The query bar. */
  readonly bar: Locator;
  /** The button of the page with this text. */
  readonly button: (id: StringId, ...values: readonly (string | number)[]) => Locator;
  /** The button with exactly this text, which depends on the results. */
  readonly buttonSaying: (text: string) => Locator;
  /** The button at an end of the list. */
  readonly end: (end: 'older' | 'newer') => Locator;
  /** The button of a severity, such as `warn`. */
  readonly severity: (severity: string) => Locator;
  /** Clicks an item in the menu of the toolbar. */
  readonly more: (id: StringId) => Promise<void>;
  /** The element with the focus in the page. */
  readonly focused: () => Locator;
  /** Waits until the query in the bar is this text, or matches the predicate. @returns the query. */
  readonly becomes: (query: string | ((query: string) => boolean)) => Promise<string>;
}

/** Reads the place on access: it exists once its tests run. */
export function explorerParts(place: ExplorerPlace): ExplorerParts {
  const explorer = (): ExplorerPlace['explorer'] => place.explorer;
  const parts: ExplorerParts = {
    get bar() {
      return explorer().getByRole('combobox', { name: pageText('query.label') });
    },
    button: (id, ...values) => parts.buttonSaying(pageText(id, ...values)),
    buttonSaying: (name) => explorer().getByRole('button', { name, exact: true }),
    end: (end) => explorer().locator(`.end.${end} button`),
    severity: (severity) => explorer().locator(`.severities .${severity}`),
    async more(id) {
      await explorer().locator('.menu-place button').first().click();
      await explorer()
        .locator('.menu-item', { hasText: pageText(id) })
        .click();
    },
    focused: () => explorer().locator(':focus'),
    becomes: (query) =>
      eventually(
        () => parts.bar.inputValue(),
        (now) => (typeof query === 'string' ? now === query : query(now)),
        'the query in the bar',
      ),
  };
  return parts;
}
