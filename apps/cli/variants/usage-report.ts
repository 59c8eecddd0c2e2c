import type { DataSource } from 'typeorm';
import differences from '@app/edge/usage/variant-differences.json';

/** The calls of an organisation, program or operation. */
interface Called {
  /** Calls in the period of the report. */
  readonly requests: number;
  /** The first and the last day of all stored calls. */
  readonly firstDay: string;
  readonly lastDay: string;
  /** Whole days since the last call; 0 for today. */
  readonly silentDays: number;
}

export interface UsingOrganisation extends Called {
  /** 0 for an unknown caller, on routes without a credential. */
  readonly organisationId: number;
  readonly name: string | null;
  readonly programs: readonly string[];
  readonly credentials: readonly string[];
  /** Called routes, or parts of routes, that the other variant lacks. */
  readonly onlyHere: readonly string[];
}

export interface UsingProgram extends Called {
  readonly program: string;
  readonly organisations: number;
}

/** How an operation differs in the other variant. */
export interface OperationDifference {
  /** Whether the route is missing in the other variant. */
  readonly isOnlyHere: boolean;
  /** Parts of the route that the other variant lacks, and parts with another meaning there. */
  readonly partsOnlyHere: readonly string[];
  readonly partsOtherwise: readonly string[];
}

export interface UsedOperation extends Called, OperationDifference {
  readonly operation: string;
  readonly organisations: number;
}

export interface UsedDay {
  readonly day: string;
  readonly requests: number;
  readonly organisations: number;
}

export interface UsageReport {
  readonly variant: string;
  readonly from: string;
  readonly to: string;
  readonly requests: number;
  readonly customers: readonly UsingOrganisation[];
  readonly programs: readonly UsingProgram[];
  readonly operations: readonly UsedOperation[];
  readonly days: readonly UsedDay[];
}

/** Today, and the first day of the report. */
const PERIOD = `
  SELECT to_char(today, 'YYYY-MM-DD') AS "to", to_char(today - $1::integer + 1, 'YYYY-MM-DD') AS "from"
  FROM (SELECT (now() AT TIME ZONE 'UTC')::date AS today) clock`;

const CALLED = `
  coalesce(sum(u.requests) FILTER (WHERE u.day >= $2), 0)::bigint AS requests,
  to_char(min(u.day), 'YYYY-MM-DD') AS "firstDay", to_char(max(u.day), 'YYYY-MM-DD') AS "lastDay",
  ((now() AT TIME ZONE 'UTC')::date - max(u.day))::integer AS "silentDays"`;

const ORGANISATIONS = `
  SELECT u.organisation_id AS "organisationId", o.name, ${CALLED},
    array_agg(DISTINCT u.program) AS programs, array_agg(DISTINCT u.credential) AS credentials,
    array_agg(DISTINCT u.operation) AS operations
  FROM variant_usage u LEFT JOIN organisations o ON o.id = u.organisation_id
  WHERE u.variant = $1 GROUP BY u.organisation_id, o.name
  ORDER BY max(u.day) DESC, requests DESC, u.organisation_id`;

const PROGRAMS = `
  SELECT u.program, ${CALLED}, count(DISTINCT u.organisation_id) FILTER (WHERE u.organisation_id <> 0) AS organisations
  FROM variant_usage u WHERE u.variant = $1 GROUP BY u.program ORDER BY max(u.day) DESC, requests DESC, u.program`;

const OPERATIONS = `
  SELECT u.operation, ${CALLED}, count(DISTINCT u.organisation_id) FILTER (WHERE u.organisation_id <> 0) AS organisations
  FROM variant_usage u WHERE u.variant = $1 GROUP BY u.operation ORDER BY requests DESC, u.operation`;

/** Includes days without a call. */
const DAYS = `
  SELECT to_char(listed.day, 'YYYY-MM-DD') AS day, coalesce(sum(u.requests), 0)::bigint AS requests,
    count(DISTINCT u.organisation_id) FILTER (WHERE u.organisation_id <> 0) AS organisations
  FROM generate_series($2::date, $3::date, interval '1 day') AS listed (day)
  LEFT JOIN variant_usage u ON u.day = listed.day::date AND u.variant = $1
  GROUP BY listed.day ORDER BY listed.day`;

/** How an operation of Variant B differs from Variant A; made by `npm run docs`. */
interface Difference {
  readonly route?: boolean;
  readonly onlyInB?: readonly string[];
  readonly otherwise?: readonly string[];
}

/** Differences by variant and operation. Only the differences of Variant B are known, because only Variant B ends. */
const DIFFERENCES: Readonly<Record<string, Readonly<Record<string, Difference>>>> = { B: differences };

export function differenceTo(variant: string, operation: string): OperationDifference {
  const known = DIFFERENCES[variant]?.[operation];
  return {
    isOnlyHere: known?.route === true,
    partsOnlyHere: known?.onlyInB ?? [],
    partsOtherwise: known?.otherwise ?? [],
  };
}

/** Reads who calls a variant, with which program, and who has stopped calling. */
export async function readUsage(
  dataSource: DataSource,
  variant: string,
  lastDays: number,
): Promise<UsageReport> {
  const [period] = await dataSource.query<{ from: string; to: string }[]>(PERIOD, [lastDays]);
  const { from, to } = period as { from: string; to: string };
  const organisations = await dataSource.query<(UsingOrganisation & { operations: string[] })[]>(
    ORGANISATIONS,
    [variant, from],
  );
  const operations = await dataSource.query<UsedOperation[]>(OPERATIONS, [variant, from]);
  const days = await dataSource.query<UsedDay[]>(DAYS, [variant, from, to]);
  return {
    variant,
    from,
    to,
    requests: days.reduce((sum, { requests }) => sum + requests, 0),
    customers: organisations.map(({ operations: used, ...organisation }) => ({
      ...organisation,
      onlyHere: used.filter((operation) => isOnlyHere(differenceTo(variant, operation))),
    })),
    programs: await dataSource.query<UsingProgram[]>(PROGRAMS, [variant, from]),
    operations: operations.map((used) => ({ ...used, ...differenceTo(variant, used.operation) })),
    days,
  };
}

const isOnlyHere = ({ isOnlyHere: isRouteOnlyHere, partsOnlyHere }: OperationDifference): boolean =>
  isRouteOnlyHere || partsOnlyHere.length > 0;
