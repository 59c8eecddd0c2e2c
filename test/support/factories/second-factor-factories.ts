import { randomBytes } from 'node:crypto';
import { SecretsKeyring } from '@app/security/secrets/encryption';
import { CODE_PURPOSE } from '@app/sign-in/recovery/recovery.types';
import { anonymous, ApiClient } from '../service/client';
import type { TestService } from '../service/service';
import { clientOf, type MadeUser, makeUser, PASSWORD, type UserOptions } from './factories';
import { makeApiKey } from './key-factories';
import { makePasskey, passkeyClient, type PasskeyPage, type ShownPasskey } from './passkey-factories';
import { makeSupportLogin } from './support-factories';
import { Device, makeTwoFactorUser, type MovableClock } from './two-factor-factories';

/** What a user has to prove itself with, apart from the password. */
export const FACTOR_STATES = [
  'nothing',
  'a set-up that was asked for',
  'an authenticator',
  'a passkey',
  'a passkey and a set-up that was asked for',
  'a passkey and an authenticator',
] as const;
export type FactorState = (typeof FACTOR_STATES)[number];

/** A user with the passkey and the authenticator of its state. */
export interface FactorOwner extends MadeUser {
  readonly page: (PasskeyPage & { readonly passkey: ShownPasskey }) | undefined;
  /** Base32; undefined without an authenticator or a set-up. */
  readonly secret: string | undefined;
}

const hashIn = ({ body }: { readonly body: unknown }): string => (body as { hash: string }).hash;

/** Makes a user as a user of that state comes about. */
export async function makeFactorOwner(
  service: TestService,
  clock: MovableClock,
  state: FactorState,
  options: UserOptions,
): Promise<FactorOwner> {
  const hasAuthenticator = state.endsWith('an authenticator');
  const user = hasAuthenticator
    ? await makeTwoFactorUser(service, clock, options)
    : { ...(await makeUser(service, options)), secret: undefined };
  const page = state.includes('a passkey')
    ? hasAuthenticator
      ? await addedWithCode(service, clock, user as typeof user & { secret: string })
      : await makePasskey(service, user)
    : undefined;
  if (!state.endsWith('was asked for')) return { ...user, page };
  const authorization = page && (await passkeyClient(service, page)).hash;
  const showing = anonymous(service).post('/enable2faandget2fasecret', {
    username: user.username,
    password: PASSWORD,
  });
  if (authorization !== undefined) void showing.set('Authorization', authorization);
  return { ...user, page, secret: ((await showing.expect(200)).body as { secret: string }).secret };
}

/** Where an authenticator is on, the options of a passkey ask for its code. */
async function addedWithCode(
  service: TestService,
  clock: MovableClock,
  user: MadeUser & { readonly secret: string },
): Promise<PasskeyPage & { readonly passkey: ShownPasskey }> {
  const page = await makePasskey(service, user, { '6digitCode': clock.code(user.secret) });
  clock.moveSteps(2);
  return page;
}

/** Ways to be somebody; the last five of a user. */
export const WAYS_IN = [
  'an API key',
  'a support login',
  'a password',
  'a code of a recovery mail',
  'a passkey',
  'a trusted device',
  'a recovery code',
] as const;
export type WayIn = (typeof WAYS_IN)[number];

/** Whether a user of this state can come in this way. */
export const isPossible = (state: FactorState, way: WayIn): boolean => {
  if (way === 'a passkey') return state.includes('a passkey');
  if (way === 'a trusted device' || way === 'a recovery code') return state.endsWith('an authenticator');
  // A login of before the set-up was asked for goes on.
  return true;
};

/** Comes in, each way through its own route where the state of the user allows it. */
export async function comeIn(
  service: TestService,
  clock: MovableClock,
  owner: FactorOwner,
  way: WayIn,
  staffId: number,
): Promise<ApiClient> {
  const { id, username, secret, page } = owner;
  const isEnabled = secret !== undefined && (await hasAuthenticator(service, id));
  const code = isEnabled ? { '6digitCode': clock.code(secret) } : {};
  const device = new Device(service, username, 'Trusted/1.0');
  const known = (answer: { readonly body: unknown }): ApiClient => {
    clock.moveSteps(2);
    return new ApiClient(service.url, hashIn(answer));
  };
  switch (way) {
    case 'an API key':
      return (await makeApiKey(service, id)).client;
    case 'a support login':
      return makeSupportLogin(service, id, staffId, { write: true });
    case 'a passkey':
      return passkeyClient(service, page as PasskeyPage);
    case 'a password':
      // While a set-up is asked for nobody logs in: the login is older.
      return secret !== undefined && !isEnabled
        ? clientOf(service, id)
        : known(await device.login(code).expect(200));
    case 'a code of a recovery mail':
      return secret !== undefined && !isEnabled
        ? clientOf(service, id)
        : known(await softLogin(service, owner, code));
    case 'a trusted device':
      known(await device.login({ ...code, trustThisDevice: true }).expect(200));
      return known(await device.login().expect(200));
    case 'a recovery code': {
      const first = known(await device.login(code).expect(200));
      const path = `/organisations/${owner.organisationId}/users/${id}/recoverycodes`;
      const { body } = await first.post(path).expect(201);
      const [recoveryCode] = (body as { recoveryCodes: { codes: string[] } }).recoveryCodes.codes;
      return known(await device.login({ '6digitCode': recoveryCode }).expect(200));
    }
  }
}

async function hasAuthenticator(service: TestService, id: number): Promise<boolean> {
  const rows = await service.sql`SELECT 1 FROM users WHERE id = ${id} AND second_factor = 'enabled'`;
  return rows.length > 0;
}

async function softLogin(service: TestService, { id, username }: MadeUser, code: object) {
  const confirmationCode = '12345678';
  const digest = service.app
    .get(SecretsKeyring, { strict: false })
    .hmac(CODE_PURPOSE, `${id}:${confirmationCode}`);
  await service.sql`INSERT INTO recovery_requests (user_id, username, token_digest, code_digest, expires_at, code_expires_at)
    VALUES (${id}, ${username}, ${randomBytes(32)}, ${digest}, now() + interval '1 hour', now() + interval '15 minutes')`;
  return anonymous(service)
    .post('/softlogin', { username, confirmationCode, ...code })
    .expect(200);
}
