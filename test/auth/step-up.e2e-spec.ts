import { digestOf } from '@app/security/secrets/digest';
import { SecretsKeyring } from '@app/security/secrets/encryption';
import { recoveryCodeContext } from '@app/sign-in/auth/auth.types';
import { VARIANTS } from '../../qa/variants';
import {
  clientOf,
  type MadeUser,
  makeCustomer,
  makeOrganisation,
  makeUser,
  nextNumber,
  PASSWORD,
} from '../support/factories/factories';
import { makeApiKey } from '../support/factories/key-factories';
import {
  giveSecondFactor,
  makeTwoFactorUser,
  MovableClock,
  storedSecondFactor,
  type TwoFactorUser,
} from '../support/factories/two-factor-factories';
import { apiKeyClientOf, pathOf } from '../support/factories/users-factories';
import { type ApiClient, failingFields } from '../support/service/client';
import { useService } from '../support/service/service';

const names = { firstName: 'Jan', lastName: 'de Vries' } as const;

describe.each(VARIANTS)('PATCH …/users with STEP_UP: another own name in Variant %s', (variant) => {
  const service = useService(variant, { settings: { stepUp: true, trustedProxies: ['127.0.0.1'] } });
  let clock: MovableClock;
  beforeAll(async () => {
    clock = new MovableClock(service);
  });

  const freshName = (): string => `stepped${nextNumber()}@example.com`;
  const patch = (user: MadeUser, fields: object, client: ApiClient = user.client) =>
    client.patch(pathOf(user), { username: freshName(), ...names, ...fields });
  const newUser = async (): Promise<MadeUser> => (await makeCustomer(service)).plain;
  const nameOf = async ({ id }: MadeUser): Promise<unknown> =>
    (await service.sql<{ username: string }>`SELECT username FROM users WHERE id = ${id}`)[0]?.username;

  it('takes the password: 400 on the field without, 401 when wrong', async () => {
    const user = await newUser();
    for (const fields of [
      {},
      { password: null },
      { password: '' },
      { password: {} },
      { '6digitCode': '123456' },
    ]) {
      expect(failingFields(await patch(user, fields).expect(400))).toEqual(['password']);
    }
    const wrong = await patch(user, { password: 'wrong' }).expect(401);
    // The route needs a credential (rule answers 20).
    expect(wrong.headers['www-authenticate']).toBe('Bearer');
    expect(wrong.body).toMatchObject({ message: 'Bad credentials' });
    expect(await nameOf(user)).toBe(user.username);
    const username = freshName();
    await patch(user, { username, password: PASSWORD }).expect(204);
    expect(await nameOf(user)).toBe(username);
    await user.client.get('/whoami').expect(200);
  });

  it('takes the code of the authenticator too where there is one, once', async () => {
    const user = await newUser();
    const secret = await giveSecondFactor(service, user.id);
    expect(failingFields(await patch(user, {}).expect(400))).toEqual(['6digitCode', 'password']);
    expect(failingFields(await patch(user, { password: PASSWORD }).expect(400))).toEqual(['6digitCode']);
    const wrong = await patch(user, { password: PASSWORD, '6digitCode': clock.wrongCode(secret) }).expect(
      401,
    );
    expect(wrong.body).toMatchObject({ message: '6digitCode is invalid' });
    const proof = { password: PASSWORD, '6digitCode': clock.code(secret) };
    const guess = await patch(user, { ...proof, password: 'wrong' }).expect(401);
    expect(guess.body).toMatchObject({ message: 'Bad credentials' });
    await patch(user, proof).expect(204);
    await patch(user, proof).expect(401);
    clock.moveSteps(2);
    await patch(user, { password: PASSWORD, '6digitCode': clock.code(secret) }).expect(204);
  });

  it('takes that code in two groups, or as a number that lost its zero', async () => {
    const user = await newUser();
    const secret = await giveSecondFactor(service, user.id);
    const code = clock.code(secret);
    const grouped = `${code.slice(0, 3)} ${code.slice(3)}`;
    await patch(user, { password: PASSWORD, '6digitCode': grouped }).expect(204);
    clock.moveSteps(2);
    while (!clock.code(secret).startsWith('0')) clock.moveSteps(1);
    await patch(user, { password: PASSWORD, '6digitCode': Number(clock.code(secret)) }).expect(204);
  });

  it('takes a recovery code in the place of that code, once', async () => {
    const user = await newUser();
    await giveSecondFactor(service, user.id);
    await service.sql(`INSERT INTO recovery_codes (user_id, position, encrypted_digest) VALUES ($1, 1, $2)`, [
      user.id,
      service.app
        .get(SecretsKeyring)
        .encrypt(digestOf('7k3xpq0w9d').toString('hex'), recoveryCodeContext(user.id)),
    ]);
    await patch(user, { password: PASSWORD, '6digitCode': '7k3xp-q0w9e' }).expect(401);
    const proof = { password: PASSWORD, '6digitCode': '7k3xp-q0w9d' };
    await patch(user, proof).expect(204);
    expect((await patch(user, proof).expect(401)).body).toMatchObject({ reason: 'CODE_INVALID' });
  });

  it('gives a login ten wrong passwords and ten wrong codes, from whatever networks; others of the user go on', async () => {
    const user = await newUser();
    const secret = await giveSecondFactor(service, user.id);
    const from = (network: number, fields: object, client?: ApiClient) =>
      patch(user, fields, client).set('X-Forwarded-For', `10.9.${network}.1`);
    const rightCode = () => ({ password: PASSWORD, '6digitCode': clock.code(secret) });
    const wrongCode = { password: PASSWORD, '6digitCode': clock.wrongCode(secret) };
    for (let guess = 0; guess < 9; guess++) await from(guess, wrongCode).expect(401);
    for (let guess = 0; guess < 10; guess++)
      await from(guess, { ...wrongCode, password: 'wrong' }).expect(401);
    await from(10, rightCode()).expect(429);
    await service.sql`DELETE FROM attempts`;
    for (let guess = 0; guess < 10; guess++) await from(guess, wrongCode).expect(401);
    await from(10, rightCode()).expect(429);
    expect(await nameOf(user)).toBe(user.username);
    await from(10, rightCode(), await clientOf(service, user.id)).expect(204);
  });

  it('asks nothing of other changes, nor of keys, which change no name', async () => {
    const user = await newUser();
    await patch(user, { username: user.username, firstName: 'Piet' }).expect(204);
    await patch(user, { username: user.username.toUpperCase() }).expect(204);
    await patch(user, {}, await apiKeyClientOf(service, user.id)).expect(403);
  });
});

