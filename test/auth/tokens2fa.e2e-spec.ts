import { OperatorError } from '@app/config/operator-errors';
import { digestOf, newSecret } from '@app/security/secrets/digest';
import { readCheckedSettings } from '@app/service/checked-settings';
import { OneTimeCodes } from '../../qa/made-values';
import { trustedDevice } from '../../qa/responses';
import { useCountryDatabase } from '../support/factories/country-database';
import { type MadeUser, makeCustomer, PASSWORD } from '../support/factories/factories';
import { Device, makeTwoFactorUser, MovableClock } from '../support/factories/two-factor-factories';
import { anonymous } from '../support/service/client';
import { startTestService, useService } from '../support/service/service';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:120.0) Gecko/20100101 Firefox/120.0';

interface Token {
  readonly id: number;
  readonly dtCreated: string;
  readonly dtExpires: string;
}

const service = useService('A', { settings: { geoipDb: useCountryDatabase('NL') } });

let clock: MovableClock;
beforeAll(() => {
  clock = new MovableClock(service);
});

const pathOf = (user: MadeUser): string => `/organisations/${user.organisationId}/users/${user.id}/token2fa`;

let made = 0;

/** A trusted device as many logins ago would have left it. */
async function makeToken(user: MadeUser, userAgent: string, days = 30): Promise<number> {
  const [row] = await service.sql<{ id: number }>(
    `INSERT INTO trusted_devices (user_id, digest, user_agent, address, os, browser, country, created_at, expires_at)
     VALUES ($1, $2, $3, $4, 'Linux', 'Chrome 1', 'BE', now() + make_interval(days => $5 - 30),
       now() + make_interval(days => $5)) RETURNING id`,
    [user.id, digestOf(newSecret()), userAgent, `192.0.2.${++made}`, days],
  );
  return row?.id as number;
}

it('GET …/token2fa shows a device as it was trusted', async () => {
  const { organisationId } = await makeCustomer(service);
  const user = await makeTwoFactorUser(service, clock, { organisationId });
  const device = new Device(service, user.username, FIREFOX);
  const since = Math.floor(Date.now() / 1000);
  await device.login({ '6digitCode': clock.code(user.secret), trustThisDevice: true }).expect(200);
  const { body } = await user.client.get(pathOf(user)).expect(200);
  const [token] = (body as { tokens2fa: Token[] }).tokens2fa;
  expect(body).toEqual({
    total: 1,
    tokens2fa: [
      trustedDevice({
        id: expect.any(Number) as number,
        trustedDevice: {
          country: 'NL',
          ip: '127.0.0.1',
          os: 'Windows 10',
          browser: 'Firefox 120.0',
          userAgent: FIREFOX,
        },
        dtCreated: expect.stringMatching(/^\d+$/) as string,
        dtExpires: String(Number(token?.dtCreated) + 30 * 24 * 3600),
      }),
    ],
  });
  expect(Math.abs(Number(token?.dtCreated) - since)).toBeLessThan(60);
  const single = await user.client.get(`${pathOf(user)}/${token?.id}`).expect(200);
  expect(single.body).toEqual({ token2fa: token });
});

it('DELETE …/token2fa ends the trust in both ways with the token', async () => {
  const { organisationId } = await makeCustomer(service);
  const user = await makeTwoFactorUser(service, clock, { organisationId });
  const device = new Device(service, user.username, FIREFOX);
  const fields = { '6digitCode': clock.code(user.secret), trustThisDevice: true };
  const login = await device.login(fields).expect(200);
  const { hash2fa } = login.body as { hash2fa: string };
  await device.login({ '2faToken': hash2fa }).expect(200);
  const { body } = await user.client.get(pathOf(user)).expect(200);
  const id = (body as { tokens2fa: Token[] }).tokens2fa[0]?.id;
  expect((await user.client.delete(`${pathOf(user)}/${id}`).expect(204)).text).toBe('');
  await user.client.get(`${pathOf(user)}/${id}`).expect(404);
  await user.client.delete(`${pathOf(user)}/${id}`).expect(404);
  const byLook = await device.login().expect(401);
  expect(byLook.body).toMatchObject({ message: '6digitCode is invalid' });
  const byToken = await device.login({ '2faToken': hash2fa }).expect(401);
  expect(byToken.body).toMatchObject({ message: '2FA token is invalid' });
});

