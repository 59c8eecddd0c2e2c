import { digestOf, newSecret } from '@app/security/secrets/digest';
import { anonymous, ApiClient } from '../service/client';
import type { ReachableService } from '../service/service';
import type { MadeUser } from './factories';
import { makeServiceKey, type ServiceKeyOptions } from './key-factories';
import { pathOf } from './users-factories';

/** Where the tests call from. */
export const LOCAL = ['127.0.0.1', '::1'];

/** A key of the operator that makes login links, as billing has it. */
export const makeLinkKey = (service: ReachableService, options: ServiceKeyOptions = {}) =>
  makeServiceKey(service, 1, {
    operations: ['loginlinks.create'],
    asAdmin: true,
    whitelist: LOCAL,
    ...options,
  });

/** A link, written straight to the database, whose token nobody has; of a key of its own if none is named. */
export async function storeLink(service: ReachableService, userId: number, keyId?: number): Promise<void> {
  const madeBy = keyId ?? (await makeLinkKey(service)).id;
  await service.sql`INSERT INTO login_links (user_id, service_key_id, token_digest, expires_at)
     VALUES (${userId}, ${madeBy}, ${digestOf(newSecret())}, now() + interval '1 minute')`;
}

/** A link as its key gets it. */
export interface MadeLink {
  readonly token: string;
  readonly url: string;
  readonly dtExpires: string;
}

export async function makeLink(key: ApiClient, user: MadeUser, fields: object = {}): Promise<MadeLink> {
  const { body } = await key.post(`${pathOf(user)}/loginlinks`, fields).expect(201);
  return (body as { loginLink: MadeLink }).loginLink;
}

/** Logs in by the token, as a panel does. */
export const useLink = (service: ReachableService, token: string, fields: object = {}) =>
  anonymous(service).post('/login/link', { token, ...fields });

/** A client of a login by a new link. */
export async function linkedClient(
  service: ReachableService,
  key: ApiClient,
  user: MadeUser,
): Promise<ApiClient> {
  const { token } = await makeLink(key, user);
  const { body } = await useLink(service, token).expect(200);
  return new ApiClient(service.url, (body as { hash: string }).hash);
}
