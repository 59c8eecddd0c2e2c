import type { DataSource } from 'typeorm';
import { differenceOf } from './differences';

/** Calls in the period of the plan. */
interface Calls {
  /** Calls divided by the days of the period. */
  readonly callsPerDay: number;
  /** The day of the last call, in UTC. */
  readonly lastCall: string;
}

interface PlannedOperation extends Calls {
  readonly operation: string;
  /** The difference in Variant A. */
  readonly inVariantA: string;
  /** The section of docs/variants.md about the difference; null if the operation works unchanged. */
  readonly section: string | null;
}

interface PlannedProgram extends Calls {
  readonly program: string;
  readonly operations: readonly PlannedOperation[];
}

/** An organisation whose users must leave Variant B. */
export interface PlannedOrganisation extends Calls {
  readonly organisationId: number;
  readonly name: string | null;
  readonly programs: readonly PlannedProgram[];
}

/** Calls without a credential belong to no organisation. Most calls first. */
const CALLS = `
  SELECT u.organisation_id AS "organisationId", o.name, u.program, u.operation, sum(u.requests)::bigint AS calls,
    to_char(max(u.day), 'YYYY-MM-DD') AS "lastCall"
  FROM variant_usage u LEFT JOIN organisations o ON o.id = u.organisation_id
  WHERE u.variant = 'B' AND u.organisation_id <> 0 AND u.day > (now() AT TIME ZONE 'UTC')::date - $1::integer
  GROUP BY u.organisation_id, o.name, u.program, u.operation
  ORDER BY sum(sum(u.requests)) OVER (PARTITION BY u.organisation_id) DESC, u.organisation_id,
    sum(sum(u.requests)) OVER (PARTITION BY u.organisation_id, u.program) DESC, u.program, calls DESC, u.operation`;

interface CountedCalls {
  readonly organisationId: number;
  readonly name: string | null;
  readonly program: string;
  readonly operation: string;
  readonly calls: number;
  readonly lastCall: string;
}

/**
 * Reads which organisations called Variant B in the last `days`, with which programs and operations, and
 * their counterparts in Variant A.
 */
export async function readPlan(dataSource: DataSource, days: number): Promise<PlannedOrganisation[]> {
  const calls = await dataSource.query<CountedCalls[]>(CALLS, [days]);
  const byOrganisation = grouped(calls, ({ organisationId }) => organisationId);
  return [...byOrganisation].map(([organisationId, its]) => ({
    organisationId,
    name: its[0]?.name ?? null,
    ...sumOf(its, days),
    programs: [...grouped(its, ({ program }) => program)].map(([program, used]) => ({
      program,
      ...sumOf(used, days),
      operations: used.map((one) => ({ ...sumOf([one], days), ...operationOf(one.operation) })),
    })),
  }));
}

function operationOf(operation: string): Omit<PlannedOperation, keyof Calls> {
  const { isOnlyInB, isSame, words } = differenceOf(operation);
  const heading = isOnlyInB ? 'Routes that only Variant B has' : operation;
  return {
    operation,
    inVariantA: words,
    section: isSame ? null : `docs/variants.md, "${heading}"`,
  };
}

const sumOf = (calls: readonly CountedCalls[], days: number): Calls => ({
  callsPerDay: calls.reduce((sum, one) => sum + one.calls, 0) / days,
  lastCall: calls.reduce((last, one) => (one.lastCall > last ? one.lastCall : last), ''),
});

/** Groups items by key. Groups keep the order of their first items. */
function grouped<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
