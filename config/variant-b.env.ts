import { optional, type ValuesOf } from './setting';

/** `2027-06-30`: its midnight in UTC. */
function calendarDate(text: string): Date {
  return /^\d{4}-\d\d-\d\d$/.test(text)
    ? instantOf(`${text}T00:00`, 'must be a date such as 2027-06-30')
    : fail('must be a date such as 2027-06-30');
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
