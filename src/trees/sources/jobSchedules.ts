import type { Resource } from '../../api/types';
import { minute } from '../../base/clock';
import { joined, type Translate } from '../../base/textFormat';
import type { DataContext } from '../../data/labels';
import { type LastRecord, lastRecordReach } from '../../data/listings';
import { isStopped, stateKey } from '../../data/states';
import { type CacheKey, isRefusal } from '../../data/store';
import { isUuid } from '../../data/targets';
import { timeText } from '../nodes';
import {
  isTimeZone,
  lastRuns,
  nextRun,
  readSchedule,
  type Schedule,
  scheduleText,
} from './schedule';

/*
 * What the schedules of an app or job say of it: in words, when it is due next, and whether its logs have anything of when
 * it was due. That something ran is never said: the API lists no runs, and a job may log nothing.
 */

type Job = NonNullable<NonNullable<Resource['config']>['jobs']>[number];

export function isJob({ kind }: Resource): boolean {
  return stateKey(kind ?? '') === 'job';
}

/** The schedules of its jobs, such as `5 * * * * UTC`. */
export function rawSchedules(resource: Resource, t: Translate): string[] {
  return scheduleTexts(resource, t, rawSchedule);
}

/** The same in words, such as `every 5 minutes`, where these are short. */
export function schedulesInWords(resource: Resource, context: DataContext): string[] {
  return scheduleTexts(resource, context.t, ({ cron = '', timezone }) => {
    const read = readSchedule(cron);
    const words = read && scheduleText(read, timezone, context);
    return words ?? rawSchedule({ cron, timezone });
  });
}

function scheduleTexts(
  { config }: Resource,
  t: Translate,
  textOf: (schedule: NonNullable<Job['schedule']>) => string,
): string[] {
  return (config?.jobs ?? []).flatMap(({ schedule, enabled }) => {
    if (schedule?.cron === undefined) return [];
    const words = textOf(schedule);
    return [enabled === false ? t('{0} (off)', words) : words];
  });
}

function rawSchedule({
  cron,
  timezone,
}: {
  cron?: string | undefined;
  timezone?: string | undefined;
}): string {
  return joined([cron, timezone], ' ');
}

interface DueSchedule {
  readonly schedule: Schedule;
  readonly timezone: string;
}

/** Those by which something is due: on, read, and in a time zone. */
function activeSchedules({ config, archivedAt }: Resource): readonly DueSchedule[] {
  if (archivedAt !== undefined) return [];
  return (config?.jobs ?? []).flatMap(({ schedule: { cron = '', timezone } = {}, enabled }) => {
    const schedule = enabled === false ? undefined : readSchedule(cron);
    if (schedule === undefined || timezone === undefined || !isTimeZone(timezone)) return [];
    return [{ schedule, timezone }];
  });
}

/** When one of its jobs is due next, in milliseconds since 1970. Unknown without a time zone. */
export function nextRunOf(resource: Resource, { timeFormat }: DataContext): number | undefined {
  const times = activeSchedules(resource).flatMap(
    ({ schedule, timezone }) => nextRun(schedule, timezone, timeFormat.now()) ?? [],
  );
  return times.length === 0 ? undefined : Math.min(...times);
}

export function nextRunText(resource: Resource, context: DataContext): string | undefined {
  const next = context.timeFormat.relativeTo(nextRunOf(resource, context));
  return next === undefined ? undefined : context.t('next {0}', next);
}

/** The last three times that one of its jobs was due, the latest first; fewer if none was due so often. */
function lastRunsOf(resource: Resource, until: number): readonly number[] {
  return activeSchedules(resource)
    .flatMap(({ schedule, timezone }) => lastRuns(schedule, timezone, until))
    .sort((a, b) => b - a);
}

/** The most jobs of an environment whose last record is looked for. */
const mostJobs = 20;
/** How long after it was due a job has probably logged something, in milliseconds. */
const grace = minute;

/** The keys for the last records of these jobs: of each that was due since its last record was looked for. */
export function lastRecordKeys(
  resources: readonly Resource[],
  { store, timeFormat }: DataContext,
): readonly CacheKey[] {
  const due = timeFormat.now() - grace;
  const jobs = resources.filter((one) => isJob(one) && activeSchedules(one).length > 0);
  const all = jobs.slice(0, mostJobs).flatMap((resource) => {
    const { id } = resource;
    return isUuid(id) ? [{ resource, id, known: store.read('lastRecord', id) }] : [];
  });
  // A key that may not read logs is refused once.
  if (all.some(({ known }) => isRefusal(known.error))) return [];
  const isAllowed = all.some(({ known }) => known.value !== undefined);
  return all.slice(0, isAllowed ? all.length : 1).flatMap(({ resource, id, known: { value } }) => {
    const [last] = value === undefined ? [] : lastRunsOf(resource, due);
    const isDue = value === undefined || (last !== undefined && value.asOf < last + grace);
    return isDue ? [{ kind: 'lastRecord', id } as const] : [];
  });
}

function lastRecordOf({ id }: Resource, { store }: DataContext): LastRecord | undefined {
  return id === undefined ? undefined : store.read('lastRecord', id).value;
}

/** When it has logged last, for a tooltip. If it was due since, with the time until which that is known. */
export function lastLoggedText(resource: Resource, context: DataContext): string | undefined {
  const found = lastRecordOf(resource, context);
  if (found === undefined) return undefined;
  const { t, timeFormat } = context;
  const { asOf, time, isPartial } = found;
  if (time === undefined) {
    return isPartial
      ? undefined
      : t('nothing, looked back {0}', timeFormat.duration(lastRecordReach) ?? '');
  }
  const text = timeText(new Date(time).toISOString(), context);
  const [last] = lastRunsOf(resource, timeFormat.now());
  return last !== undefined && time < last
    ? t('{0}, as of {1}', text, timeFormat.clockOrMoment(asOf) ?? '')
    : text;
}

/**
 * Says for how long a job has logged nothing, if it was due for at least two intervals: at the last three times that it
 * was due. Undefined of what is stopped, and of what runs for less than that.
 *
 * @param deployed when it was deployed, in milliseconds since 1970; undefined if it never was, or that is not known.
 */
export function silenceText(
  resource: Resource,
  deployed: number | undefined,
  context: DataContext,
): string | undefined {
  const found = lastRecordOf(resource, context);
  if (found === undefined || found.isPartial || deployed === undefined) return undefined;
  if (!isJob(resource) || isStopped(resource.runtimeState?.desiredState)) return undefined;
  const { asOf, time = asOf - lastRecordReach } = found;
  const first = lastRunsOf(resource, asOf)[2];
  if (first === undefined || first <= Math.max(time, deployed)) return undefined;
  const { t, timeFormat } = context;
  const whole = Math.floor((asOf - time) / minute) * minute;
  const length = timeFormat.duration(whole);
  return length === undefined ? undefined : t('nothing logged for {0}', length);
}
