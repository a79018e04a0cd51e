import { assumptions, type Assumption, type OwnValues } from '../api/assumptions';
import { operations } from '../api/generated/operations';
import { describedOperations, type ServerFacts } from '../api/serverDescription';
import { aligned, type Translate } from '../base/textFormat';
import type { Connection } from './connections';

/** What is known of how a server differs from what is assumed. */
export interface ServerSettings {
  /** What the user has set. */
  readonly own: OwnValues;
  /** What the server says of itself; undefined if it does not, or was not asked. */
  readonly facts: ServerFacts | undefined;
  /** Why the last question said nothing, in words. */
  readonly failure: string | undefined;
}

/** The report of *Show Settings of This Server*: each assumption, its value, and who says so. */
export function serverSettingsText(
  { name, baseUrl }: Pick<Connection, 'name' | 'baseUrl'>,
  settings: ServerSettings,
  t: Translate,
): string {
  const who: Readonly<Record<Assumption['from'], string>> = {
    default: t('default'),
    server: t('the server'),
    user: t('you'),
  };
  const rows = valuesOf(settings).map(([setting, { value, from }]) => [
    `controlPlane.api.${setting}`,
    value === '' ? t('none') : value,
    who[from],
  ]);
  const more = pathsBeyond(settings.facts);
  return [
    t('Connection {0}', name),
    '',
    t('Base URL: {0}', baseUrl),
    describedText(settings, t),
    '',
    t('What the API leaves open, and who says what it is on this server:'),
    '',
    ...aligned(rows).map((row) => `  ${row}`),
    ...(more.length === 0
      ? []
      : ['', t('What the server has beyond the API:'), '', ...more.map((path) => `  ${path}`)]),
    '',
  ].join('\n');
}

/** The same for a bug report, in English: each value that is not the default. */
export function serverSettingsLines(settings: ServerSettings): readonly string[] {
  const { facts } = settings;
  return [
    facts === undefined ? 'does not describe itself' : `describes version ${facts.version ?? '?'}`,
    ...valuesOf(settings)
      .filter(([, { from }]) => from !== 'default')
      .map(([setting, { value, from }]) => `${setting} = ${JSON.stringify(value)} (${from})`),
    ...pathsBeyond(facts),
  ];
}

/** Whether the server describes itself, in one line. */
export function describedText({ own, facts, failure }: ServerSettings, t: Translate): string {
  if (own.descriptionPath === '') return t('Describes itself: not asked');
  if (facts?.version !== undefined) return t('Describes itself: yes, version {0}', facts.version);
  if (facts !== undefined) return t('Describes itself: yes');
  return failure === undefined
    ? t('Describes itself: no')
    : t('Describes itself: no. {0}', failure);
}

function valuesOf({ own, facts }: ServerSettings): ReturnType<typeof assumptions> {
  return assumptions(own, own.descriptionPath === '' ? undefined : facts);
}

/** The paths that the contract does not have, and the server has. */
function pathsBeyond(facts: ServerFacts | undefined): readonly string[] {
  return describedOperations
    .filter((name) => 'isOnlyIfDescribed' in operations[name])
    .flatMap((name) => {
      const found = facts?.operations[name];
      return found === undefined || found === 'none' ? [] : [found.path];
    });
}
