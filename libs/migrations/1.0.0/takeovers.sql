-- What was done by a stolen account, from a change of its name until its restoration (rule recovery 34). The audit log is the one
-- place that knows who changed what, when, and what it was before: triggers write it with each change, no setting switches it off,
-- and the database keeps 30 days of it, ten times as long as a name can be restored.

-- Restorations, also earlier ones, are acts of the owner, and so is what the owner does after the restoration (`until`).
CREATE FUNCTION acts_by_hands(about text[], since timestamptz, until timestamptz, owner integer, persons integer[],
  keys integer[]) RETURNS SETOF audit_log LANGUAGE sql STABLE AS $$
    SELECT a.* FROM audit_log a
    WHERE a.table_name = ANY (about) AND a.at >= since AND a.actor_credential_kind IS DISTINCT FROM 'name_restoration'
      AND (a.actor_user_id = ANY (persons) AND NOT coalesce(a.actor_user_id = owner AND a.at > until, false)
        OR a.actor_credential_kind = 'service_key' AND a.actor_credential_id = ANY (keys))
  $$;
COMMENT ON FUNCTION acts_by_hands IS 'Changes of records of some tables, by users and service keys since a time.';

-- Changes of an invitation by which the actor answers for it from then on (rule users 20, rule recovery 36).
CREATE FUNCTION answers_for_invitation(changed jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE
  RETURN jsonb_exists_any(changed, ARRAY['email', 'first_name', 'last_name', 'language', 'token_digest', 'auto_roles',
    'auto_teams', 'inviter_id', 'inviter_organisation_id']);

CREATE FUNCTION invitations_of_hands(since timestamptz, until timestamptz, owner integer, persons integer[], keys integer[])
  RETURNS SETOF integer LANGUAGE sql STABLE AS $$
    SELECT DISTINCT a.record_id FROM acts_by_hands('{invitations}', since, until, owner, persons, keys) a
    WHERE answers_for_invitation(a.after) AND NOT EXISTS (
      SELECT FROM audit_log later
      WHERE later.table_name = 'invitations' AND later.record_id = a.record_id AND later.id > a.id
        AND (later.actor_user_id IS NOT NULL OR later.actor_credential_kind = 'service_key')
        AND answers_for_invitation(later.after))
  $$;
COMMENT ON FUNCTION invitations_of_hands IS
  'Invitations that hands made, changed or sent again, and that nobody has changed or sent again since.';

-- A loop, because each of those who acted may have brought in others. The owner is the first.
CREATE FUNCTION hands_of(owner integer, since timestamptz, until timestamptz, OUT persons integer[], OUT keys integer[])
  LANGUAGE plpgsql STABLE AS $$
  DECLARE
    new_persons integer[] := ARRAY[owner];
    new_keys integer[] := '{}';
  BEGIN
    persons := '{}';
    keys := '{}';
    WHILE cardinality(new_persons) + cardinality(new_keys) > 0 LOOP
      persons := persons || new_persons;
      keys := keys || new_keys;
      WITH acts AS MATERIALIZED (
        SELECT a.table_name, a.action, a.record_id FROM
          acts_by_hands('{service_keys,users}', since, until, owner, new_persons, new_keys) a
      ), made AS (
        SELECT table_name, record_id AS id FROM acts WHERE action = 'insert'
        UNION
        SELECT 'users', u.id FROM invitations_of_hands(since, until, owner, new_persons, new_keys) AS invitation
          JOIN users u ON u.invitation_id = invitation
      )
      SELECT coalesce(array_agg(id) FILTER (WHERE table_name = 'users' AND id <> ALL (persons)), '{}'),
        coalesce(array_agg(id) FILTER (WHERE table_name = 'service_keys' AND id <> ALL (keys)), '{}')
      INTO new_persons, new_keys FROM made;
    END LOOP;
  END $$;
COMMENT ON FUNCTION hands_of IS
  'Who acted by a stolen account: its user, users whom one of them made or who registered by the invitation of one of them, and service keys that one of them made.';

CREATE FUNCTION changes_by_hands(about text, columns text[], since timestamptz, until timestamptz, owner integer,
  persons integer[], keys integer[]) RETURNS TABLE (id integer, is_made boolean, was jsonb)
  LANGUAGE sql STABLE AS $$
    WITH acts AS MATERIALIZED (
      SELECT a.id, a.record_id FROM acts_by_hands(ARRAY[about], since, until, owner, persons, keys) a
    ), settings AS (
      SELECT a.id, a.record_id, a.action, a.before, named.name, acts.id IS NOT NULL AS is_by_hands,
        max(a.id) FILTER (WHERE acts.id IS NULL) OVER (PARTITION BY a.record_id, named.name) AS last_by_others
      FROM (SELECT DISTINCT record_id FROM acts) touched
      -- OFFSET keeps PostgreSQL from reading the whole log where it expects many records.
      CROSS JOIN LATERAL (
        SELECT * FROM audit_log WHERE table_name = about AND record_id = touched.record_id OFFSET 0) a
      CROSS JOIN unnest(columns) AS named (name)
      LEFT JOIN acts ON acts.id = a.id
      WHERE a.action = 'insert' OR (a.action = 'update' AND jsonb_exists(a.after, named.name))
    ), standing AS (
      SELECT DISTINCT ON (s.record_id, s.name) s.record_id, s.name, s.before -> s.name AS was FROM settings s
      WHERE s.is_by_hands AND s.id > coalesce(s.last_by_others, 0) ORDER BY s.record_id, s.name, s.id
    ), former AS (
      SELECT record_id, jsonb_object_agg(name, was) AS was FROM standing GROUP BY record_id
    )
    SELECT s.record_id, bool_or(s.action = 'insert' AND s.is_by_hands), coalesce(f.was, '{}')
    FROM settings s LEFT JOIN former f ON f.record_id = s.record_id
    GROUP BY s.record_id, f.was ORDER BY s.record_id
  $$;
COMMENT ON FUNCTION changes_by_hands IS
  'Records that hands made or changed. `was` has the columns that nobody else has set since, as they were before; null in a record that hands made.';

CREATE FUNCTION removals_by_hands(about text, since timestamptz, until timestamptz, owner integer, persons integer[],
  keys integer[]) RETURNS TABLE (id integer, was jsonb) LANGUAGE sql STABLE AS $$
    WITH acts AS MATERIALIZED (
      SELECT a.id, a.action, a.record_id, a.before FROM acts_by_hands(ARRAY[about], since, until, owner, persons, keys) a
    )
    SELECT gone.record_id, gone.before FROM acts gone
    WHERE gone.action = 'delete'
      AND NOT EXISTS (SELECT FROM acts made WHERE made.record_id = gone.record_id AND made.action = 'insert')
    ORDER BY gone.id
  $$;
COMMENT ON FUNCTION removals_by_hands IS 'Records that hands deleted and had not made themselves, as they were.';
