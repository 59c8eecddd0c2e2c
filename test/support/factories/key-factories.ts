import { digestOf, newSecret } from '@app/security/secrets/digest';
import { newPublicKey as newKey } from '../../../qa/made-values';
import { ApiClient } from '../service/client';
import type { ReachableService } from '../service/service';
import { nextNumber } from './factories';
import { storePasskey } from './passkey-factories';
import { makeSupportLogin } from './support-factories';

export interface ApiKeyOptions {
  readonly name?: string;
  readonly whitelist?: readonly string[];
  /** An interval of PostgreSQL, counted from now. */
  readonly expiresIn?: string;
  readonly readOnly?: boolean;
}

/** An API key, written straight to the database, and a client that calls with it. */
export async function makeApiKey(
  service: ReachableService,
  userId: number,
  options: ApiKeyOptions = {},
): Promise<{ id: number; client: ApiClient }> {
  const secret = newSecret();
  const [row] = await service.sql<{ id: number }>(
    `INSERT INTO api_keys (user_id, name, digest, whitelist, expires_at, read_only)
     VALUES ($1, $2, $3, $4, now() + $5::interval, $6) RETURNING id`,
    [
      userId,
      options.name ?? `Key ${nextNumber()}`,
      digestOf(secret),
      options.whitelist ?? [],
      options.expiresIn ?? '1 day',
      options.readOnly ?? false,
    ],
  );
  return { id: row?.id as number, client: new ApiClient(service.url, secret) };
}

export interface ServiceKeyOptions {
  readonly name?: string;
  readonly operations?: readonly string[];
  readonly beneath?: boolean;
  readonly asAdmin?: boolean;
  readonly whitelist?: readonly string[];
  /** An interval of PostgreSQL, counted from now. */
  readonly expiresIn?: string;
}

/** A service key, written straight to the database, and a client that calls with it. */
export async function makeServiceKey(
  service: ReachableService,
  organisationId: number,
  options: ServiceKeyOptions = {},
): Promise<{ id: number; name: string; client: ApiClient }> {
  const secret = newSecret();
  const name = options.name ?? `Service ${nextNumber()}`;
  const [row] = await service.sql<{ id: number }>(
    `INSERT INTO service_keys
       (organisation_id, name, digest, operations, reaches_beneath, as_admin, whitelist, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, now() + $8::interval) RETURNING id`,
    [
      organisationId,
      name,
      digestOf(secret),
      options.operations ?? ['organisations.read'],
      options.beneath ?? false,
      options.asAdmin ?? false,
      options.whitelist ?? [],
      options.expiresIn ?? '1 day',
    ],
  );
  return { id: row?.id as number, name, client: new ApiClient(service.url, secret) };
}

export interface SupportLoginOptions {
  readonly write?: boolean;
  readonly reason?: string;
}

/**
 * A support login, written straight to the database, and a client that calls with it. A staff member without
 * a second factor gets a passkey that nobody has: without one there is no support login. The login that
 * begins it has passed the second factor.
 */
export async function makeSupportLogin(
  service: ReachableService,
  userId: number,
  staffId: number,
  { write = false, reason = 'Ticket 4711' }: SupportLoginOptions = {},
): Promise<ApiClient> {
  const secret = newSecret();
  const [staff] = await service.sql<{ has: boolean }>`SELECT has_second_factor(${staffId}) AS has`;
  if (staff?.has === false) await storePasskey(service, staffId);
  await service.sql(
    `WITH begun AS (
       INSERT INTO logins (user_id, digest, address, expires_at, passkey_id)
       SELECT id, $6, '', now() + interval '1 day', CASE WHEN second_factor <> 'enabled' THEN
         (SELECT min(p.id) FROM passkeys p WHERE p.user_id = u.id AND p.counts_from <= now() AND p.gone_at IS NULL) END
       FROM users u WHERE id = $3 RETURNING id)
     INSERT INTO logins (user_id, digest, address, expires_at, staff_id, support_reason, support_write, begun_with)
     SELECT $1, $2, '', now() + interval '30 minutes', $3, $4, $5, id FROM begun`,
    [userId, digestOf(secret), staffId, reason, write, digestOf(newSecret())],
  );
  return new ApiClient(service.url, secret);
}

/** A fresh Ed25519 key in the OpenSSH one-line format. */
export const newPublicKey = (comment = ''): string => `${newKey().content} ${comment}`.trimEnd();
