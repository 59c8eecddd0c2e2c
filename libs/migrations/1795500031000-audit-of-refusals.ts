import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Refused credentials, denials and lock-outs in the audit log. A function with the rights of its owner writes them, as
 * the triggers do: a role that only serves requests has no right to write there.
 */
export class AuditOfRefusals1795500031000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const [{ schema }] = (await runner.query(`SELECT quote_ident(current_schema()) AS schema`)) as [
      { schema: string },
    ];
    await runner.query(`
      CREATE FUNCTION audit_refusals(refusals jsonb) RETURNS void LANGUAGE sql SECURITY DEFINER
      SET search_path = ${schema}, pg_temp AS $$
        INSERT INTO audit_log (actor_user_id, actor_credential_kind, address, action, table_name, record_id,
          organisation_id, after)
        SELECT caller_id, kind, network, 'refuse', 'refusals', coalesce(user_id, 0), organisation_id,
          jsonb_strip_nulls(jsonb_build_object('reason', reason, 'count', sum(count), 'since', min(since),
            'until', max(until), 'name_digest', name_digest))
        FROM (
          SELECT told.*, u.organisation_id FROM (
            SELECT r.reason, r.network, r.count, r.since, r.until, r.user_id AS caller_id,
              CASE WHEN r.user_id IS NULL THEN 'stranger' ELSE r.kind END AS kind,
              coalesce(r.user_id, named.id, held.user_id) AS user_id,
              CASE WHEN named.id IS NULL THEN r.name_digest END AS name_digest
            FROM jsonb_to_recordset(refusals) AS r (reason text, network text, user_id integer, kind text, name text,
              name_digest text, credential_digest text, count integer, since timestamptz, until timestamptz)
            LEFT JOIN users named ON lower(named.username) = r.name AND named.deleted_at IS NULL
            LEFT JOIN LATERAL (
              SELECT user_id FROM api_keys WHERE digest = decode(r.credential_digest, 'hex')
              UNION ALL
              SELECT user_id FROM logins WHERE digest = decode(r.credential_digest, 'hex')
              LIMIT 1
            ) held ON true
          ) told LEFT JOIN users u ON u.id = told.user_id
        ) known
        GROUP BY reason, network, caller_id, kind, user_id, organisation_id, name_digest
      $$;
      COMMENT ON FUNCTION audit_refusals IS
        'A row of audit_log for all refusals that have reason, network and whom they are about in common. Names and digests of credentials find their users and are not stored.';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION audit_refusals');
  }
}
