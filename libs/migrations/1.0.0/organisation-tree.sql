-- The organisations beneath an organisation, over parent and reseller links. Triggers maintain the tree, so that no writer can
-- break it. No path from the operator organisation down is longer than 32 organisations (rule organisations 19).

CREATE TABLE organisation_closure (
  ancestor_id integer NOT NULL CONSTRAINT organisation_closure_ancestor_exists REFERENCES organisations,
  descendant_id integer NOT NULL CONSTRAINT organisation_closure_descendant_exists REFERENCES organisations,
  CONSTRAINT organisation_closure_pkey PRIMARY KEY (ancestor_id, descendant_id),
  CONSTRAINT organisation_closure_no_circle CHECK (ancestor_id <> descendant_id)
);
COMMENT ON TABLE organisation_closure IS
  'descendant lies beneath ancestor over parent and reseller links, to any depth; deleted organisations have no rows.';
CREATE INDEX organisation_closure_by_descendant ON organisation_closure (descendant_id);

CREATE FUNCTION lock_organisation_tree() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_advisory_xact_lock(7218450001);
    RETURN NULL;
  END $$;
COMMENT ON FUNCTION lock_organisation_tree IS
  'One change of the tree at a time: a circle can be closed by two moves of which neither closes one.';
-- Takes the lock of the tree before any row is locked, so that a waiting transaction holds no row that the owner needs.
CREATE TRIGGER organisation_tree_lock BEFORE INSERT OR UPDATE OF parent_id, reseller_id, deleted_at, is_reseller
  ON organisations FOR EACH STATEMENT EXECUTE FUNCTION lock_organisation_tree();

-- A customer is the last organisation on the way up before the operator or a reseller, with all beneath it up to the next
-- customer (rule organisations 22). It is the unit of shares and limits, so it is stored: each request reads it.

CREATE FUNCTION next_up(parent integer, reseller integer) RETURNS integer LANGUAGE sql IMMUTABLE
  RETURN CASE WHEN parent <> 1 THEN parent ELSE coalesce(reseller, parent) END;
COMMENT ON FUNCTION next_up IS
  'The organisation that the way up leads to: the parent, or the reseller where the parent is the operator.';

CREATE FUNCTION customer_of(placed organisations) RETURNS integer LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN above.id = 1 OR above.is_reseller THEN placed.id ELSE above.customer_id END
    FROM organisations above WHERE above.id = next_up(placed.parent_id, placed.reseller_id)
  $$;
COMMENT ON FUNCTION customer_of IS 'From the customer of the next organisation up; null where there is none.';

CREATE FUNCTION acting_customer(organisation integer) RETURNS integer LANGUAGE sql STABLE
  RETURN coalesce((nullif(current_setting('audit.actor', true), '')::jsonb ->> 'customerId')::integer,
    (SELECT customer_id FROM organisations WHERE id = organisation));
COMMENT ON FUNCTION acting_customer IS
  'The customer that acts in this transaction, the operator too; where nobody does, that of the organisation.';

-- The organisation above can be inserted later by the same statement; the trigger after it then writes the customer again.
CREATE FUNCTION place_with_customer() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.customer_id := coalesce(customer_of(NEW), NEW.id);
    RETURN NEW;
  END $$;
CREATE TRIGGER organisation_customer BEFORE INSERT ON organisations
  FOR EACH ROW EXECUTE FUNCTION place_with_customer();

-- Writes the customer of an organisation and of those whose way up leads over it, as far as they change. Those beneath a
-- reseller do not depend on its customer, so that the move of a reseller writes one row.
CREATE FUNCTION write_customers(start integer, changes_reseller boolean) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    before organisations;
    own integer;
  BEGIN
    SELECT * INTO before FROM organisations WHERE id = start;
    own := coalesce(customer_of(before), start);
    IF own <> before.customer_id THEN
      UPDATE organisations SET customer_id = own WHERE id = start;
    ELSIF NOT changes_reseller THEN
      RETURN;
    END IF;
    IF before.is_reseller AND NOT changes_reseller THEN
      RETURN;
    END IF;
    WITH RECURSIVE branch AS MATERIALIZED (
      SELECT o.id, o.customer_id, o.is_reseller, next_up(o.parent_id, o.reseller_id) AS above_id
      FROM organisation_closure c JOIN organisations o ON o.id = c.descendant_id WHERE c.ancestor_id = start
    ), placed (id, customer_id, is_reseller) AS (
      SELECT start, own, before.is_reseller OR start = 1
      UNION ALL
      SELECT branch.id, CASE WHEN placed.is_reseller THEN branch.id ELSE placed.customer_id END, branch.is_reseller
      FROM placed JOIN branch ON branch.above_id = placed.id
      WHERE placed.id = start OR NOT placed.is_reseller
    )
    UPDATE organisations o SET customer_id = placed.customer_id FROM placed
    WHERE o.id = placed.id AND o.customer_id <> placed.customer_id;
  END $$;

