import { digestOf, newSecret } from '@app/security/secrets/digest';
import { newPublicKey as newKey } from '../../../qa/made-values';
import { ApiClient } from '../service/client';
import type { ReachableService } from '../service/service';
import { nextNumber } from './factories';

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

/** A fresh Ed25519 key in the OpenSSH one-line format. */
export const newPublicKey = (comment = ''): string => `${newKey().content} ${comment}`.trimEnd();
