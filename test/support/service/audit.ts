import { randomUUID } from 'node:crypto';
import type { Test } from 'supertest';
import type { AuditedColumns } from '@app/feeds/audit/audit-entry.entity';
import { digestOf } from '@app/security/secrets/digest';
import type { MadeUser } from '../factories/factories';
import type { TestService } from './service';

/** The address that audited requests come from: the service must trust the test as its proxy. */
export const CLIENT_ADDRESS = '203.0.113.9';

/** A row of the audit log, as psql shows it. */
export interface AuditRow {
  readonly actor_user_id: number | null;
  readonly actor_credential_kind: string | null;
  readonly actor_credential_id: number | null;
  readonly actor_name: string | null;
  readonly address: string | null;
  readonly request_id: string | null;
  readonly action: string;
  readonly table_name: string;
  readonly record_id: number;
  readonly organisation_id: number | null;
  readonly before: AuditedColumns | null;
  readonly after: AuditedColumns | null;
}

/** The rows of the audit log that fit an SQL condition, oldest first. */
export const auditRows = (service: TestService, condition: string, values: unknown[] = []) =>
  service.sql<AuditRow>(`SELECT * FROM audit_log WHERE ${condition} ORDER BY id`, values);

/** Sends a request under an id of its own and gives its body with the audit rows that carry that id. */
export async function audited(
  service: TestService,
  call: Test,
  status: number,
): Promise<{ body: Record<string, unknown>; rows: AuditRow[]; requestId: string }> {
  const requestId = randomUUID();
  const response = await call
    .set('X-Request-Id', requestId)
    .set('X-Forwarded-For', CLIENT_ADDRESS)
    .expect(status);
  return {
    body: response.body as Record<string, unknown>,
    rows: await auditRows(service, 'request_id = $1', [requestId]),
    requestId,
  };
}

/** The id of the login that a user of the factories calls with. */
export async function loginIdOf(service: TestService, { client }: MadeUser): Promise<number> {
  const digest = digestOf(client.hash ?? '');
  const [login] = await service.sql<{ id: number }>`SELECT id FROM logins WHERE digest = ${digest}`;
  return login?.id as number;
}
