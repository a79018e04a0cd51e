/** What package.json says of a setting: `generated/settings.ts` has those of numbers, choices and texts. */
interface SettingRule<Value> {
  readonly default: Value;
  /** Those of `application` are the user's own: no folder may change them. */
  readonly scope: 'application' | 'window';
}

export interface IntegerRule extends SettingRule<number> {
  readonly minimum: number;
  readonly maximum: number;
}

export interface ChoiceRule<Value> extends SettingRule<Value> {
  readonly values: readonly Value[];
}

export interface TextRule extends SettingRule<string> {
  readonly pattern?: RegExp;
}

/** A whole number within the bounds, because a settings file may contain any value. */
export function readInteger(rule: IntegerRule, value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) return rule.default;
  return Math.min(rule.maximum, Math.max(rule.minimum, Math.round(value)));
}

/** One of the values, otherwise the default. */
export function readChoice<Value>(rule: ChoiceRule<Value>, value: unknown): Value {
  return rule.values.find((one) => one === value) ?? rule.default;
}

/** Whether a value is a text that matches. */
export function isTextOf({ pattern }: TextRule, value: unknown): value is string {
  return typeof value === 'string' && pattern?.test(value) !== false;
}