-- Links organisations that one statement inserts together, in any order: an import writes hundreds at a time, and the count
-- beneath the operator organisation is written once for all of them. OFFSET 0 makes the planner look up each organisation by
-- index: it does not know how few rows a transition table has, and would otherwise read all organisations at each step up.
CREATE FUNCTION link_inserted_organisations() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    link_to_blame text;
  BEGIN
    IF EXISTS (SELECT 1 FROM inserted i JOIN organisations o ON o.id = i.parent_id WHERE o.deleted_at IS NOT NULL) THEN
      RAISE foreign_key_violation USING CONSTRAINT = 'organisations_parent_exists', MESSAGE = 'parent is deleted';
    END IF;
    IF EXISTS (SELECT 1 FROM inserted i JOIN organisations o ON o.id = i.reseller_id WHERE o.deleted_at IS NOT NULL) THEN
      RAISE foreign_key_violation USING CONSTRAINT = 'organisations_reseller_exists', MESSAGE = 'reseller is deleted';
    END IF;

    WITH RECURSIVE link (descendant_id, ancestor_id) AS (
      SELECT id, parent_id FROM inserted WHERE parent_id IS NOT NULL AND deleted_at IS NULL
      UNION
      SELECT id, reseller_id FROM inserted WHERE reseller_id IS NOT NULL AND deleted_at IS NULL
    ), among_inserted AS (
      SELECT descendant_id, ancestor_id FROM link
      UNION
      SELECT a.descendant_id, link.ancestor_id FROM among_inserted a JOIN link ON link.descendant_id = a.ancestor_id
    ), above AS (
      SELECT descendant_id, ancestor_id FROM among_inserted
      UNION
      SELECT a.descendant_id, before.ancestor_id FROM among_inserted a CROSS JOIN LATERAL (
        SELECT c.ancestor_id FROM organisation_closure c WHERE c.descendant_id = a.ancestor_id OFFSET 0
      ) before
    ), added AS (
      -- A circle among the inserted ends at the constraint organisation_closure_no_circle.
      INSERT INTO organisation_closure (descendant_id, ancestor_id) SELECT descendant_id, ancestor_id FROM above
      RETURNING ancestor_id
    ), more AS (
      SELECT ancestor_id, count(*) AS rows FROM added GROUP BY ancestor_id
    )
    UPDATE organisations o SET beneath_count = beneath_count + more.rows FROM more WHERE o.id = more.ancestor_id;

    -- OFFSET 0 keeps the question to the new rows: else a plan may ask it of every organisation for each of them.
    PERFORM write_customers(o.id, false)
      FROM inserted i CROSS JOIN LATERAL (SELECT placed.* FROM organisations placed WHERE placed.id = i.id OFFSET 0) o
      WHERE o.customer_id <> customer_of(o);

    WITH RECURSIVE way (start, link, id, steps) AS (
      SELECT id, 'parent', parent_id, 2 FROM inserted WHERE parent_id IS NOT NULL
      UNION
      SELECT id, 'reseller', reseller_id, 2 FROM inserted WHERE reseller_id IS NOT NULL
      UNION
      SELECT way.start, way.link, next.id, way.steps + 1
      FROM way CROSS JOIN LATERAL (
        SELECT link.id FROM organisations o CROSS JOIN LATERAL (VALUES (o.parent_id), (o.reseller_id)) link (id)
        WHERE o.id = way.id AND link.id IS NOT NULL OFFSET 0
      ) next
      WHERE way.steps <= 32
    ) SELECT link INTO link_to_blame FROM way WHERE steps > 32 LIMIT 1;
    IF link_to_blame IS NOT NULL THEN
      RAISE check_violation USING CONSTRAINT = format('organisations_%s_depth', link_to_blame),
        MESSAGE = format('too deep over %s', link_to_blame);
    END IF;
    RETURN NULL;
  END $$;
