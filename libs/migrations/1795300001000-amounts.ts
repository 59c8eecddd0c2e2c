import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How much of each kind a user or an organisation can have (decisions.md section 11, "Amounts"). Counted under a lock
 * of the owner, so that parallel requests do not get past the limit together; what is there already stays.
 */
export class Amounts1795300001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(LIMIT_ROWS);
    for (const limit of LIMITS) await runner.query(triggerOf(limit));
    await runner.query(`
      CREATE TRIGGER invitations_limit_of_organisation_again BEFORE UPDATE OF expires_at ON invitations
      FOR EACH ROW WHEN (OLD.expires_at <= now() AND NEW.expires_at > now() AND NEW.accepted_at IS NULL)
      EXECUTE FUNCTION limit_rows('organisation_id', '1000', 'invitations_limit_of_organisation', '${OPEN}')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION limit_rows CASCADE');
  }
}

interface Limit {
  readonly table: string;
  /** The column that names the owner; rows without one are not counted. */
  readonly owner: 'user_id' | 'organisation_id';
  readonly most: number;
  /** Which rows of the owner count. */
  readonly condition: string;
}

const OPEN = 'accepted_at IS NULL AND deleted_at IS NULL AND expires_at > now()';

const LIMITS: readonly Limit[] = [
  { table: 'contacts', owner: 'user_id', most: 50, condition: 'true' },
  { table: 'contacts', owner: 'organisation_id', most: 50, condition: 'user_id IS NULL' },
  { table: 'ssh_keys', owner: 'user_id', most: 100, condition: 'true' },
  { table: 'ssh_keys', owner: 'organisation_id', most: 200, condition: 'user_id IS NULL' },
  { table: 'api_keys', owner: 'user_id', most: 50, condition: 'true' },
  { table: 'teams', owner: 'organisation_id', most: 200, condition: 'true' },
  { table: 'invitations', owner: 'organisation_id', most: 1000, condition: OPEN },
];

const LIMIT_ROWS = `
  CREATE FUNCTION limit_rows() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    owner integer;
    present integer;
  BEGIN
    EXECUTE format('SELECT ($1).%I', TG_ARGV[0]) USING NEW INTO owner;
    PERFORM pg_advisory_xact_lock(hashtext(TG_ARGV[2]), owner);
    EXECUTE format('SELECT count(*) FROM %I WHERE %I = $1 AND %s', TG_TABLE_NAME, TG_ARGV[0], TG_ARGV[3])
      USING owner INTO present;
    IF present >= TG_ARGV[1]::integer THEN
      RAISE check_violation USING CONSTRAINT = TG_ARGV[2], MESSAGE = format('%s of %s %s', present, TG_ARGV[0], owner);
    END IF;
    RETURN NEW;
  END $$;
  COMMENT ON FUNCTION limit_rows IS 'Arguments: column of the owner, most rows, name of the constraint, which rows count.';
`;

function triggerOf({ table, owner, most, condition }: Limit): string {
  const name = `${table}_limit_of_${owner === 'user_id' ? 'user' : 'organisation'}`;
  const isOwned = condition === 'user_id IS NULL' ? 'NEW.user_id IS NULL' : `NEW.${owner} IS NOT NULL`;
  return `CREATE TRIGGER ${name} BEFORE INSERT ON ${table} FOR EACH ROW WHEN (${isOwned})
    EXECUTE FUNCTION limit_rows('${owner}', '${most}', '${name}', '${condition}')`;
}
