import { digestOf, newSecret } from '@app/core/secrets/digest';
import { newPublicKey as newKey } from '../../qa/public-keys';
import { ApiClient } from './client';
import { makeGrant, makeCustomer, makeOrganisation, makeUser, nextNumber, type MadeUser } from './factories';
import type { ReachableService } from './service';

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

/** A fresh Ed25519 key in the OpenSSH one-line format. */
export const newPublicKey = (comment = ''): string => `${newKey().content} ${comment}`.trimEnd();

/** Everybody who may or may not be let near what belongs to `owner`, a plain user of a customer. */
export interface Neighbourhood {
  readonly organisationId: number;
  readonly owner: MadeUser;
  readonly colleague: MadeUser;
  /** ROLE_CUSTADMIN of the owner's organisation. */
  readonly custadmin: MadeUser;
  /** ROLE_CUSTADMIN of the organisation above. */
  readonly custadminAbove: MadeUser;
  /** A user of the organisation above without a role. */
  readonly plainAbove: MadeUser;
  /** ROLE_CUSTADMIN of an organisation that was granted access. */
  readonly grantee: MadeUser;
  /** ROLE_CUSTADMIN of an organisation that has nothing to do with it. */
  readonly stranger: MadeUser;
  /** ROLE_ADMIN. */
  readonly admin: MadeUser;
  /** ROLE_CUSTADMIN of the operator organisation. */
  readonly operatorCustadmin: MadeUser;
}

/** Makes one user of each kind that the privilege table tells apart. */
export async function makeNeighbourhood(service: ReachableService): Promise<Neighbourhood> {
  const above = await makeCustomer(service);
  const own = await makeCustomer(service, { name: 'Bakkerij de Vries', parentId: above.organisationId });
  const { organisationId } = own;
  const granted = await makeOrganisation(service);
  await makeGrant(service, organisationId, granted);
  const custadminRole = { roles: ['ROLE_CUSTADMIN'] };
  return {
    organisationId,
    owner: own.plain,
    colleague: await makeUser(service, { organisationId }),
    custadmin: own.custadmin,
    custadminAbove: above.custadmin,
    plainAbove: above.plain,
    grantee: await makeUser(service, { organisationId: granted, ...custadminRole }),
    stranger: (await makeCustomer(service)).custadmin,
    admin: await makeUser(service, { organisationId: 1, roles: ['ROLE_ADMIN'] }),
    operatorCustadmin: await makeUser(service, { organisationId: 1, ...custadminRole }),
  };
}

/** The statuses that callers get, by their name in the neighbourhood. */
export async function statusesFor(
  people: Neighbourhood,
  call: (client: ApiClient) => PromiseLike<{ status: number }>,
): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  for (const [name, person] of Object.entries(people) as [string, MadeUser | number][]) {
    if (typeof person === 'object') statuses[name] = (await call(person.client)).status;
  }
  return statuses;
}