describe('POST /login: a code from a trusted device', () => {
  const endOf = async (user: MadeUser): Promise<number> => {
    const { body } = await user.client.get(pathOf(user)).expect(200);
    return Number((body as { tokens2fa: Token[] }).tokens2fa[0]?.dtExpires);
  };
  const trusted = async () => {
    const { organisationId } = await makeCustomer(service);
    const user = await makeTwoFactorUser(service, clock, { organisationId });
    const device = new Device(service, user.username, FIREFOX);
    await device.login({ '6digitCode': clock.code(user.secret), trustThisDevice: true }).expect(200);
    // Twenty days later.
    await service.sql`UPDATE trusted_devices SET created_at = created_at - interval '20 days',
      expires_at = expires_at - interval '20 days' WHERE user_id = ${user.id}`;
    clock.moveSteps(2);
    return { user, device, end: await endOf(user) };
  };
  const DAY = 86_400;

  it('renews the trust where it is right and trustThisDevice stands beside it', async () => {
    const { user, device, end } = await trusted();
    const code = clock.code(user.secret);
    const { body } = await device.login({ '6digitCode': code, trustThisDevice: true }).expect(200);
    expect((await endOf(user)) - end).toBeGreaterThan(19 * DAY);
    // The token is one of the device, and the code is used up.
    const { hash2fa } = body as { hash2fa: string };
    await new Device(service, user.username, 'Other/1').login({ '2faToken': hash2fa }).expect(200);
    await new Device(service, user.username, 'Other/1').login({ '6digitCode': code }).expect(401);
  });

  it.each([
    ['a wrong code beside trustThisDevice', { trustThisDevice: true }, 'wrongCode'],
    ['a right code alone', {}, 'code'],
    ['a wrong code alone', {}, 'wrongCode'],
  ] as const)('is let in and renews nothing by %s', async (_, fields, kind) => {
    const { user, device, end } = await trusted();
    await device.login({ '6digitCode': clock[kind](user.secret), ...fields }).expect(200);
    expect(await endOf(user)).toBe(end);
    if (kind === 'code') {
      const stranger = new Device(service, user.username, 'Other/1');
      await stranger.login({ '6digitCode': clock.code(user.secret) }).expect(200);
    }
  });

  it('is a guess: after ten wrong ones a right one renews nothing either, and the device is let in', async () => {
    const { user, device, end } = await trusted();
    for (let count = 0; count < 10; count++)
      await device.login({ '6digitCode': clock.wrongCode(user.secret), trustThisDevice: true }).expect(200);
    await device.login({ '6digitCode': clock.code(user.secret), trustThisDevice: true }).expect(200);
    expect(await endOf(user)).toBe(end);
  });
});

