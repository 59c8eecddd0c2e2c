import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Organisations that one statement inserts are linked together, in whatever order they stand in it: an import writes
 * hundreds at a time, and who counts what lies beneath the operator organisation is written once for all of them.
 */
export class TreeOfManyRows1795400040000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(LINK_INSERTED);
    // Replaced and not dropped: that lets readers of the table go on.
    await runner.query(`
      CREATE OR REPLACE TRIGGER organisation_tree_insert AFTER INSERT ON organisations
        REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION link_inserted_organisations();
      DROP FUNCTION organisation_tree_insert;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(LINK_EACH);
    await runner.query(`
      CREATE OR REPLACE TRIGGER organisation_tree_insert AFTER INSERT ON organisations
        FOR EACH ROW EXECUTE FUNCTION organisation_tree_insert();
      DROP FUNCTION link_inserted_organisations;
    `);
  }
}

/**
 * OFFSET 0 keeps the planner at one look-up by index for each organisation: it knows nothing of how few rows a
 * transition table has, and would else read all organisations for each step up.
 */
const LINK_INSERTED = `
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
`;

/** As it was before. */
const LINK_EACH = `
  CREATE FUNCTION organisation_tree_insert() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM refuse_deleted_link(NEW);
    PERFORM refuse_long_way(NEW, NEW.parent_id, NEW.reseller_id);
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
