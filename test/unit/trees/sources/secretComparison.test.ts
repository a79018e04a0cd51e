import { assert } from 'chai';
import type { SecretBinding } from '../../../../src/api/types';
import {
  compareSecretKeys,
  lackingKeys,
  secretComparisonText,
} from '../../../../src/trees/sources/secretComparison';
import { uiText } from '../../../host/texts';
import { lines, t } from '../treeText';

function binding(environment: string, stage: string, keys: string, more = {}): SecretBinding {
  return { environment, stage, keys: keys === '' ? [] : keys.split(' '), ...more };
}

const listing = {
  environments: ['staging', 'preview:staging', 'production', 'silent'],
  bindings: [
    binding('production', 'build', 'REGISTRY'),
    binding('production', 'runtime', 'DATABASE PAYMENT QUEUE', {
      // What is missing may be listed among the declared keys, too.
      missingKeys: ['QUEUE', 'MAIL'],
      inheritedKeys: ['TRACES'],
    }),
    binding('staging', 'runtime', 'DATABASE FLAGS TRACES'),
    binding('preview:staging', 'runtime', 'ONLY_PREVIEW'),
    { keys: ['NOWHERE'] },
  ],
};

describe('The comparison of secret keys', () => {
  it('has a row for each key and stage, missing ones first, and environments of previews last', () => {
    const { environments, keys } = compareSecretKeys(listing);
    assert.deepEqual(environments, ['production', 'silent', 'staging', 'preview:staging']);
    assert.deepEqual(
      keys.map(({ name, stage, states }) => [name, stage, ...states].join(' ')),
      [
        'FLAGS runtime absent unknown set absent',
        'MAIL runtime missing unknown absent absent',
        'ONLY_PREVIEW runtime absent unknown absent set',
        'PAYMENT runtime set unknown absent absent',
        'QUEUE runtime missing unknown absent absent',
        'DATABASE runtime set unknown set absent',
        'TRACES runtime inherited unknown set absent',
        'REGISTRY build set unknown unknown unknown',
      ],
    );
  });

  it('says what an environment lacks of others, which are never those of previews', () => {
    assert.deepEqual(lackingKeys(listing, 'production'), {
      keys: ['FLAGS'],
      of: ['staging'],
      missing: ['MAIL', 'QUEUE'],
    });
    assert.deepEqual(lackingKeys(listing, 'staging'), {
      keys: ['PAYMENT'],
      of: ['production'],
      missing: [],
    });
  });

  it('says that nothing lacks in previews, and where the control plane does not say what is there', () => {
    const nothing = { keys: [], of: [], missing: [] };
    for (const name of ['silent', 'unknown', 'preview:staging', undefined]) {
      assert.deepEqual(lackingKeys(listing, name), nothing);
    }
    assert.deepEqual(lackingKeys({}, 'production'), nothing);
  });

  it('is a text with aligned columns, and says what it cannot say', () => {
    const text = secretComparisonText(compareSecretKeys(listing), 'shop\n', undefined, t);
    const rows = text.split('\n').slice(0, 16).join('\n');
    assert.equal(
      rows,
      lines(`
        Secret keys of shop
        .
        Not in all environments:
        .
          Key           Stage    production  silent  staging  preview:staging
          FLAGS         runtime  –           ?       set      –
          MAIL          runtime  missing     ?       –        –
          ONLY_PREVIEW  runtime  –           ?       –        set
          PAYMENT       runtime  set         ?       –        –
          QUEUE         runtime  missing     ?       –        –
          DATABASE      runtime  set         ?       set      –
          TRACES        runtime  inherited   ?       set      –
        .
        In all environments whose stage is known:
        .
          Key           Stage    production  silent  staging  preview:staging
      `).replaceAll(/^\.$/gm, ''),
    );
    assert.include(text, uiText('missing: it is declared and has no value'));
    assert.include(
      text,
      uiText(
        'The control plane tells the names of keys only: not whether environments have the same value, nor which keys your code needs.',
      ),
    );
  });

  it('says that there are no keys, and how old they are', () => {
    const text = secretComparisonText(compareSecretKeys({}), 'shop', 'updated', t);
    assert.include(text, `shop\nupdated\n\n${uiText('There are no secret keys.')}\n`);
    assert.notInclude(text, uiText('In all environments whose stage is known:'));
  });

  it('shows no value, even if a server sends one', () => {
    const sent = { bindings: [{ ...binding('production', 'runtime', 'A'), value: 'hunter2' }] };
    assert.notInclude(secretComparisonText(compareSecretKeys(sent), 's', undefined, t), 'hunter2');
  });
});
