-- Events (rule events 2, rule events 14) are rows of the audit log, in the order of their ids. Two things make them a feed.

-- Places: a transaction draws ids before it commits, so a higher id may be visible before a lower one. Before its first row,
-- each transaction takes a shared advisory lock whose key holds the last id drawn by then. The lock goes when the rows are
-- visible. All ids up to the lowest such key are settled: no transaction can add one (libs/feeds/events/event.queries.ts). Unlike
-- transaction numbers, ids survive a dump and restore, and transactions that write no row hold nothing up.
-- For each statement, because defaults such as the id are computed before triggers for each row. The setting ends with the
-- transaction or savepoint, as the lock does.
CREATE FUNCTION take_event_place() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF coalesce(current_setting('audit.place', true), '') = '' THEN
      PERFORM pg_advisory_xact_lock_shared((1::bigint << 62) + CASE WHEN is_called THEN last_value ELSE 0 END)
        FROM @schema@.audit_log_id_seq;
      PERFORM set_config('audit.place', 'taken', true);
    END IF;
    RETURN NULL;
  END $$;
CREATE TRIGGER audit_log_place BEFORE INSERT ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION take_event_place();

-- Audience: the organisation of the record, and the organisations above it at that moment. An index of the log cannot contain it,
-- because the tree is another table and changes. A deleted organisation keeps its links, so those above still get its events.
CREATE TABLE event_audience (
  event_id bigint NOT NULL,
  organisation_id integer NOT NULL,
  beneath boolean NOT NULL,
  CONSTRAINT event_audience_pkey PRIMARY KEY (event_id, organisation_id)
);
COMMENT ON TABLE event_audience IS
  'Organisations that a row of audit_log is told to: its own, and those above it when it was written.';
CREATE INDEX event_audience_of_organisation ON event_audience (organisation_id, beneath, event_id);

-- The arguments are tables with rows that are events, or changes of a team. Organisations above the old and the new place of a
-- moved organisation get the event. OFFSET 0 makes the planner look up each row and organisation by index.
CREATE FUNCTION note_event_audience(ids bigint[]) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    WITH RECURSIVE entry AS (
      SELECT a.* FROM unnest(ids) AS given (id)
        CROSS JOIN LATERAL (SELECT * FROM @schema@.audit_log WHERE audit_log.id = given.id OFFSET 0) a
      WHERE a.organisation_id IS NOT NULL AND a.table_name = ANY (string_to_array(
        'organisations users contacts teams team_members team_entities invitations ssh_keys api_keys service_keys acls '
        'suspensions documents brands', ' '))
    ), told (event_id, organisation_id, beneath) AS (
      (SELECT id, organisation_id, false FROM entry
      UNION
      SELECT id, (before ->> link)::integer, true FROM entry, unnest('{parent_id,reseller_id}'::text[]) link
        WHERE table_name = 'organisations' AND action = 'update' AND before ->> link IS NOT NULL)
      UNION
      SELECT told.event_id, above.id, true FROM told CROSS JOIN LATERAL (
        SELECT link.id FROM @schema@.organisations o
          CROSS JOIN LATERAL (VALUES (o.parent_id), (o.reseller_id)) link (id)
        WHERE o.id = told.organisation_id AND link.id IS NOT NULL OFFSET 0
      ) above
    )
    INSERT INTO @schema@.event_audience (event_id, organisation_id, beneath)
    SELECT told.event_id, told.organisation_id, bool_and(told.beneath) FROM told
    GROUP BY told.event_id, told.organisation_id
    ON CONFLICT DO NOTHING;
  END $$;

CREATE FUNCTION note_event_audience() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM @schema@.note_event_audience(ARRAY(SELECT id FROM inserted));
    RETURN NULL;
  END $$;
CREATE TRIGGER audit_log_audience AFTER INSERT ON audit_log REFERENCING NEW TABLE AS inserted
  FOR EACH STATEMENT EXECUTE FUNCTION note_event_audience();

CREATE FUNCTION forget_event_audience() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    DELETE FROM @schema@.event_audience told USING touched WHERE told.event_id = touched.id;
    RETURN NULL;
  END $$;
CREATE TRIGGER audit_log_forgets_audience AFTER DELETE ON audit_log REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION forget_event_audience();
