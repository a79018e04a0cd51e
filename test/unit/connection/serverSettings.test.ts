import { assert } from 'chai';
import type { OwnValues } from '../../../src/api/assumptions';
import type { ServerFacts } from '../../../src/api/serverDescription';
import {
  describedText,
  serverSettingsLines,
  serverSettingsText,
} from '../../../src/connection/serverSettings';
import { t } from '../trees/treeText';

const facts: ServerFacts = {
  version: '2.0.46',
  operations: {
    listRepositories: { path: '/gitplace/repositories', query: {}, body: {} },
    getOperation: 'none',
    listApps: { path: '/sources/{sourceId}/apps', query: {}, body: {} },
    listOrphans: 'none',
  },
};
const own: OwnValues = { 'segments.previewReporting': 'githome' };

describe('The settings of a server', () => {
  it('say each assumption with its value and who says so, and what the server has beyond the API', () => {
    const connection = { name: 'shop', baseUrl: 'https://shop.example' };
    const text = serverSettingsText(connection, { own, facts, failure: undefined }, t);
    const row = (name: string): string[] | undefined =>
      new RegExp(`^  controlPlane\\.api\\.${name} .*$`, 'm').exec(text)?.[0].trim().split(/ {2,}/);
    assert.deepEqual(row('segments.monitorAlerts')?.slice(1), ['monitor-alerts', 'default']);
    assert.deepEqual(row('segments.repositories')?.slice(1), ['gitplace', 'the server']);
    assert.deepEqual(row('segments.previewReporting')?.slice(1), ['githome', 'you']);
    assert.deepEqual(row('operationPath')?.slice(1), ['none', 'the server']);
    assert.include(text, 'Describes itself: yes, version 2.0.46');
    assert.match(text, /beyond the API:\n\n {2}\/sources\/\{sourceId\}\/apps\n$/);
  });

  it('have in a bug report only what is not the default', () => {
    assert.deepEqual(serverSettingsLines({ own, facts, failure: undefined }), [
      'describes version 2.0.46',
      'segments.repositories = "gitplace" (server)',
      'segments.previewReporting = "githome" (user)',
      'operationPath = "" (server)',
      '/sources/{sourceId}/apps',
    ]);
    assert.deepEqual(serverSettingsLines({ own: {}, facts: undefined, failure: 'no' }), [
      'does not describe itself',
    ]);
  });

  it('say why the server does not describe itself, and whether it was asked', () => {
    const says = (settings: object): string =>
      describedText({ own: {}, facts: undefined, failure: undefined, ...settings }, t);
    assert.equal(says({}), 'Describes itself: no');
    assert.equal(says({ failure: 'Not found.' }), 'Describes itself: no. Not found.');
    assert.equal(says({ facts: { operations: {} } }), 'Describes itself: yes');
    assert.equal(says({ own: { descriptionPath: '' } }), 'Describes itself: not asked');
  });
});
