-- Refused credentials, denials and lock-outs in the audit log. A function with the rights of its owner writes them, as triggers
-- do: a role that only serves requests has no right to write there. All processes together add at most 10,000 rows a day about
-- strangers and 10,000 about callers with a valid credential, so that neither group displaces the other. A last row of each group
-- says that others were left out.

CREATE TABLE refusal_days (
  day date NOT NULL,
  of_strangers boolean NOT NULL,
  rows integer NOT NULL DEFAULT 0 CONSTRAINT refusal_days_rows_bounded CHECK (rows BETWEEN 0 AND 10000),
  is_told boolean NOT NULL DEFAULT false,
  CONSTRAINT refusal_days_pkey PRIMARY KEY (day, of_strangers)
);
COMMENT ON TABLE refusal_days IS 'How many rows of refusals the audit log got today.';
COMMENT ON COLUMN refusal_days.is_told IS 'A row of the audit log says that refusals were left out.';

CREATE FUNCTION audit_refusals_of_day(refusals jsonb) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = @schema@, pg_temp AS $$
      DECLARE
        today date := (now() AT TIME ZONE 'UTC')::date;
        strangers boolean;
        state refusal_days;
        written integer;
        lost bigint;
        all_lost bigint := 0;
      BEGIN
        DELETE FROM refusal_days WHERE day < today;
        FOREACH strangers IN ARRAY ARRAY[false, true] LOOP
          -- Locks the row: processes count one after the other.
          INSERT INTO refusal_days AS d (day, of_strangers) VALUES (today, strangers)
            ON CONFLICT ON CONSTRAINT refusal_days_pkey DO UPDATE SET rows = d.rows RETURNING * INTO state;
          WITH known AS (
            SELECT reason, network, caller_id, credential_id, kind, user_id, organisation_id, name_digest, sum(count) AS count,
              min(since) AS since, max(until) AS until,
              row_number() OVER (ORDER BY user_id IS NULL AND credential_id IS NULL, min(since)) AS place
            FROM (
              SELECT told.*, coalesce(u.organisation_id, told.key_organisation_id) AS organisation_id FROM (
                SELECT r.reason, r.network, r.count, r.since, r.until, r.user_id AS caller_id, r.credential_id,
                  CASE WHEN r.user_id IS NULL AND r.credential_id IS NULL THEN 'stranger' ELSE r.kind END AS kind,
                  coalesce(r.user_id, named.id, held.user_id) AS user_id,
                  coalesce(r.organisation_id, held.organisation_id) AS key_organisation_id,
                  CASE WHEN named.id IS NULL THEN r.name_digest END AS name_digest
                FROM jsonb_to_recordset(refusals) AS r (reason text, network text, user_id integer, credential_id integer,
                  organisation_id integer, kind text, name text, name_digest text, credential_digest text, count integer, since timestamptz, until timestamptz)
                LEFT JOIN users named ON fold_case(named.username) = r.name AND named.deleted_at IS NULL
                LEFT JOIN LATERAL (
                  SELECT user_id, NULL::integer AS organisation_id FROM api_keys WHERE digest = decode(r.credential_digest, 'hex')
                  UNION ALL
                  SELECT user_id, NULL FROM logins WHERE digest = decode(r.credential_digest, 'hex')
                  UNION ALL
                  SELECT NULL, organisation_id FROM service_keys WHERE digest = decode(r.credential_digest, 'hex')
                  LIMIT 1
                ) held ON true
                WHERE (r.user_id IS NULL AND r.credential_id IS NULL) = strangers
              ) told LEFT JOIN users u ON u.id = told.user_id
            ) found
            GROUP BY reason, network, caller_id, credential_id, kind, user_id, organisation_id, name_digest
          ), kept AS (
            INSERT INTO audit_log (actor_user_id, actor_credential_kind, actor_credential_id, actor_name, address, action,
              table_name, record_id, organisation_id, after)
            SELECT caller_id, kind, credential_id,
              (SELECT k.name FROM service_keys k WHERE k.id = credential_id), network, 'refuse', 'refusals', coalesce(user_id, 0), organisation_id,
              jsonb_strip_nulls(jsonb_build_object('reason', reason, 'count', count, 'since', since, 'until', until,
                'name_digest', name_digest))
            FROM known WHERE place <= 10000 - state.rows
            RETURNING 1
          )
          SELECT (SELECT count(*) FROM kept), coalesce(sum(count) FILTER (WHERE place > 10000 - state.rows), 0)
            INTO written, lost FROM known;
          IF lost > 0 AND NOT state.is_told THEN
            INSERT INTO audit_log (actor_credential_kind, action, table_name, record_id, after)
            VALUES (CASE WHEN strangers THEN 'stranger' END, 'refuse', 'refusals', 0,
              jsonb_build_object('reason', 'LEFT_OUT', 'since', now()));
          END IF;
          UPDATE refusal_days SET rows = rows + written, is_told = is_told OR lost > 0
            WHERE day = today AND of_strangers = strangers;
          all_lost := all_lost + lost;
        END LOOP;
        RETURN all_lost;
      END $$;
COMMENT ON FUNCTION audit_refusals_of_day IS
  'A row of audit_log for all refusals that have reason, network and whom they are about in common, up to the rows of a day; returns how many refusals were left out. Names and digests of credentials find their users and are not stored.';

-- For callers that do not ask how many were left out.
CREATE FUNCTION audit_refusals(refusals jsonb) RETURNS void LANGUAGE sql SECURITY DEFINER
  SET search_path = @schema@, pg_temp AS $$ SELECT audit_refusals_of_day(refusals) $$;
COMMENT ON FUNCTION audit_refusals IS
  'A row of audit_log for all refusals that have reason, network and whom they are about in common. Names and digests of credentials find their users and are not stored.';
