import type { Brownout, VariantBEnd } from '@app/platform/process/variant-b.settings';

/** A longer one is no rehearsal of the end but the end. */
const LONGEST_BROWNOUT = 86_400;

const BROWNOUT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)Z\/(\d{1,9}[smhd])$/;

/** `2027-06-30`: its midnight in UTC. */
export function calendarDate(text: string): Date {
  return /^\d{4}-\d\d-\d\d$/.test(text)
    ? instantOf(`${text}T00:00`, 'must be a date such as 2027-06-30')
    : fail('must be a date such as 2027-06-30');
}

/** `2027-03-01T10:00Z/15m`, comma-separated. `seconds` reads the duration. */
export const brownoutList =
  (seconds: (text: string) => number) =>
  (text: string): readonly Brownout[] =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
      .map((item) => brownout(item, seconds));

function brownout(text: string, seconds: (text: string) => number): Brownout {
  const form = 'must list times such as 2027-03-01T10:00Z/15m';
  const [, time = '', duration = ''] = BROWNOUT.exec(text) ?? fail(form);
  const start = instantOf(time, form);
  const length = seconds(duration);
  if (length > LONGEST_BROWNOUT) fail('must list times of 24h at most');
  return { start, end: new Date(start.getTime() + length * 1000) };
}

/** JavaScript would take 30 February as 2 March. */
function instantOf(minute: string, form: string): Date {
  const date = new Date(`${minute}:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(minute) ? date : fail(form);
}

/** What is wrong with the dates together; undefined if nothing is. */
export const faultOfEnd = ({ deprecated, sunset }: VariantBEnd): string | undefined =>
  deprecated !== undefined && sunset !== undefined && sunset < deprecated
    ? 'VARIANT_B_SUNSET must not be before VARIANT_B_DEPRECATED'
    : undefined;

const fail = (problem: string): never => {
  throw new Error(problem);
};