describe.each(VARIANTS)('PATCH …/users without STEP_UP, Variant %s', (variant) => {
  const service = useService(variant, { settings: { strictBody: true } });

  it('asks for no password and looks at none', async () => {
    const { plain } = await makeCustomer(service);
    for (const password of [undefined, 'wrong', {}, [1]]) {
      await plain.client
        .patch(pathOf(plain), {
          username: `free${nextNumber()}@example.com`,
          ...names,
          password,
          '6digitCode': 7,
        })
        .expect(204);
    }
  });
});

describe('POST …/recoverycodes with STEP_UP, in Variant A', () => {
  const service = useService('A', { settings: { stepUp: true } });
  let clock: MovableClock;
  beforeAll(() => {
    clock = new MovableClock(service);
  });
  const codesOf = (user: MadeUser, body?: object) => user.client.post(`${pathOf(user)}/recoverycodes`, body);
  const proofOf = (user: TwoFactorUser) => {
    clock.moveSteps(2);
    return { password: PASSWORD, '6digitCode': clock.code(user.secret) };
  };

  it('making recovery codes takes password and code of the authenticator, and no recovery code', async () => {
    const user = await makeTwoFactorUser(service, clock, { organisationId: await makeOrganisation(service) });
    for (const body of [undefined, {}])
      expect(failingFields(await codesOf(user, body).expect(400))).toEqual(['6digitCode', 'password']);
    await codesOf(user, { ...proofOf(user), password: 'wrong' }).expect(401);
    const { body } = await codesOf(user, proofOf(user)).expect(201);
    const [first = ''] = (body as { recoveryCodes: { codes: string[] } }).recoveryCodes.codes;
    const refused = await codesOf(user, { password: PASSWORD, '6digitCode': first }).expect(401);
    expect(refused.body).toMatchObject({ reason: 'CODE_INVALID' });
    const left = await user.client.get(`${pathOf(user)}/recoverycodes`).expect(200);
    expect(left.body).toMatchObject({ recoveryCodes: { left: 10 } });
    for (let guess = 0; guess < 9; guess++)
      await codesOf(user, { password: PASSWORD, '6digitCode': first }).expect(401);
    await codesOf(user, proofOf(user)).expect(429);
    const { plain } = await makeCustomer(service);
    expect(failingFields(await codesOf(plain).expect(400))).toEqual(['password']);
    expect((await codesOf(plain, { password: PASSWORD }).expect(400)).body).toMatchObject({
      reason: 'SECOND_FACTOR_NOT_ENABLED',
    });
  });
});

