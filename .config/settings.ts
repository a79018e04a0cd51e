import manifest from '../package.json';

/** A setting of package.json, with what the reference and the tests read. */
export interface Setting {
  /** Its place in its section. */
  readonly order: number;
  readonly type: string;
  readonly markdownDescription: string;
  readonly default: unknown;
  readonly scope: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly tags?: readonly string[];
}

/** The settings of all sections, by id, in the order of the settings editor. */
export const settings: Readonly<Record<string, Setting>> = Object.fromEntries(
  manifest.contributes.configuration.flatMap(({ properties }) =>
    Object.entries<Setting>(properties),
  ),
);
