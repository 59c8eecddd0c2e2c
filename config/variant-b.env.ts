import { addition, optional, type ValuesOf } from './setting';
import { commaSeparated, duration } from './setting-parsers';

/** A time in which Variant B serves only exempt callers. It includes the start and excludes the end. */
export interface Brownout {
  readonly start: Date;
  readonly end: Date;
}

/** Maximum seconds: a longer brown-out would not be a rehearsal. */
const LONGEST_BROWNOUT = 86_400;

const BROWNOUT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)Z\/(\d{1,9}[smhd])$/;

/** `2027-06-30`: its midnight in UTC. */
export function calendarDate(text: string): Date {
  return /^\d{4}-\d\d-\d\d$/.test(text)
    ? instantOf(`${text}T00:00`, 'must be a date such as 2027-06-30')
    : fail('must be a date such as 2027-06-30');
}

/** `2027-03-01T10:00Z/15m`, comma-separated. */
const brownoutList = (text: string): readonly Brownout[] => commaSeparated(text).map(brownout);

function brownout(text: string): Brownout {
  const form = 'must list times such as 2027-03-01T10:00Z/15m';
  const [, time = '', length = ''] = BROWNOUT.exec(text) ?? fail(form);
  const start = instantOf(time, form);
  const seconds = duration(length);
  if (seconds > LONGEST_BROWNOUT) fail('must list times of 24h at most');
  return { start, end: new Date(start.getTime() + seconds * 1000) };
}

/** JavaScript would take 30 February as 2 March. */
function instantOf(minute: string, form: string): Date {
  const date = new Date(`${minute}:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(minute) ? date : fail(form);
}

export const END_OF_VARIANT_B = {
  variantBEnd: {
    deprecated: optional(
      'VARIANT_B_DEPRECATED',
      calendarDate,
      'date such as `2027-01-01` (its midnight in UTC) from which programs should not use Variant B: in the headers `Deprecation` and `Link`',
    ),
    sunset: optional(
      'VARIANT_B_SUNSET',
      calendarDate,
      'date on which Variant B is switched off, not before `VARIANT_B_DEPRECATED`: in the header `Sunset`',
    ),
    brownouts: addition(
      'VARIANT_B_BROWNOUTS',
      brownoutList,
      [],
      'times, comma-separated, such as `2027-03-01T10:00Z/15m` (UTC, `24h` at most), in which Variant B responds with 503 to organisations that are not exempt',
    ),
  },
};

/** The error of the two dates together, if any. */
export const faultOfEnd = ({
  deprecated,
  sunset,
}: ValuesOf<typeof END_OF_VARIANT_B>['variantBEnd']): string | undefined =>
  deprecated !== undefined && sunset !== undefined && sunset < deprecated
    ? 'VARIANT_B_SUNSET must not be before VARIANT_B_DEPRECATED'
    : undefined;

const fail = (problem: string): never => {
  throw new Error(problem);
};
