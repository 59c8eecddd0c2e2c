import type { EntityManager } from 'typeorm';
import type { PresentedCredential } from '@app/core/access/caller';
import { Unauthorised } from '@app/core/errors/api-error';

const TABLES = { login: 'logins', api_key: 'api_keys' } as const;

/**
 * For what a credential adds that outlives it: throws 401 where it ended while the request was on its way, and makes
 * who ends it wait, and see what was added. Lock the user's row first, as whoever ends credentials does.
 */
export async function assertCredentialStands(
  manager: EntityManager,
  { kind, id }: PresentedCredential,
): Promise<void> {
  const rows = await manager.query<unknown[]>(`SELECT 1 FROM ${TABLES[kind]} WHERE id = $1 FOR KEY SHARE`, [
    id,
  ]);
  if (rows.length === 0) throw new Unauthorised('The credential is unknown, expired or revoked');
}
