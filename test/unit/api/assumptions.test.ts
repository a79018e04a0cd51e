import { assert } from 'chai';
import { assume, assumptions } from '../../../src/api/assumptions';
import { openSettings } from '../../../src/api/generated/descriptionForms';
import type { ServerFacts } from '../../../src/api/serverDescription';
import { texts } from '../../../src/vscode/generated/settings';
import { baseUrl, defaults, harness, json, uuid } from './cannedAnswers';

/** A server that describes one operation, with another segment and another name of its parameter. */
const facts: ServerFacts = {
  operations: {
    listAlertRules: {
      path: '/servers/{serverId}/watch',
      query: { deployableId: { name: 'unit', isRequired: false } },
      body: {},
    },
    getOperation: 'none',
  },
};

describe('assume', () => {
  it('uses what the user has set, otherwise what the server says, otherwise the default', () => {
    const setting = 'segments.monitorAlerts';
    assert.deepEqual(assume(setting, {}, undefined), { value: 'monitor-alerts', from: 'default' });
    assert.deepEqual(assume(setting, {}, { operations: {} }), {
      ...{ value: 'monitor-alerts', from: 'default' },
    });
    assert.deepEqual(assume(setting, {}, facts), { value: 'watch', from: 'server' });
    // Also if it is the default.
    const own = { [setting]: 'monitor-alerts' };
    assert.deepEqual(assume(setting, own, facts), { value: 'monitor-alerts', from: 'user' });
    assert.deepEqual(assume('operationPath', {}, facts), { value: '', from: 'server' });
  });

  it('lists everything that is open, with the defaults of the settings', () => {
    const all = assumptions({}, undefined);
    assert.sameMembers(
      all.map(([setting]) => setting),
      Object.keys(openSettings),
    );
    for (const [setting, { value, from }] of all) {
      assert.equal(value, texts[`api.${setting}`].default);
      assert.equal(from, 'default');
    }
  });

  it('decides what is sent', async () => {
    const sent = async (own: object): Promise<readonly string[]> => {
      const { client, received, asked } = harness(json({}), {
        facts: () => facts,
        settings: () => ({ ...defaults, own }),
      });
      await client.listAlertRules({ serverId: uuid, deployableId: uuid }, asked);
      assert.isUndefined(await client.getOperation({ operationId: 'o' }, asked));
      return received.map(({ request }) => request.url.slice(baseUrl.length));
    };
    assert.deepEqual(await sent({}), [`/v1/api/servers/${uuid}/watch?unit=${uuid}`]);
    assert.deepEqual(await sent({ 'segments.monitorAlerts': 'own' }), [
      `/v1/api/servers/${uuid}/own?unit=${uuid}`,
    ]);
  });
});
