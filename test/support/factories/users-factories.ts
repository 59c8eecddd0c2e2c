import { digestOf, newSecret } from '@app/security/secrets/digest';
import { ApiClient } from '../service/client';
import { makeUser, type MadeUser } from './factories';
import type { ReachableService } from '../service/service';

/** A client that speaks with a fresh API key of the user, written straight to the database. */
export async function apiKeyClientOf(service: ReachableService, userId: number): Promise<ApiClient> {
  const secret = newSecret();
  await service.sql`INSERT INTO api_keys (user_id, name, digest, expires_at)
     VALUES (${userId}, 'key', ${digestOf(secret)}, now() + interval '1 day')`;
  return new ApiClient(service.url, secret);
}

/** A further admin of the operator organisation. */
export const makeAdmin = (service: ReachableService): Promise<MadeUser> =>
  makeUser(service, { organisationId: 1, roles: ['ROLE_ADMIN'] });

/** The path of a user below `/v1`. */
export const pathOf = ({ organisationId, id }: Pick<MadeUser, 'organisationId' | 'id'>): string =>
  `/organisations/${organisationId}/users/${id}`;
