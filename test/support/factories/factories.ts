import { hash } from 'bcrypt';
import { digestOf, newSecret } from '@app/security/secrets/digest';
import { ApiClient } from '../service/client';
import type { ReachableService } from '../service/service';
import { insertRow } from './insert-row';

/** Follows the password rules of both variants. */
export const PASSWORD = 'Passw0rd-1';

let passwordHash: Promise<string> | undefined;
/** Test files of one worker may share a service, but not this module. */
const worker = globalThis as typeof globalThis & { lastNumber?: number };

/** A number that no other row of this worker was made with. */
export function nextNumber(): number {
  worker.lastNumber = (worker.lastNumber ?? 0) + 1;
  return worker.lastNumber;
}

export interface OrganisationOptions {
  readonly name?: string;
  readonly parentId?: number;
  readonly resellerId?: number | null;
  readonly required2fa?: boolean;
  /** An admin gave it the type Reseller. */
  readonly isReseller?: boolean;
}

/** An organisation, written straight to the database, and its id. */
export const makeOrganisation = (
  service: ReachableService,
  options: OrganisationOptions = {},
): Promise<number> =>
  insertRow(service, 'organisations', {
    name: options.name ?? `Organisation ${nextNumber()}`,
    tax_number: `TAX-${nextNumber()}`,
    parent_id: options.parentId ?? 1,
    reseller_id: options.resellerId,
    required_2fa: options.required2fa ?? false,
    ...(options.isReseller === true && { organisation_type: 2, is_reseller: true }),
  });

export interface UserOptions {
  readonly organisationId: number;
  readonly username?: string;
  readonly roles?: readonly string[];
  readonly enabled?: boolean;
  readonly firstName?: string;
  readonly lastName?: string;
}

/** A stored user and its way in. */
export interface MadeUser {
  readonly id: number;
  readonly organisationId: number;
  readonly username: string;
  /** Speaks as this user, with a login of its own. */
  readonly client: ApiClient;
}

/** A user whose password is {@link PASSWORD}, written straight to the database, with a live login. */
export async function makeUser(service: ReachableService, options: UserOptions): Promise<MadeUser> {
  passwordHash ??= hash(PASSWORD, 4);
  const username = options.username ?? `user${nextNumber()}@example.com`;
  const id = await insertRow(service, 'users', {
    organisation_id: options.organisationId,
    username,
    first_name: options.firstName ?? 'Jan',
    last_name: options.lastName ?? 'de Vries',
    roles: options.roles ?? [],
    enabled: options.enabled ?? true,
    password_hash: await passwordHash,
  });
  return { id, organisationId: options.organisationId, username, client: await clientOf(service, id) };
}

/** A client with a fresh login of the user, made without a password. */
export async function clientOf(service: ReachableService, userId: number): Promise<ApiClient> {
  const secret = newSecret();
  await service.sql(
    `INSERT INTO logins (user_id, digest, expires_at, address) VALUES ($1, $2, now() + interval '1 day', '127.0.0.1')`,
    [userId, digestOf(secret)],
  );
  return new ApiClient(service.url, secret);
}

/** An organisation with a CUSTADMIN and a plain user. */
export interface Customer {
  readonly organisationId: number;
  readonly custadmin: MadeUser;
  readonly plain: MadeUser;
}

export async function makeCustomer(
  service: ReachableService,
  options: OrganisationOptions = {},
): Promise<Customer> {
  const organisationId = await makeOrganisation(service, options);
  return {
    organisationId,
    custadmin: await makeUser(service, { organisationId, roles: ['ROLE_CUSTADMIN'] }),
    plain: await makeUser(service, { organisationId }),
  };
}

/** Lets the users of `granteeId` read the organisation, or its CUSTADMINs manage it. Returns the id. */
export const makeGrant = (
  service: ReachableService,
  organisationId: number,
  granteeId: number,
  { access = 'read' }: { readonly access?: 'read' | 'manage' } = {},
): Promise<number> =>
  insertRow(service, 'acls', { organisation_id: organisationId, grantee_id: granteeId, access });
