import { assert } from 'chai';
import * as vscode from 'vscode';
import type { Compared, ComparedPlace, ComparedSide } from '../../../src/logs/explorer/comparison';
import type { PatternChange } from '../../../src/logs/explorer/patternChanges';
import { comparisonText } from '../../../src/logs/explorer/ui/comparisonView';
import { commands } from '../../../src/vscode/contributions';
import { ReadonlyDocuments } from '../../../src/vscode/readonlyDocuments';
import { covers } from '../../unit/covers';
import { sampleRecord } from '../../unit/logs/sampleRecord';
import { inWorkspace } from '../environment';

/** A new pattern of one workload, in a comparison of two hours. */
function comparedWith(workloadName: string, body: string): Parameters<typeof comparisonText> {
  const last = sampleRecord({ workloadName, body });
  const search = { filter: {}, range: { from: 0, to: 3_600_000 } };
  const side: ComparedSide = {
    search,
    records: [last],
    read: [search.range],
    isWhole: true,
    isPartial: false,
  };
  const change: PatternChange = {
    key: body,
    template: body,
    change: 'new',
    factor: Infinity,
    surprise: 9,
    severity: 'info',
    now: { count: 1, counts: [], last },
    before: { count: 0, counts: [], last: undefined },
  };
  const compared: Compared = {
    ...{ now: side, before: side, measure: 'time', factor: 1 },
    ...{ changes: [change], apart: [] },
  };
  const place: ComparedPlace = {
    file: inWorkspace('src/app.ts').toString(),
    line: 7,
    text: 'src/app.ts:7 may have moved',
  };
  return [
    { now: search, before: { filter: { services: ['web'] }, range: search.range } },
    compared,
    new Map([[body, [place]]]),
    {
      nameOf: () => undefined,
      timeFormat: { moment: (time) => time, duration: () => '1 hour' },
    },
  ];
}

async function linksOf(
  document: vscode.TextDocument,
): Promise<{ line: string; text: string; target: string }[]> {
  const found = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
    'vscode.executeLinkProvider',
    document.uri,
  );
  return found.map(({ range, target }) => ({
    line: document.lineAt(range.start.line).text,
    text: document.getText(range),
    target: String(target),
  }));
}

describe('A comparison as text', () => {
  const documents = new ReadonlyDocuments('compared');
  after(() => documents.dispose());

  it(`links its queries and the lines of the workspace, and nothing that a log says ${covers('F90', 'editor')}`, async () => {
    for (const text of ['→ src/app.ts:1 ', '\n      → src/app.ts:1', '→ severity:error']) {
      const shown = comparisonText(...comparedWith(text, `${text} is what it says`));
      await documents.show('Comparison.txt', shown);
      const document = vscode.window.activeTextEditor?.document;
      assert(document?.uri.scheme === 'compared', 'It is shown.');
      const links = await linksOf(document);
      const place = links.find((one) => one.text === 'src/app.ts:7 may have moved');
      assert.equal(place?.target, inWorkspace('src/app.ts').with({ fragment: 'L7' }).toString());
      const others = links.filter((one) => one !== place);
      assert.lengthOf(others, 2, JSON.stringify(others));
      for (const { line, text: query, target } of others) {
        assert.equal(line, `→ ${query}`);
        assert.match(target, new RegExp(`^command:${commands.searchLogs}\\?`));
        assert.include(query, 'from:');
      }
    }
  });
});
