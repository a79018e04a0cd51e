import { assert } from 'chai';
import { settings } from '../../../.config/settings';
import { choices, integers, texts } from '../../../src/vscode/generated/settings';
import { readChoice, readInteger, isTextOf } from '../../../src/vscode/settingRules';

describe('The rules of settings', () => {
  it('are those of package.json, which names each setting that is a number, a choice or a text', () => {
    const rules = { ...integers, ...choices, ...texts };
    const simple = Object.entries(settings).filter(
      ([, { type }]) => type !== 'array' && type !== 'object',
    );
    assert.sameMembers(
      Object.keys(rules).map((name) => `controlPlane.${name}`),
      simple.map(([id]) => id),
    );
    for (const [name, rule] of Object.entries(rules)) {
      const setting = settings[`controlPlane.${name}`]!;
      assert.strictEqual(rule.default, setting.default, name);
      assert.strictEqual(rule.scope, setting.scope, name);
      if ('pattern' in rule) assert.deepEqual(rule.pattern, new RegExp(setting.pattern!, 'u'));
    }
  });

  it('bound a number of any file, rounded, and replace what is none', () => {
    for (const [name, rule] of Object.entries(integers)) {
      const { minimum, maximum } = settings[`controlPlane.${name}`]!;
      assert.equal(readInteger(rule, -1e9), minimum, name);
      assert.equal(readInteger(rule, 1e9), maximum, name);
      assert.equal(readInteger(rule, rule.maximum - 0.6), rule.maximum - 1);
      for (const value of [undefined, null, '7', NaN, Infinity, [7]]) {
        assert.equal(readInteger(rule, value), rule.default, name);
      }
    }
  });

  it('let the values of a choice through, and replace all others', () => {
    const rule = choices['code.errors'];
    for (const value of rule.values) assert.equal(readChoice(rule, value), value);
    for (const value of [undefined, null, '', 'Off', true]) {
      assert.equal(readChoice(rule, value), 'marks');
    }
    assert.isFalse(readChoice(choices['code.decorations'], false));
    assert.isTrue(readChoice(choices['code.decorations'], 0));
    assert.isFalse(readChoice(choices['ai.enabled'], 'true'));
  });

  it('let a text through that matches, and no other', () => {
    const rule = texts['api.segments.monitorAlerts'];
    assert.isTrue(isTextOf(rule, 'own-alerts'));
    for (const value of [undefined, 7, '', 'a/b', 'ü', 'x'.repeat(65)]) {
      assert.isFalse(isTextOf(rule, value));
    }
    assert.isTrue(isTextOf(texts['api.operationPath'], ''));
  });
});
