import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A user trusts at most 20 devices, of which the oldest makes room (decisions.md section 11, "Amounts"). Counted under
 * a lock of the user, so that parallel logins do not get past the limit together; what is there already stays.
 */
export class TrustedDeviceAmount1795300010000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION make_room() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock(hashtext(TG_NAME), NEW.user_id);
        EXECUTE format(
          'DELETE FROM %1$I WHERE id = (SELECT id FROM %1$I WHERE user_id = $1 ORDER BY %2$I, id LIMIT 1)
             AND (SELECT count(*) FROM %1$I WHERE user_id = $1) > $2',
          TG_TABLE_NAME, TG_ARGV[0]
        ) USING NEW.user_id, TG_ARGV[1]::integer;
        RETURN NULL;
      END $$;
      COMMENT ON FUNCTION make_room IS 'Arguments: column that tells the age of a row, most rows of a user.';
      CREATE TRIGGER trusted_devices_make_room AFTER INSERT ON trusted_devices
        FOR EACH ROW EXECUTE FUNCTION make_room('created_at', '20');
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION make_room CASCADE');
  }
}
