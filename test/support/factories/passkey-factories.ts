import { randomBytes } from 'node:crypto';
import type { Test } from 'supertest';
import {
  Authenticator,
  type CreationOptions,
  type Deviations,
  type RequestOptions,
} from '../../../qa/authenticator';
import { anonymous, ApiClient } from '../service/client';
import { PASSKEYS, type ReachableService } from '../service/service';
import type { DomainRecords } from './domain-records';
import { type MadeUser, PASSWORD } from './factories';
import { insertRow } from './insert-row';

/** A passkey as responses show it. */
export interface ShownPasskey {
  readonly id: number;
  readonly name: string;
  readonly dtCreated: string;
  readonly dtLastUsed: string;
  readonly backedUp: boolean;
}

export const passkeysOf = (user: Pick<MadeUser, 'id' | 'organisationId'>): string =>
  `/organisations/${user.organisationId}/users/${user.id}/passkeys`;

/** A page of the panel with one authenticator. */
export class PasskeyPage {
  readonly authenticator = new Authenticator(PASSKEYS.origins[0]);

  constructor(private readonly service: ReachableService) {}

  /** @param proof further fields, such as the code of an authenticator */
  async creationOptions(
    user: MadeUser,
    client: ApiClient = user.client,
    proof: object = {},
  ): Promise<CreationOptions> {
    const body = { password: PASSWORD, ...proof };
    return (await client.post(`${passkeysOf(user)}/options`, body).expect(200)).body as CreationOptions;
  }

  async requestOptions(): Promise<RequestOptions> {
    return (await anonymous(this.service).post('/login/passkey/options').expect(200)).body as RequestOptions;
  }

  /** Adds the passkey to the user; a deviating authenticator is refused. */
  async register(user: MadeUser, deviations: Deviations = {}, name = 'Phone'): Promise<Test> {
    const credential = this.authenticator.create(await this.creationOptions(user), deviations);
    return user.client.post(passkeysOf(user), { name, credential });
  }

  async logIn(deviations: Deviations = {}): Promise<Test> {
    const credential = this.authenticator.get(await this.requestOptions(), deviations);
    return anonymous(this.service).post('/login/passkey', { credential });
  }
}

/** A passkey that no authenticator has, written straight to the database, and its id. */
export const storePasskey = (service: ReachableService, userId: number, name = 'Phone'): Promise<number> =>
  insertRow(service, 'passkeys', {
    user_id: userId,
    name,
    credential_id: randomBytes(32),
    public_key: Buffer.of(1),
    counter: 0,
    backed_up: true,
    backup_eligible: true,
    rp_id: PASSKEYS.rpId,
  });

/** Makes the logins of a user ones of its passkey, which have passed its second factor. */
export async function passSecondFactor(service: ReachableService, userId: number): Promise<void> {
  await service.sql(
    'UPDATE logins l SET passkey_id = p.id FROM passkeys p WHERE p.user_id = l.user_id AND l.user_id = $1',
    [userId],
  );
}

/**
 * A passkey of the user, on an authenticator of its own. Who has a second factor adds it with a login that
 * has passed one.
 * @param proof further fields for the options, such as the code of an authenticator
 */
export async function makePasskey(
  service: ReachableService,
  user: MadeUser,
  proof: object = {},
): Promise<PasskeyPage & { readonly passkey: ShownPasskey }> {
  const page = new PasskeyPage(service);
  const credential = page.authenticator.create(await page.creationOptions(user, user.client, proof));
  const { body, status, text } = await user.client.post(passkeysOf(user), { name: 'Phone', credential });
  if (status !== 201) throw new Error(`${status} ${text}`);
  return Object.assign(page, { passkey: (body as { passkey: ShownPasskey }).passkey });
}

/** Logs in with the passkey. */
export async function passkeyClient(service: ReachableService, page: PasskeyPage): Promise<ApiClient> {
  const response = await page.logIn();
  if (response.status !== 200) throw new Error(`${response.status} ${response.text}`);
  return new ApiClient(service.url, (response.body as { hash: string }).hash);
}

/** The passkey with which a user without an authenticator passes the second factor; makes one if need be. */
export async function countingPasskey(service: ReachableService, userId: number): Promise<number | null> {
  const [user] = await service.sql<{ hasAuthenticator: boolean; passkeyId: number | null }>`
    SELECT second_factor = 'enabled' AS "hasAuthenticator", (
      SELECT min(id) FROM passkeys WHERE user_id = u.id) AS "passkeyId"
    FROM users u WHERE id = ${userId}`;
  if (user?.hasAuthenticator === true) return null;
  return user?.passkeyId ?? storePasskey(service, userId);
}

/** What the paths of passkeys name. */
export const PASSKEY_RECORDS: DomainRecords = {
  identifiers: { passkeyId: { named: 'Passkey' } },
  ofUser: async (service, { userId }) => ({ passkeyId: await storePasskey(service, userId) }),
};