describe('PATCH …/disable2fa of oneself with STEP_UP', () => {
  const service = useService('A', { settings: { stepUp: true } });

  it('takes password and code', async () => {
    const clock = new MovableClock(service);
    const { organisationId } = await makeCustomer(service);
    const user = await makeTwoFactorUser(service, clock, { organisationId });
    const path = `${pathOf(user)}/disable2fa`;
    for (const body of [undefined, {}]) {
      expect(failingFields(await user.client.patch(path, body).expect(400))).toEqual([
        '6digitCode',
        'password',
      ]);
    }
    const code = clock.code(user.secret);
    await user.client.patch(path, { password: 'wrong', '6digitCode': code }).expect(401);
    await user.client
      .patch(path, { password: PASSWORD, '6digitCode': clock.wrongCode(user.secret) })
      .expect(401);
    expect((await storedSecondFactor(service, user.id)).state).toBe('enabled');
    await user.client.patch(path, { password: PASSWORD, '6digitCode': code }).expect(204);
    expect((await storedSecondFactor(service, user.id)).state).toBe('disabled');
    const without = await makeUser(service, { organisationId });
    expect(failingFields(await without.client.patch(`${pathOf(without)}/disable2fa`).expect(400))).toEqual([
      'password',
    ]);
  });
});

describe('PATCH …/disable2fa of oneself without STEP_UP', () => {
  const service = useService('A');

  it('looks at no body, whatever it is', async () => {
    const { plain } = await makeCustomer(service);
    for (const body of [undefined, {}, [], { password: {} }]) {
      await plain.client.patch(`${pathOf(plain)}/disable2fa`, body).expect(204);
    }
    await plain.client
      .patch(`${pathOf(plain)}/disable2fa`)
      .type('json')
      .send('{"half')
      .expect(204);
  });
});

describe('with STEP_UP and Idempotency-Key', () => {
  const service = useService('A', { settings: { stepUp: true } });

  it('a request that is refused after its proof has used its code up', async () => {
    const clock = new MovableClock(service);
    const { plain } = await makeCustomer(service);
    const code = clock.code(await giveSecondFactor(service, plain.id));
    const keys = `${pathOf(plain)}/apikeys`;
    const proof = { password: PASSWORD, '6digitCode': code };
    const send = (path: string, key: string, body: object) =>
      plain.client.post(path, { ...body, ...proof }).set('Idempotency-Key', key);
    const { id } = await makeApiKey(service, plain.id);
    await service.sql`UPDATE api_keys SET rotated_at = now() WHERE id = ${id}`;
    await send(`${keys}/${id}/rotate`, 'rotate', {}).expect(400, /API_KEY_ROTATED/);
    await send(keys, 'create', { name: 'Thief', whitelist: [] }).expect(401, /CODE_INVALID/);
    expect(await service.sql`SELECT 1 FROM stored_responses`).toEqual([]);
  });
});
