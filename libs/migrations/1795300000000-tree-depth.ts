import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * No way from the operator organisation down along parent and reseller links is longer than 32 organisations
 * (decisions.md section 11), and a move writes only the links that it changes: the one lock that all changes of the
 * tree share is then held for a short time, whatever is moved.
 */
export class TreeDepth1795300000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(WAYS);
    await runner.query(LINK_ONLY_WHAT_CHANGES);
    await runner.query(insertTrigger('PERFORM refuse_long_way(NEW, NEW.parent_id, NEW.reseller_id);'));
    await runner.query(updateTrigger(REFUSE_LONG_WAY_OF_CHANGED_LINKS));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(updateTrigger(''));
    await runner.query(insertTrigger(''));
    await runner.query(LINK_ANEW);
    await runner.query(`
      DROP FUNCTION refuse_long_way;
      DROP FUNCTION longest_way_down;
      DROP FUNCTION longest_way_up;
    `);
  }
}

/** Ways are followed a step further than allowed and no more: an older tree may be deeper, and stays. */
const WAYS = `
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

  CREATE FUNCTION longest_way_down(start integer) RETURNS integer LANGUAGE sql STABLE AS $$
    WITH RECURSIVE below (id, steps) AS (
      SELECT start, 1
      UNION
      SELECT link.id, below.steps + 1
      FROM below CROSS JOIN LATERAL (
        SELECT o.id FROM organisations o WHERE o.parent_id = below.id AND o.deleted_at IS NULL
        UNION ALL
        SELECT o.id FROM organisations o WHERE o.reseller_id = below.id AND o.deleted_at IS NULL
      ) link
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
`;

const REFUSE_LONG_WAY_OF_CHANGED_LINKS = `
    -- Only links that change: whoever lies too deep from before stays there, and may come up step by step.
    PERFORM refuse_long_way(NEW,
      CASE WHEN NEW.parent_id IS DISTINCT FROM OLD.parent_id THEN NEW.parent_id END,
      CASE WHEN NEW.reseller_id IS DISTINCT FROM OLD.reseller_id THEN NEW.reseller_id END);`;

const LINK_ONLY_WHAT_CHANGES = `
  CREATE OR REPLACE FUNCTION link_organisation(linked integer) RETURNS void LANGUAGE plpgsql AS $$
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
      USING (SELECT * FROM present EXCEPT SELECT * FROM wanted) gone
      WHERE c.ancestor_id = gone.ancestor_id AND c.descendant_id = gone.descendant_id
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
`;

/** As the first migration made it. */
const LINK_ANEW = `
  CREATE OR REPLACE FUNCTION link_organisation(linked integer) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    branch integer[] := ARRAY(
      SELECT linked UNION ALL SELECT descendant_id FROM organisation_closure WHERE ancestor_id = linked);
  BEGIN
    WITH removed AS (
      DELETE FROM organisation_closure
      WHERE descendant_id = ANY (branch) AND NOT ancestor_id = ANY (branch)
      RETURNING ancestor_id
    ), fewer AS (
      SELECT ancestor_id, count(*) AS rows FROM removed GROUP BY ancestor_id
    )
    UPDATE organisations o SET beneath_count = beneath_count - fewer.rows
    FROM fewer WHERE o.id = fewer.ancestor_id;

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
    ), spread AS (
      SELECT descendant_id, ancestor_id FROM reached
      UNION
      SELECT c.descendant_id, r.ancestor_id FROM reached r
      JOIN organisation_closure c ON c.ancestor_id = r.descendant_id
    ), added AS (
      INSERT INTO organisation_closure (ancestor_id, descendant_id)
      SELECT ancestor_id, descendant_id FROM spread
      RETURNING ancestor_id
    ), more AS (
      SELECT ancestor_id, count(*) AS rows FROM added GROUP BY ancestor_id
    )
    UPDATE organisations o SET beneath_count = beneath_count + more.rows
    FROM more WHERE o.id = more.ancestor_id;
  END $$;
`;

const insertTrigger = (check: string): string => `
  CREATE OR REPLACE FUNCTION organisation_tree_insert() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM refuse_deleted_link(NEW);
    ${check}
    WITH above AS (
      SELECT NEW.parent_id AS id WHERE NEW.parent_id IS NOT NULL
      UNION SELECT NEW.reseller_id WHERE NEW.reseller_id IS NOT NULL
      UNION SELECT ancestor_id FROM organisation_closure WHERE descendant_id IN (NEW.parent_id, NEW.reseller_id)
    ), added AS (
      INSERT INTO organisation_closure (ancestor_id, descendant_id) SELECT id, NEW.id FROM above
      RETURNING ancestor_id
    )
    UPDATE organisations SET beneath_count = beneath_count + 1 WHERE id IN (SELECT ancestor_id FROM added);
    RETURN NULL;
  END $$;
`;

const updateTrigger = (check: string): string => `
  CREATE OR REPLACE FUNCTION organisation_tree_update() RETURNS trigger LANGUAGE plpgsql AS $$
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
    ${check}
    PERFORM link_organisation(NEW.id);
    RETURN NULL;
  END $$;
`;