describe('…/token2fa: the tokens of one device', () => {
  const trusted = async () => {
    const { organisationId } = await makeCustomer(service);
    const user = await makeTwoFactorUser(service, clock, { organisationId });
    const device = new Device(service, user.username, FIREFOX);
    const answer = await device
      .login({ '6digitCode': clock.code(user.secret), trustThisDevice: true })
      .expect(200);
    const fresh = async () => ((await device.login().expect(200)).body as { hash2fa: string }).hash2fa;
    const isGood = async (token: string) => {
      const { status, body } = await new Device(service, user.username, 'Other/1').login({
        '2faToken': token,
      });
      if (status === 200) expect((body as { hash2fa: string }).hash2fa).toBe(token);
      return status === 200;
    };
    /** Those that have been used are told apart by when. */
    const use = async (token: string, minutesAgo: number) => {
      expect(await isGood(token)).toBe(true);
      const when = [digestOf(token), minutesAgo];
      await service.sql(
        'UPDATE trusted_devices SET token_used_at = now() - make_interval(mins => $2) WHERE digest = $1',
        when,
      );
      await service.sql(
        'UPDATE older_device_tokens SET used_at = now() - make_interval(mins => $2) WHERE digest = $1',
        when,
      );
    };
    const goodOf = async (tokens: readonly string[]) => {
      const good: number[] = [];
      for (const [place, token] of tokens.entries()) if (await isGood(token)) good.push(place);
      return good;
    };
    return { user, device, first: (answer.body as { hash2fa: string }).hash2fa, fresh, use, goodOf };
  };

  it('are five: never used ones make room first, the oldest before', async () => {
    const { first, fresh, use, goodOf } = await trusted();
    await use(first, 60);
    const others: string[] = [];
    for (let login = 0; login < 9; login++) others.push(await fresh());
    expect(await goodOf([first, ...others])).toEqual([0, 6, 7, 8, 9]);
  });

  it('are five: then the one that was unused longest makes room', async () => {
    const { first, fresh, use, goodOf } = await trusted();
    const tokens = [first];
    while (tokens.length < 5) tokens.push(await fresh());
    for (const [place, minutesAgo] of [50, 70, 30, 90, 40].entries())
      await use(tokens[place] as string, minutesAgo);
    tokens.push(await fresh());
    await use(tokens[5] as string, 10);
    tokens.push(await fresh());
    expect(await goodOf(tokens)).toEqual([0, 2, 4, 5, 6]);
  });

  it('all end with the device, and are no records of their own', async () => {
    const { user, first, fresh, goodOf } = await trusted();
    const tokens = [first, await fresh(), await fresh()];
    const { body } = await user.client.get(pathOf(user)).expect(200);
    const { total, tokens2fa } = body as { total: number; tokens2fa: Token[] };
    expect(total).toBe(1);
    expect(await goodOf(tokens)).toEqual([0, 1, 2]);
    await user.client.delete(`${pathOf(user)}/${tokens2fa[0]?.id}`).expect(204);
    expect(await goodOf(tokens)).toEqual([]);
    expect(await service.sql`SELECT FROM older_device_tokens WHERE digest = ${digestOf(first)}`).toEqual([]);
  });

  it('all end with the second factor', async () => {
    const { user, first, fresh } = await trusted();
    await fresh();
    await user.client.patch(`/organisations/${user.organisationId}/users/${user.id}/disable2fa`).expect(204);
    expect(await service.sql`SELECT FROM older_device_tokens WHERE digest = ${digestOf(first)}`).toEqual([]);
  });

  it('all end 30 days after the code, also when the device is trusted again then', async () => {
    const { user, device, first, fresh, goodOf } = await trusted();
    const second = await fresh();
    const age = (days: number) =>
      service.sql(
        `WITH older AS (
           UPDATE older_device_tokens SET expires_at = expires_at - make_interval(days => $2)
           WHERE device_id IN (SELECT id FROM trusted_devices WHERE user_id = $1)
         )
         UPDATE trusted_devices SET expires_at = expires_at - make_interval(days => $2) WHERE user_id = $1`,
        [user.id, days],
      );
    await age(29);
    expect(await goodOf([first, second])).toEqual([0, 1]);
    await age(1);
    expect(await goodOf([first, second])).toEqual([]);
    clock.moveSteps(1);
    const again = await device
      .login({ '6digitCode': clock.code(user.secret), trustThisDevice: true })
      .expect(200);
    expect(await goodOf([first, second, (again.body as { hash2fa: string }).hash2fa])).toEqual([2]);
  });
});

it('GET …/token2fa does not have the expired device', async () => {
  const { plain } = await makeCustomer(service);
  const id = await makeToken(plain, 'expired', 0);
  await plain.client.get(`${pathOf(plain)}/${id}`).expect(404);
  await plain.client.delete(`${pathOf(plain)}/${id}`).expect(404);
  const { body } = await plain.client.get(pathOf(plain)).expect(200);
  expect(body).toEqual({ total: 0, tokens2fa: [] });
});

it('a wrong GEOIP_DB is a fault of the settings, in one line', async () => {
  const failure = await readCheckedSettings({ GEOIP_DB: '/nowhere/countries.mmdb' }).catch(
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(OperatorError);
  expect((failure as OperatorError).message).toMatch(/^GEOIP_DB [^\n]+$/);
});

it('GET …/token2fa: a device that is trusted without GEOIP_DB is in no country', async () => {
  await using service = await startTestService('A', { settings: { geoipDb: undefined } });
  const { plain, organisationId } = await makeCustomer(service);
  const credentials = { username: plain.username, password: PASSWORD };
  const shown = await anonymous(service).post('/enable2faandget2fasecret', credentials).expect(200);
  const code = await new OneTimeCodes(shown.body.secret as string).next();
  const { body } = await anonymous(service)
    .post('/activate2fa', { ...credentials, '6digitCode': code, trustThisDevice: true })
    .expect(200);
  const listed = await anonymous(service)
    .get(`/organisations/${organisationId}/users/${plain.id}/token2fa`)
    .set('Authorization', body.hash as string)
    .expect(200);
  expect(listed.body.tokens2fa[0].trustedDevice).toMatchObject({ country: '', ip: '127.0.0.1' });
});
