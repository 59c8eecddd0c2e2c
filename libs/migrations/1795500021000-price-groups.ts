import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Price groups come from admins: their names and amount are kept, and their changes audited. */
export class PriceGroups1795500021000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION keep_default_price_group() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE check_violation USING CONSTRAINT = 'price_groups_default_stays', MESSAGE = 'the default keeps its name';
      END $$;
      -- The one that organisations get where nobody says another.
      CREATE TRIGGER price_groups_default_stays BEFORE UPDATE OF description ON price_groups FOR EACH ROW
        WHEN (OLD.id = 1 AND NEW.description <> OLD.description) EXECUTE FUNCTION keep_default_price_group();

      CREATE FUNCTION limit_price_groups() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock(hashtext(TG_NAME));
        IF (SELECT count(*) FROM price_groups) > TG_ARGV[0]::integer THEN
          RAISE check_violation USING CONSTRAINT = 'price_groups_limit', MESSAGE = 'too many price groups';
        END IF;
        RETURN NULL;
      END $$;
      COMMENT ON FUNCTION limit_price_groups IS 'Argument: most price groups.';
      CREATE TRIGGER price_groups_limit AFTER INSERT ON price_groups
        FOR EACH STATEMENT EXECUTE FUNCTION limit_price_groups('500');

      CREATE TRIGGER audit AFTER UPDATE OR DELETE ON price_groups
        FOR EACH ROW EXECUTE FUNCTION audit_change();
      CREATE TRIGGER audit_inserts AFTER INSERT ON price_groups REFERENCING NEW TABLE AS inserted
        FOR EACH STATEMENT EXECUTE FUNCTION audit_inserts();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER audit ON price_groups;
      DROP TRIGGER audit_inserts ON price_groups;
      DROP FUNCTION keep_default_price_group, limit_price_groups CASCADE;
    `);
  }
}
