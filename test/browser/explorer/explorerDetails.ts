import type { Locator } from 'playwright';
import type { StringId } from '../../../src/logs/explorer/ui/pageStrings';
import type { ExplorerPlace } from './explorerParts';
import type { ExplorerRows } from './explorerRows';
import { pageText } from './pageTexts';

export const json = '{"msg":"request completed","res":{"statusCode":503}}';
export const stack =
  'TypeError: no price\n    at total (/app/web-api/src/pricing.ts:12:9)\n    at main (/nowhere/else.js:1:1)\n\n';
export const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';

/** Records whose details differ in what they have. */
export const detailedRecords = [
  { severity: 'info', body: 'the first one', containerId: '', truncated: true },
  { severity: 'error', body: stack, traceId },
  { severity: 'info', body: json, attributes: { user: '42', path: '/api/orders' } },
  { severity: 'fatal', body: 'the last one' },
] as const;

/** The details of these records, and the ways to them. Reads the place on access: it exists once its tests run. */
export function explorerDetails(place: ExplorerPlace, rows: ExplorerRows) {
  /** Elements of the previous record accept neither clicks nor the focus. */
  const areThere = (): Promise<void> =>
    place.explorer.locator('.details[aria-busy=false]').waitFor();
  return {
    /** A button of the details by its text, and what it is for. */
    inDetails: (id: StringId, what?: string): Locator => {
      const name = [pageText(id), ...(what === undefined ? [] : [what])].join(': ');
      return rows.details.getByRole('button', { name, exact: true });
    },
    /** Shows a record by the mouse. */
    click: async (text: string): Promise<void> => {
      await rows.row(text).locator('.body').click();
      await areThere();
    },
    /** Shows a record by the keyboard, which is in the details then. */
    enter: async (text: string): Promise<void> => {
      await rows.grid.focus();
      await rows.press('Home');
      for (let presses = 0; presses < 4; presses++) {
        if ((await rows.selected.innerText()).includes(text)) break;
        await rows.press('ArrowDown');
      }
      await rows.press('Enter');
      await rows.hasFocus(rows.details);
      await areThere();
    },
  };
}
