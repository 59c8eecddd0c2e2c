import { mayLift } from '@app/people/organisations/suspended-links';
import { byKey } from '@app/platform/database/pg-reads/database-reads';
import { isSuspended } from '@app/security/access/access.queries';
import type { StateOfOrganisationResponse } from './suspensions.shapes';

/**
 * The state of organisation $1 for a reader of organisation $2, or for an admin if $2 is null. Through a
 * reseller link the organisation may lie beneath organisations out of the reader's reach; their suspensions
 * show no details. As in the audit log, only readers who reach the suspending user see that user: others see
 * no users of the operator or of organisations above.
 */
export const STATE_BY_ID = byKey<StateOfOrganisationResponse>(`
  SELECT o.id, o.name, CASE WHEN ${isSuspended('o.id')} THEN 'deactivated' ELSE 'ok' END AS status, (
    SELECT coalesce(json_agg(json_build_object(
      'organisation', CASE WHEN reach.shown THEN json_build_object('id', holder.id, 'name', holder.name) END,
      'itself', s.itself, 'withSubOrganisations', s.beneath,
      'reason', CASE WHEN reach.shown THEN s.reason ELSE '' END,
      'since', floor(extract(epoch FROM s.since))::text,
      'by', CASE WHEN reach.knows THEN json_build_object('id', coalesce(s.by_user_id, 0),
        'fullname', coalesce(u.first_name || ' ' || u.last_name, '')) END
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

/** Serialises actions on an organisation with its deletion and with registrations in it. */
export const LOCK_ORGANISATION = `
  SELECT name FROM organisations WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE`;

/** The state of an organisation before and after an action. */
export interface SuspensionState {
  readonly suspended: boolean;
  readonly itself: boolean;
  readonly beneath: boolean;
  readonly mayChange: boolean;
}

/**
 * The state of organisation $1 for a caller of organisation $2, an admin or not ($3). A caller must not
 * change a suspension by an organisation that is above $1 and out of the caller's reach.
 */
export const SUSPENSION_STATE = `
  SELECT ${isSuspended('o.id')} AS suspended, coalesce(s.itself, false) AS itself,
    coalesce(s.beneath, false) AS beneath,
    $3::boolean OR s.id IS NULL OR ${mayLift('s', '$2')} AS "mayChange"
  FROM organisations o LEFT JOIN suspensions s ON s.organisation_id = o.id
  WHERE o.id = $1`;

/** A repeated suspension keeps `since` and takes the new user and reason. */
export const SUSPEND = `
  INSERT INTO suspensions AS s (organisation_id, itself, beneath, reason, by_user_id, by_organisation_id)
  VALUES ($1, true, coalesce($2::boolean, false), $3, $4, $5)
  ON CONFLICT ON CONSTRAINT suspensions_once DO UPDATE SET
    itself = true, beneath = coalesce($2::boolean, s.beneath), reason = EXCLUDED.reason,
    by_user_id = EXCLUDED.by_user_id, by_organisation_id = EXCLUDED.by_organisation_id`;

/** Lifts the suspension of the organisation itself; organisations beneath it stay suspended. */
export const LIFT_FROM_ITSELF = `
  WITH ended AS (DELETE FROM suspensions WHERE organisation_id = $1 AND NOT beneath)
  UPDATE suspensions SET itself = false WHERE organisation_id = $1 AND beneath AND itself`;

export const LIFT = `DELETE FROM suspensions WHERE organisation_id = $1`;

/**
 * The next organisations beneath $1, after id $2, to notify that the suspension of $1 began ('disabled',
 * $3) or ended ('enabled'). Skips organisations that another suspension still disables, and
 * organisations whose last notification says the same. So the notifications stay correct after
 * concurrent changes, and the job may run again. What a client wrote counts for nothing: it could keep the
 * notifications from all others.
 */
export const NEXT_ORGANISATIONS = `
  SELECT o.id, o.name
  FROM organisation_closure c JOIN organisations o ON o.id = c.descendant_id
  WHERE c.ancestor_id = $1 AND o.id > $2
    AND ${isSuspended('o.id')} = ($3::text = 'disabled')
    AND coalesce((SELECT n.type FROM notifications n
      WHERE n.organisation_id = o.id AND n.notification_group = 'Crm' AND n.entity_class = 'Organisation'
        AND n.entity_id = o.id AND n.type IN ('disabled', 'enabled') AND NOT n.is_written
      ORDER BY n.id DESC LIMIT 1), 'enabled') <> $3::text
  ORDER BY o.id LIMIT $4`;
