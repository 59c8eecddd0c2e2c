import { isOwnOf, isShownTo } from '@app/people/teams/team-reach';
import { byKey, prepared } from '@app/platform/database/pg-reads/database-reads';
import { ENTITY_KINDS } from '@app/records/entities/entity.types';
import { type AccessRow, accessRows, isSuspended } from '@app/security/access/access.queries';
import { isChosenByGrant } from '@app/security/access/chosen-users';
import { freshLoginOf, serviceKeyWith } from '@app/security/access/credential.queries';

/** Input of a decision: the guard's row, with two more facts about a record of the register. */
export interface EvaluatedRow extends AccessRow {
  /** Whether a team of the user holds the record. */
  readonly held: boolean;
  /** Whether the organisation that owns the record is suspended. */
  readonly owner_suspended: boolean;
}

const IS_REGISTERED = `asked.type IN (${ENTITY_KINDS.map((kind) => `'${kind}'`).join(', ')})`;

/** SQL for the organisation of the resource. */
const ORGANISATION = `CASE asked.type
      WHEN 'organisation' THEN asked.id
      WHEN 'user' THEN (SELECT organisation_id FROM users WHERE id = asked.id AND deleted_at IS NULL)
      WHEN 'team' THEN (SELECT organisation_id FROM teams WHERE id = asked.id)
      ELSE (SELECT organisation_id FROM entities WHERE kind = asked.type AND object_id = asked.id) END`;

/** The row of one pair. */
export interface JudgedRow extends EvaluatedRow {
  /** Of the pair in the parameters, from 1. */
  readonly position: number;
}

/**
 * Runs the guard's query for every pair of a subject (user $1 or service key $2) and a resource (type $3, id
 * $4). There is no row if the subject can have no valid credential.
 */
const JUDGED = `/* authzen */
  SELECT asked.position::integer, access.*
  FROM unnest($1::integer[], $2::integer[], $3::text[], $4::integer[]) WITH ORDINALITY
    asked (user_id, key_id, type, id, position)
  CROSS JOIN LATERAL (${accessRows({
    credential: `${freshLoginOf('asked.user_id')} WHERE asked.user_id IS NOT NULL
      UNION ALL ${serviceKeyWith('id = asked.key_id')}`,
    more: `CASE WHEN ${IS_REGISTERED} THEN ${isSuspended('addressed.id')} ELSE false END AS owner_suspended,
      CASE WHEN ${IS_REGISTERED} THEN EXISTS (
        SELECT 1 FROM team_members m JOIN teams t ON t.id = m.team_id
        JOIN team_entities e ON e.team_id = t.id AND e.kind = asked.type || 's' AND e.object_id = asked.id
        JOIN entities r ON r.kind = asked.type AND r.object_id = asked.id AND ${isShownTo('t')}
        WHERE m.user_id = caller.id AND (${isOwnOf('t')} OR NOT ${isChosenByGrant('caller')})) ELSE false END AS held,`,
    organisation: ORGANISATION,
    user: `CASE WHEN asked.type = 'user' THEN asked.id END`,
  })}) access`;

export const JUDGED_ONCE = byKey<JudgedRow>(JUDGED);
/** Of many pairs; holds a connection for some milliseconds. */
export const JUDGED_TOGETHER = prepared<JudgedRow>(JUDGED);

/** Why a subject can have no valid credential. */
export interface SubjectState {
  readonly type: 'user' | 'service_key';
  readonly id: number;
  readonly enabled: boolean;
  readonly suspended: boolean;
  readonly expired: boolean;
}

/** Users $1 and service keys $2, also those without a valid credential. */
export const SUBJECT_STATES = byKey<SubjectState>(`
  SELECT 'user' AS type, u.id, u.enabled, ${isSuspended('u.organisation_id')} AS suspended, false AS expired
  FROM users u WHERE u.id = ANY ($1::integer[]) AND u.deleted_at IS NULL
  UNION ALL
  SELECT 'service_key', k.id, true, ${isSuspended('k.organisation_id')}, k.expires_at <= now()
  FROM service_keys k WHERE k.id = ANY ($2::integer[])`);