CREATE TRIGGER organisation_tree_insert AFTER INSERT ON organisations REFERENCING NEW TABLE AS inserted
  FOR EACH STATEMENT EXECUTE FUNCTION link_inserted_organisations();

-- A link to a deleted organisation is as impossible as one to an organisation that never was.
CREATE FUNCTION refuse_deleted_link(linked organisations) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    IF EXISTS (SELECT 1 FROM organisations WHERE id = linked.parent_id AND deleted_at IS NOT NULL) THEN
      RAISE foreign_key_violation USING CONSTRAINT = 'organisations_parent_exists', MESSAGE = 'parent is deleted';
    END IF;
    IF EXISTS (SELECT 1 FROM organisations WHERE id = linked.reseller_id AND deleted_at IS NOT NULL) THEN
      RAISE foreign_key_violation USING CONSTRAINT = 'organisations_reseller_exists', MESSAGE = 'reseller is deleted';
    END IF;
  END $$;

-- Ways are followed a step further than allowed and no more.
CREATE FUNCTION longest_way_up(start integer) RETURNS integer LANGUAGE sql STABLE AS $$
    WITH RECURSIVE above (id, steps) AS (
      SELECT start, 1
      UNION
      SELECT link.id, above.steps + 1
      FROM above JOIN organisations o ON o.id = above.id
      CROSS JOIN LATERAL (VALUES (o.parent_id), (o.reseller_id)) link (id)
      WHERE link.id IS NOT NULL AND above.steps <= 32
    ) SELECT max(steps) FROM above
  $$;
COMMENT ON FUNCTION longest_way_up IS 'Organisations on the longest way up to the operator organisation, both ends counted.';

-- Reads the links of the branch once. Nearly all organisations have the operator as their parent, so the planner expects
-- thousands beneath each: looking up one member after the other, it would read all organisations for each.
CREATE FUNCTION longest_way_down(start integer) RETURNS integer LANGUAGE sql STABLE AS $$
    WITH RECURSIVE link (above_id, id) AS MATERIALIZED (
      SELECT above.id, o.id
      FROM organisation_closure c JOIN organisations o ON o.id = c.descendant_id
      CROSS JOIN LATERAL (VALUES (o.parent_id), (o.reseller_id)) above (id)
      WHERE c.ancestor_id = start AND above.id IS NOT NULL
    ), below (id, steps) AS (
      SELECT start, 1
      UNION
      SELECT link.id, below.steps + 1
      FROM below JOIN link ON link.above_id = below.id
      WHERE below.steps <= 32
    ) SELECT max(steps) FROM below
  $$;
COMMENT ON FUNCTION longest_way_down IS 'Organisations on the longest way down from an organisation, itself counted.';

CREATE FUNCTION refuse_long_way(linked organisations, parent integer, reseller integer) RETURNS void
  LANGUAGE plpgsql AS $$
  DECLARE
    down integer := CASE WHEN parent IS NOT NULL OR reseller IS NOT NULL THEN longest_way_down(linked.id) END;
  BEGIN
    IF parent IS NOT NULL AND longest_way_up(parent) + down > 32 THEN
      RAISE check_violation USING CONSTRAINT = 'organisations_parent_depth', MESSAGE = 'too deep over parent';
    END IF;
    IF reseller IS NOT NULL AND longest_way_up(reseller) + down > 32 THEN
      RAISE check_violation USING CONSTRAINT = 'organisations_reseller_depth', MESSAGE = 'too deep over reseller';
    END IF;
  END $$;

