import { OperatorError } from '@app/platform/process/settings';
import { digestOf, newSecret } from '@app/security/secrets/digest';
import { readCheckedSettings } from '@app/service/checked-settings';
import { anonymous } from '../support/service/client';
import { useCountryDatabase } from '../support/factories/country-database';
import { makeCustomer, type MadeUser, PASSWORD } from '../support/factories/factories';
import { useService, startTestService, useMade } from '../support/service/service';
import { Device, makeTwoFactorUser, MovableClock } from '../support/factories/two-factor-factories';
import { OneTimeCodes } from '../../tools/qa/made-values';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:120.0) Gecko/20100101 Firefox/120.0';

interface Token {
  readonly id: number;
  readonly dtCreated: string;
  readonly dtExpires: string;
}

const service = useService('A', { settings: { geoipDb: useCountryDatabase('NL') } });

const clock = useMade(() => new MovableClock(service));

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

it('shows a device as it was trusted', async () => {
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
      {
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
      },
    ],
  });
  expect(Math.abs(Number(token?.dtCreated) - since)).toBeLessThan(60);
  const single = await user.client.get(`${pathOf(user)}/${token?.id}`).expect(200);
  expect(single.body).toEqual({ token2fa: token });
});

it('ends the trust in both ways with the token', async () => {
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

it('does not have the expired device', async () => {
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

it('a device that is trusted without GEOIP_DB is in no country', async () => {
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
