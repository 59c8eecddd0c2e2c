import { actorColumns, type ActorType } from '@app/feeds/audit/audited-act.queries';
import { prepared } from '@app/platform/database/pg-reads/database-reads';

/** A row of the log, masked for one organisation. */
export interface EventRow {
  readonly id: number;
  readonly at: Date;
  readonly action: 'insert' | 'update' | 'delete';
  readonly table: string;
  readonly recordId: number;
  readonly organisationId: number;
  /** Names of the changed columns. */
  readonly columns: readonly string[];
  /** Whether the update was a soft deletion. */
  readonly isEnded: boolean;
  readonly teamId: number | null;
  readonly granteeId: number | null;
  readonly toOrganisationId: number;
  readonly isBeneath: boolean;
  readonly actorType: ActorType;
  readonly actorId: number | null;
}

/**
 * The last event that no open transaction can precede: see the migration of `take_event_place`. The
 * statement reads rows as of its start and locks after that, so a lock is missing only if its
 * transaction has ended. Rows up to the result are complete for every later snapshot; a transaction with
 * REPEATABLE READ has no later one.
 */
export const SETTLED = prepared<{ readonly settled: number }>(`
  SELECT least(
    (SELECT coalesce(max(id), 0) FROM audit_log),
    (SELECT min((classid::bigint << 32 | objid::bigint) - (1::bigint << 62)) FROM pg_locks
      WHERE locktype = 'advisory' AND objsubid = 1 AND classid::bigint BETWEEN 1::bigint << 30 AND (1::bigint << 31) - 1
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))
  ) AS settled`);

/** Committed events of the organisation $1 after the settled event $2. */
export const UNSETTLED = prepared<{ readonly id: number }>(`
  SELECT event_id AS id FROM event_audience WHERE organisation_id = $1 AND event_id > $2 ORDER BY event_id`);

const ACTOR = actorColumns({ organisation: 't.organisation_id', admin: 'false' }, 't.organisation_id');

/** An update row of a grant contains only what changed, not the grantee. */
const GRANTEE = `CASE WHEN a.table_name = 'acls' THEN coalesce(
      (coalesce(a.after, a.before) ->> 'grantee_id')::integer,
      (SELECT grantee_id FROM acls WHERE id = a.record_id),
      (SELECT (made.after ->> 'grantee_id')::integer FROM audit_log made
        WHERE made.table_name = 'acls' AND made.record_id = a.record_id AND made.action = 'insert' LIMIT 1)) END`;

/** The events in the CTE `audience`: `t` is the audience, `a` the row of the log. */
const eventRows = (audience: string): string => `
  ${audience}
  SELECT a.id, a.at, a.action, a.table_name AS "table", a.record_id AS "recordId", a.organisation_id AS "organisationId",
    ARRAY(SELECT jsonb_object_keys(coalesce(a.after, a.before))) AS columns,
    a.action = 'update' AND a.after ->> 'deleted_at' IS NOT NULL AS "isEnded",
    (coalesce(a.after, a.before) ->> 'team_id')::integer AS "teamId",
    ${GRANTEE} AS "granteeId",
    t.organisation_id AS "toOrganisationId", t.beneath AS "isBeneath",
    ${ACTOR.type} AS "actorType", coalesce(${ACTOR.userId}, ${ACTOR.serviceKeyId}) AS "actorId"
  FROM audience t JOIN audit_log a ON a.id = t.event_id LEFT JOIN users actor ON actor.id = a.actor_user_id
  ORDER BY a.id, t.organisation_id`;

const feedPart = (beneath: boolean): string => `
  (SELECT * FROM event_audience WHERE organisation_id = $1 AND beneath = ${String(beneath)}
    AND event_id > $2 AND event_id <= $3 ORDER BY event_id LIMIT $4)`;

/** Events of the organisation $1, after $2, up to $3, at most $4. */
export const FEED = prepared<EventRow>(eventRows(`WITH audience AS ${feedPart(false)}`));

/** Includes events of organisations beneath. */
export const FEED_BENEATH = prepared<EventRow>(
  eventRows(`WITH audience AS (${feedPart(false)} UNION ALL ${feedPart(true)} ORDER BY event_id LIMIT $4)`),
);

/**
 * Events of all organisations after $1, up to $2, at most $3, one row for each
 * organisation of their audience.
 */
export const SWEEP = prepared<EventRow>(
  eventRows(`WITH audience AS (SELECT * FROM event_audience WHERE event_id = ANY (ARRAY(
    SELECT DISTINCT event_id FROM event_audience WHERE event_id > $1 AND event_id <= $2 ORDER BY event_id LIMIT $3)))`),
);
