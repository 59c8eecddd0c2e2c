import { InvalidArgumentError } from 'commander';

const MILLISECONDS_PER_UNIT: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

const DATE_AND_TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?(?<zone>Z|[+-]\d\d:\d\d)?)?$/;

/** `90s`, `15m`, `24h` or `7d` ago, or a date (its start) or date and time, in UTC unless it names an offset. */
export function pointInTime(text: string, now = Date.now()): Date {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (unit !== undefined) return new Date(now - Number(count) * (MILLISECONDS_PER_UNIT[unit] ?? 0));
  const match = DATE_AND_TIME.exec(text);
  // Without an offset JavaScript takes a date as UTC, but a date with a time as local.
  const isLocal = match !== null && text.includes('T') && match.groups?.['zone'] === undefined;
  const time = match === null ? Number.NaN : Date.parse(isLocal ? `${text}Z` : text);
  if (Number.isNaN(time)) {
    throw new InvalidArgumentError('Use 15m, 24h or 7d, or a date such as 2026-11-21 or 2026-11-21T08:00.');
  }
  return new Date(time);
}
