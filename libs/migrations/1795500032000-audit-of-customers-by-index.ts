import type { MigrationInterface, QueryRunner } from 'typeorm';

const BY_OTHERS = 'WHERE acting_organisation_id IS NOT NULL';

const INDEXES: Readonly<Record<string, string>> = {
  audit_log_of_organisation_and_kind: '(organisation_id, table_name, id)',
  audit_log_of_organisation_by_others: `(organisation_id, actor_user_id, id) ${BY_OTHERS}`,
  audit_log_by_acting_organisation: `(acting_organisation_id, id) ${BY_OTHERS}`,
  audit_log_by_acting_organisation_and_kind: `(acting_organisation_id, table_name, id) ${BY_OTHERS}`,
};

/** Rows of the log that are looked at in one go; while some of them are completed, changes wait. */
const BATCH = 10_000;

/** Older rows whose actor belongs to another organisation than the record: no user ever changes its organisation. */
const incomplete = (afterId: number): string => `
  a.id > ${afterId} AND a.id <= ${afterId + BATCH} AND a.acting_organisation_id IS NULL
  AND u.id = a.actor_user_id AND u.organisation_id IS DISTINCT FROM a.organisation_id`;

/**
 * A page of a customer's log costs the same however long the log is. Built and completed beside writers; what an
 * interrupted try has left is built again.
 */
export class AuditOfCustomersByIndex1795500032000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, columns] of Object.entries(INDEXES)) {
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await runner.query(`CREATE INDEX CONCURRENTLY ${name} ON audit_log ${columns}`);
    }
    const [{ last }] = (await runner.query('SELECT coalesce(max(id), 0) AS last FROM audit_log')) as [
      { last: number },
    ];
    for (let afterId = 0; afterId < last; afterId += BATCH) {
      const found = (await runner.query(
        `SELECT 1 FROM audit_log a, users u WHERE ${incomplete(afterId)} LIMIT 1`,
      )) as unknown[];
      if (found.length > 0) await completeBatch(runner, afterId);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ${Object.keys(INDEXES).join(', ')}`);
  }
}

/** History is completed, not changed: the trigger that refuses changes is away for nobody else. */
async function completeBatch(runner: QueryRunner, afterId: number): Promise<void> {
  await runner.startTransaction();
  try {
    await runner.query('ALTER TABLE audit_log DISABLE TRIGGER audit_log_is_append_only');
    await runner.query(
      `UPDATE audit_log a SET acting_organisation_id = u.organisation_id FROM users u WHERE ${incomplete(afterId)}`,
    );
    await runner.query('ALTER TABLE audit_log ENABLE ALWAYS TRIGGER audit_log_is_append_only');
    await runner.commitTransaction();
  } catch (error) {
    await runner.rollbackTransaction();
    throw error;
  }
}
