import { openSettings } from './generated/descriptionForms';
import { describedValue, type OpenSetting, type ServerFacts } from './serverDescription';

/** Values for what the contract leaves open: only those that the user has set. */
export type OwnValues = Readonly<Partial<Record<OpenSetting, string>>>;

/** A value for what the contract leaves open, and who says so. */
export interface Assumption {
  readonly value: string;
  readonly from: 'default' | 'server' | 'user';
}

/** What the user has set counts, otherwise what the server says of itself, otherwise the default. */
export function assume(
  setting: OpenSetting,
  own: OwnValues,
  facts: ServerFacts | undefined,
): Assumption {
  const set = own[setting];
  if (set !== undefined) return { value: set, from: 'user' };
  const described = facts === undefined ? undefined : describedValue(facts, setting);
  if (described !== undefined) return { value: described, from: 'server' };
  return { value: openSettings[setting].default, from: 'default' };
}

/** Everything that the contract leaves open and a setting is for. */
export function assumptions(
  own: OwnValues,
  facts: ServerFacts | undefined,
): readonly (readonly [OpenSetting, Assumption])[] {
  const settings = Object.keys(openSettings) as OpenSetting[];
  return settings.map((setting) => [setting, assume(setting, own, facts)] as const);
}