-- Links a branch (an organisation and all beneath it) with the organisations that are now above it. Writes only links that
-- change, so that the lock of all tree changes is held for a short time. Rows within the branch do not change: no path between
-- two of its members leads outside.
CREATE FUNCTION link_organisation(linked integer) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    branch integer[] := ARRAY(
      SELECT linked UNION ALL SELECT descendant_id FROM organisation_closure WHERE ancestor_id = linked);
  BEGIN
    -- The ways that lead into the branch from outside, each with the member that it enters at.
    WITH members AS (
      SELECT id, parent_id, reseller_id FROM organisations WHERE id = ANY (branch)
    ), entering AS (
      SELECT id AS descendant_id, parent_id AS ancestor_id FROM members
      WHERE parent_id IS NOT NULL AND NOT parent_id = ANY (branch)
      UNION
      SELECT id, reseller_id FROM members
      WHERE reseller_id IS NOT NULL AND NOT reseller_id = ANY (branch)
    ), reached AS (
      SELECT descendant_id, ancestor_id FROM entering
      UNION
      SELECT e.descendant_id, c.ancestor_id FROM entering e
      JOIN organisation_closure c ON c.descendant_id = e.ancestor_id
    ), wanted AS MATERIALIZED (
      SELECT descendant_id, ancestor_id FROM reached
      UNION
      SELECT c.descendant_id, r.ancestor_id FROM reached r
      JOIN organisation_closure c ON c.ancestor_id = r.descendant_id
    ), present AS MATERIALIZED (
      SELECT descendant_id, ancestor_id FROM organisation_closure
      WHERE descendant_id = ANY (branch) AND NOT ancestor_id = ANY (branch)
    ), removed AS (
      DELETE FROM organisation_closure c
      USING (SELECT * FROM present EXCEPT SELECT * FROM wanted) surplus
      WHERE c.ancestor_id = surplus.ancestor_id AND c.descendant_id = surplus.descendant_id
      RETURNING c.ancestor_id
    ), added AS (
      INSERT INTO organisation_closure (descendant_id, ancestor_id)
      SELECT * FROM wanted EXCEPT SELECT * FROM present
      RETURNING ancestor_id
    ), changed AS (
      SELECT ancestor_id, sum(by) AS by FROM (
        SELECT ancestor_id, -1 AS by FROM removed UNION ALL SELECT ancestor_id, 1 FROM added
      ) links GROUP BY ancestor_id HAVING sum(by) <> 0
    )
    UPDATE organisations o SET beneath_count = beneath_count + changed.by
    FROM changed WHERE o.id = changed.ancestor_id;
  END $$;

CREATE FUNCTION organisation_tree_update() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NEW.deleted_at IS NOT NULL THEN
      IF EXISTS (SELECT 1 FROM organisation_closure WHERE ancestor_id = NEW.id) THEN
        RAISE restrict_violation USING CONSTRAINT = 'organisations_nothing_beneath',
          MESSAGE = 'organisations lie beneath it';
      END IF;
      IF EXISTS (SELECT 1 FROM users
        WHERE organisation_id = NEW.id AND enabled AND deleted_at IS NULL) THEN
        RAISE restrict_violation USING CONSTRAINT = 'organisations_no_enabled_users',
          MESSAGE = 'it still has enabled users';
      END IF;
      WITH removed AS (
        DELETE FROM organisation_closure WHERE descendant_id = NEW.id RETURNING ancestor_id
      )
      UPDATE organisations SET beneath_count = beneath_count - 1 WHERE id IN (SELECT ancestor_id FROM removed);
      RETURN NULL;
    END IF;
    PERFORM refuse_deleted_link(NEW);
    IF EXISTS (SELECT 1 FROM organisation_closure
      WHERE ancestor_id = NEW.id AND descendant_id = NEW.parent_id) THEN
      RAISE check_violation USING CONSTRAINT = 'organisations_parent_no_circle', MESSAGE = 'circle over parent';
    END IF;
    IF EXISTS (SELECT 1 FROM organisation_closure
      WHERE ancestor_id = NEW.id AND descendant_id = NEW.reseller_id) THEN
      RAISE check_violation USING CONSTRAINT = 'organisations_reseller_no_circle', MESSAGE = 'circle over reseller';
    END IF;
    
    -- Only links that change: whoever lies too deep may come up step by step.
    PERFORM refuse_long_way(NEW,
      CASE WHEN NEW.parent_id IS DISTINCT FROM OLD.parent_id THEN NEW.parent_id END,
      CASE WHEN NEW.reseller_id IS DISTINCT FROM OLD.reseller_id THEN NEW.reseller_id END);
    PERFORM link_organisation(NEW.id);
    PERFORM write_customers(NEW.id, NEW.is_reseller <> OLD.is_reseller);
    RETURN NULL;
  END $$;
CREATE TRIGGER organisation_tree_update AFTER UPDATE OF parent_id, reseller_id, deleted_at, is_reseller ON organisations
  FOR EACH ROW WHEN (OLD.parent_id IS DISTINCT FROM NEW.parent_id
    OR OLD.reseller_id IS DISTINCT FROM NEW.reseller_id
    OR (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL)
    OR OLD.is_reseller <> NEW.is_reseller)
  EXECUTE FUNCTION organisation_tree_update();
