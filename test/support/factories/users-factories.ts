import type { ApiClient } from '../service/client';
import type { ReachableService } from '../service/service';
import { type MadeUser, makeUser } from './factories';
import { makeApiKey } from './key-factories';

/** A client that speaks with a fresh API key of the user, written straight to the database. */
export const apiKeyClientOf = async (service: ReachableService, userId: number): Promise<ApiClient> =>
  (await makeApiKey(service, userId)).client;

/** A further admin of the operator organisation. */
export const makeAdmin = (service: ReachableService): Promise<MadeUser> =>
  makeUser(service, { organisationId: 1, roles: ['ROLE_ADMIN'] });

/** The path of a user below `/v1`. */
export const pathOf = ({ organisationId, id }: Pick<MadeUser, 'organisationId' | 'id'>): string =>
  `/organisations/${organisationId}/users/${id}`;
