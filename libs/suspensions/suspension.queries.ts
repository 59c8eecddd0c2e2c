import { isSuspended } from '@app/access/suspended';
import { prepared } from '@app/core/database/prepared-queries';
import type { OrganisationState } from './suspension.types';

/**
 * The state of organisation $1 for a reader of organisation $2, or for an admin where $2 is null: over a reseller link
 * it may lie beneath organisations that the reader does not reach, of which only the fact is told. Who suspended is told
 * to whoever reaches that user, as in the audit log: not who it was of the operator or of organisations above.
 */
export const STATE_BY_ID = prepared<OrganisationState>(`
  SELECT o.id, o.name, ${isSuspended('o.id')} AS suspended, (
    SELECT coalesce(json_agg(json_build_object(
      'organisation', CASE WHEN reach.shown THEN json_build_object('id', holder.id, 'name', holder.name) END,
      'itself', s.itself, 'beneath', s.beneath,
      'reason', CASE WHEN reach.shown THEN s.reason ELSE '' END,
      'since', floor(extract(epoch FROM s.since)),
      'by', CASE WHEN reach.knows THEN json_build_object('id', s.by_user_id,
        'fullName', coalesce(u.first_name || ' ' || u.last_name, '')) END
    ) ORDER BY way.own DESC, s.since, s.id), '[]')
    FROM (
      SELECT o.id AS id, true AS own
      UNION ALL
      SELECT ancestor_id, false FROM organisation_closure WHERE descendant_id = o.id
    ) way
    CROSS JOIN LATERAL (SELECT * FROM suspensions WHERE organisation_id = way.id AND (way.own OR beneath) OFFSET 0) s
    JOIN organisations holder ON holder.id = way.id
    LEFT JOIN users u ON u.id = s.by_user_id AND u.deleted_at IS NULL
    CROSS JOIN LATERAL (SELECT way.own OR $2::integer IS NULL OR holder.id = $2 OR EXISTS (
      SELECT FROM organisation_closure WHERE ancestor_id = $2 AND descendant_id = holder.id) AS shown,
      $2::integer IS NULL OR s.by_organisation_id = $2 OR EXISTS (
        SELECT FROM organisation_closure WHERE ancestor_id = $2 AND descendant_id = s.by_organisation_id) AS knows) reach
  ) AS suspensions
  FROM organisations o WHERE o.id = $1 AND o.deleted_at IS NULL`);

/** Puts the actions on one organisation, its deletion and registrations in it one after the other. */
export const LOCK_ORGANISATION = `
  SELECT name FROM organisations WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE`;

/** What is known of an organisation before and after an action. */
export interface Standing {
  readonly suspended: boolean;
  readonly itself: boolean;
  readonly beneath: boolean;
  readonly mayChange: boolean;
}

/**
 * How organisation $1 stands, and whether its suspension is for a caller of organisation $2 to change, who is an admin
 * ($3) or not: it is, unless who suspended stands above the organisation and not within the caller's reach.
 */
export const STANDING = `
  SELECT ${isSuspended('o.id')} AS suspended, coalesce(s.itself, false) AS itself,
    coalesce(s.beneath, false) AS beneath,
    $3::boolean OR s.id IS NULL OR s.by_organisation_id = $2
      OR EXISTS (SELECT FROM organisation_closure
        WHERE ancestor_id = $2 AND descendant_id = s.by_organisation_id)
      OR NOT EXISTS (SELECT FROM organisation_closure
        WHERE ancestor_id = s.by_organisation_id AND descendant_id = o.id) AS "mayChange"
  FROM organisations o LEFT JOIN suspensions s ON s.organisation_id = o.id
  WHERE o.id = $1`;

/** Since when it is suspended stays; who disables last, and says why, counts from then on. */
export const SUSPEND = `
  INSERT INTO suspensions AS s (organisation_id, itself, beneath, reason, by_user_id, by_organisation_id)
  VALUES ($1, true, coalesce($2::boolean, false), $3, $4, $5)
  ON CONFLICT ON CONSTRAINT suspensions_once DO UPDATE SET
    itself = true, beneath = coalesce($2::boolean, s.beneath), reason = EXCLUDED.reason,
    by_user_id = EXCLUDED.by_user_id, by_organisation_id = EXCLUDED.by_organisation_id`;

/** The organisation comes back; what lies beneath it stays suspended. */
export const LIFT_FROM_ITSELF = `
  WITH ended AS (DELETE FROM suspensions WHERE organisation_id = $1 AND NOT beneath)
  UPDATE suspensions SET itself = false WHERE organisation_id = $1 AND beneath AND itself`;

export const LIFT = `DELETE FROM suspensions WHERE organisation_id = $1`;

/**
 * The next organisations beneath $1, behind the id $2, that are to be told what began ('disabled', $3) or ended
 * ('enabled') with the suspension of $1. Whom something else keeps out anyway notices nothing; nor is anybody told what
 * it was told last, so that it is right whatever has changed meanwhile, and a job may run again.
 */
export const NEXT_TOLD = `
  SELECT o.id, o.name
  FROM organisation_closure c JOIN organisations o ON o.id = c.descendant_id
  WHERE c.ancestor_id = $1 AND o.id > $2
    AND ${isSuspended('o.id')} = ($3::text = 'disabled')
    AND coalesce((SELECT n.type FROM notifications n
      WHERE n.organisation_id = o.id AND n.notification_group = 'Crm' AND n.entity_class = 'Organisation'
        AND n.entity_id = o.id AND n.type IN ('disabled', 'enabled')
      ORDER BY n.id DESC LIMIT 1), 'enabled') <> $3::text
  ORDER BY o.id LIMIT $4`;
