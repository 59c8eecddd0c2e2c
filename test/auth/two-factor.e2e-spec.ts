import { SecretsKeyring } from '@app/security/secrets/encryption';
import { makeCustomer, makeOrganisation, makeUser, PASSWORD } from '../support/factories/factories';
import {
  Device,
  makeTwoFactorUser,
  MovableClock,
  showSecret,
  storedSecondFactor,
  type TwoFactorUser,
} from '../support/factories/two-factor-factories';
import { apiKeyClientOf } from '../support/factories/users-factories';
import { placesOf } from '../support/generators/database-search';
import { anonymous, asAdmin } from '../support/service/client';
import { TEST_SECRETS_KEY, useService } from '../support/service/service';
import { letExpire } from '../support/service/time';

const REQUESTED = { code: 401, message: '2FA is requested' };
const REQUIRED = { code: 401, message: '2FA is required' };
const CODE_INVALID = { code: 401, message: '6digitCode is invalid' };
const TOKEN_INVALID = { code: 401, message: '2FA token is invalid' };

interface LoginResponse {
  readonly hash: string;
  readonly hash2fa: string;
}

const service = useService('A');
let clock: MovableClock;
let organisationId: number;

beforeAll(async () => {
  clock = new MovableClock(service);
  organisationId = await makeOrganisation(service);
});

const twoFactorUser = (): Promise<TwoFactorUser> => makeTwoFactorUser(service, clock, { organisationId });

describe('PATCH …/enable2fa, POST /activate2fa and /cancel2faActivation: the states', () => {
  const pathOf = (userId: number): string => `/organisations/${organisationId}/users/${userId}`;
  const events = {
    enable2faandget2fasecret: (user: TwoFactorUser) => new Device(service, user.username).showSecret(),
    'PATCH enable2fa': (user: TwoFactorUser) => user.client.patch(`${pathOf(user.id)}/enable2fa`),
    activate2fa: (user: TwoFactorUser) =>
      new Device(service, user.username).activate({ '6digitCode': clock.code(user.secret) }),
    cancel2faActivation: (user: TwoFactorUser) => new Device(service, user.username).cancel(),
    'PATCH disable2fa': (user: TwoFactorUser) => user.client.patch(`${pathOf(user.id)}/disable2fa`),
  };
  const make = {
    disabled: async (): Promise<TwoFactorUser> => ({
      ...(await makeUser(service, { organisationId })),
      secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
    }),
    requested: async (): Promise<TwoFactorUser> => {
      const user = await makeUser(service, { organisationId });
      return { ...user, secret: await showSecret(service, user.username) };
    },
    enabled: twoFactorUser,
  };

  it.each([
    ['disabled', 'enable2faandget2fasecret', 200, 'requested'],
    ['requested', 'enable2faandget2fasecret', 200, 'requested'],
    ['enabled', 'enable2faandget2fasecret', 400, 'enabled'],
    ['disabled', 'PATCH enable2fa', 204, 'requested'],
    ['requested', 'PATCH enable2fa', 204, 'requested'],
    ['enabled', 'PATCH enable2fa', 204, 'enabled'],
    ['disabled', 'activate2fa', 400, 'disabled'],
    ['requested', 'activate2fa', 200, 'enabled'],
    ['enabled', 'activate2fa', 400, 'enabled'],
    ['disabled', 'cancel2faActivation', 200, 'disabled'],
    ['requested', 'cancel2faActivation', 200, 'disabled'],
    ['enabled', 'cancel2faActivation', 400, 'enabled'],
    ['disabled', 'PATCH disable2fa', 204, 'disabled'],
    ['requested', 'PATCH disable2fa', 204, 'disabled'],
    ['enabled', 'PATCH disable2fa', 204, 'disabled'],
  ] as const)('%s, %s: %i, then %s', async (state, event, status, after) => {
    const user = await make[state]();
    const before = await storedSecondFactor(service, user.id);
    const response = await events[event](user).expect(status);
    const stored = await storedSecondFactor(service, user.id);
    expect(stored.state).toBe(after);
    if (after === 'disabled') expect(stored).toEqual({ state: 'disabled', secret: null, lastStep: null });
    if (state === 'enabled' && after === 'enabled') expect(stored).toEqual(before);
    if (event === 'cancel2faActivation' && status === 200) expect(response.body).toEqual({ success: true });
    if (status === 204) expect(response.body).toEqual({});
    if (status === 400) {
      const message = state === 'enabled' ? '2FA is already enabled' : '2FA is not requested';
      expect(response.body).toMatchObject({ code: 400, message });
    }
  });

  it('show a fresh secret each time, of which only the last one counts', async () => {
    const { username } = await makeUser(service, { organisationId });
    const first = await showSecret(service, username);
    const second = await showSecret(service, username);
    expect(first).toMatch(/^[A-Z2-7]{32}$/);
    expect(second).not.toBe(first);
    const device = new Device(service, username);
    const refused = await device.activate({ '6digitCode': clock.code(first) }).expect(401);
    expect(refused.body).toMatchObject(CODE_INVALID);
    await device.activate({ '6digitCode': clock.code(second) }).expect(200);
  });

  it('asked for by PATCH need a secret before any code is right', async () => {
    const user = await makeUser(service, { organisationId });
    await user.client.patch(`${pathOf(user.id)}/enable2fa`).expect(204);
    const device = new Device(service, user.username);
    expect((await device.login().expect(401)).body).toMatchObject(REQUESTED);
    expect((await device.activate({ '6digitCode': '000000' }).expect(401)).body).toMatchObject(CODE_INVALID);
    const secret = await showSecret(service, user.username);
    await device.activate({ '6digitCode': clock.code(secret) }).expect(200);
  });

  it('answer an activation like a login and end the other logins, not the API keys', async () => {
    const user = await makeUser(service, { organisationId });
    const secret = await showSecret(service, user.username);
    await user.client.get('/whoami').expect(200);
    const apiKey = await apiKeyClientOf(service, user.id);
    const device = new Device(service, user.username);
    for (const code of [undefined, '', clock.wrongCode(secret), 'abcdef', '1']) {
      const response = await device.activate({ '6digitCode': code }).expect(401);
      expect(response.body).toMatchObject(CODE_INVALID);
    }
    const { body } = await device
      .activate({ '6digitCode': clock.code(secret), trustThisDevice: true })
      .expect(200);
    expect(body).toMatchObject({
      success: true,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      hash2fa: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      user: { id: user.id, status2fa: 'enabled' },
    });
    await user.client.get('/whoami').expect(401);
    await apiKey.get('/whoami').expect(200);
    expect((await device.login().expect(200)).body).toMatchObject({ user: { status2fa: 'enabled' } });
  });

  it('never take the code of the activation again', async () => {
    const user = await makeUser(service, { organisationId });
    const secret = await showSecret(service, user.username);
    const device = new Device(service, user.username);
    const code = clock.code(secret);
    const activation = await device.activate({ '6digitCode': code }).expect(200);
    expect((activation.body as LoginResponse).hash2fa).toBe('');
    expect((await device.login({ '6digitCode': code }).expect(401)).body).toMatchObject(CODE_INVALID);
  });
});

describe('POST /enable2faandget2fasecret, /activate2fa and /cancel2faActivation: set-up by password', () => {
  it.each(['showSecret', 'activate', 'cancel'] as const)(
    '%s checks the password like login',
    async (route) => {
      const { plain } = await makeCustomer(service);
      const device = new Device(service, plain.username);
      await new Device(service, 'nobody@example.com')[route]().expect(404);
      await device[route]({ password: '' }).expect(400);
      for (let guess = 0; guess < 10; guess++) await device[route]({ password: 'wrong' }).expect(401);
      const throttled = await device[route]().expect(429);
      expect(Number(throttled.headers['retry-after'])).toBeGreaterThan(0);
      await device.login().expect(429);
      expect(await storedSecondFactor(service, plain.id)).toMatchObject({ state: 'disabled' });
    },
  );

  it('is possible where the organisation requires two-factor login and the user has none', async () => {
    const required = await makeOrganisation(service, { required2fa: true });
    const user = await makeUser(service, { organisationId: required });
    const device = new Device(service, user.username);
    expect((await device.login().expect(401)).body).toMatchObject(REQUIRED);
    const secret = await showSecret(service, user.username);
    expect((await device.login().expect(401)).body).toMatchObject(REQUESTED);
    await device.activate({ '6digitCode': clock.code(secret) }).expect(200);
    clock.moveSteps(1);
    await device.login({ '6digitCode': clock.code(secret) }).expect(200);
  });
});

describe('POST /login with a second factor', () => {
  it('trusts no device of a user without two-factor login', async () => {
    const user = await makeUser(service, { organisationId });
    const { body } = await new Device(service, user.username).login({ trustThisDevice: true }).expect(200);
    expect((body as LoginResponse).hash2fa).toBe('');
    expect(await service.sql`SELECT 1 FROM trusted_devices WHERE user_id = ${user.id}`).toEqual([]);
  });

  it('tells nothing about the second factor before the password is right', async () => {
    const user = await twoFactorUser();
    const { body } = await new Device(service, user.username).login({ password: 'wrong' }).expect(401);
    expect(body).toMatchObject({ message: 'Bad credentials' });
  });

  it.each([-1, 0, 1])('takes a code %i steps away', async (steps) => {
    const user = await twoFactorUser();
    await new Device(service, user.username)
      .login({ '6digitCode': clock.code(user.secret, steps) })
      .expect(200);
  });

  it.each([-2, 2])('refuses a code %i steps away', async (steps) => {
    const user = await twoFactorUser();
    const response = await new Device(service, user.username)
      .login({ '6digitCode': clock.code(user.secret, steps) })
      .expect(401);
    expect(response.body).toMatchObject(CODE_INVALID);
  });

  it('takes a code once and none of an older step', async () => {
    const user = await twoFactorUser();
    const device = new Device(service, user.username);
    await device.login({ '6digitCode': clock.code(user.secret) }).expect(200);
    await device.login({ '6digitCode': clock.code(user.secret) }).expect(401);
    await device.login({ '6digitCode': clock.code(user.secret, -1) }).expect(401);
    await device.login({ '6digitCode': clock.code(user.secret, 1) }).expect(200);
  });

  it('takes the code with an empty token beside it', async () => {
    const user = await twoFactorUser();
    const fields = { '6digitCode': clock.code(user.secret), '2faToken': '' };
    await new Device(service, user.username).login(fields).expect(200);
  });

  it.each<[string, (code: string) => string | number]>([
    ['in two groups, as authenticators show it', (code) => `${code.slice(0, 3)} ${code.slice(3)}`],
    ['in groups with hyphens', (code) => ` ${code.slice(0, 2)}-${code.slice(2, 4)}\u2011${code.slice(4)} `],
    ['with Arabic digits', (code) => code.replaceAll(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'.charAt(Number(digit)))],
    ['as a number that lost its zero', (code) => Number(code)],
  ])('takes a code %s, once; a text without its zero is wrong', async (_, written) => {
    const user = await twoFactorUser();
    const device = new Device(service, user.username);
    while (!clock.code(user.secret).startsWith('0')) clock.moveSteps(1);
    const code = clock.code(user.secret);
    expect((await device.login({ '6digitCode': code.slice(1) }).expect(401)).body).toMatchObject(
      CODE_INVALID,
    );
    await device.login({ '6digitCode': written(code) }).expect(200);
    for (const again of [written(code), code])
      expect((await device.login({ '6digitCode': again }).expect(401)).body).toMatchObject(CODE_INVALID);
  });

  it('takes a code of an activation as authenticators show it', async () => {
    const user = await makeUser(service, { organisationId });
    const secret = await showSecret(service, user.username);
    const code = clock.code(secret);
    const grouped = `${code.slice(0, 3)} ${code.slice(3)}`;
    await new Device(service, user.username).activate({ '6digitCode': grouped }).expect(200);
  });

  it('counts a wrong code however it is written, one of blanks too', async () => {
    const user = await twoFactorUser();
    const device = new Device(service, user.username);
    const wrong = clock.wrongCode(user.secret);
    const forms = [wrong, `${wrong.slice(0, 3)} ${wrong.slice(3)}`, Number(wrong), '   ', '---'];
    for (const code of [...forms, ...forms])
      expect((await device.login({ '6digitCode': code }).expect(401)).body).toMatchObject(CODE_INVALID);
    await device.login({ '6digitCode': clock.code(user.secret) }).expect(429);
  });

  it('counts wrong codes and no missing ones, refuses the right one past ten, and counts anew after a right one', async () => {
    const user = await twoFactorUser();
    const device = new Device(service, user.username);
    const wrong = { '6digitCode': clock.wrongCode(user.secret) };
    for (let time = 0; time < 12; time++)
      expect((await device.login().expect(401)).body).toMatchObject(CODE_INVALID);
    for (let time = 0; time < 9; time++) await device.login(wrong).expect(401);
    await device.login({ '6digitCode': clock.code(user.secret) }).expect(200);
    clock.moveSteps(1);
    for (let time = 0; time < 10; time++)
      expect((await device.login(wrong).expect(401)).body).toMatchObject(CODE_INVALID);
    const throttled = await device.login({ '6digitCode': clock.code(user.secret) }).expect(429);
    const wait = Number(throttled.headers['retry-after']);
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(900);
    await service.sql(`UPDATE attempts SET resets_at = now()`);
    await device.login({ '6digitCode': clock.code(user.secret) }).expect(200);
  });

  it('counts wrong codes of an activation together with those of logins', async () => {
    const user = await makeUser(service, { organisationId });
    const secret = await showSecret(service, user.username);
    const device = new Device(service, user.username);
    for (let time = 0; time < 10; time++)
      await device.activate({ '6digitCode': clock.wrongCode(secret) }).expect(401);
    await device.activate({ '6digitCode': clock.code(secret) }).expect(429);
  });
});

describe('POST /login: a trusted device', () => {
  const trusted = async (): Promise<{ user: TwoFactorUser; device: Device; token: string }> => {
    const user = await twoFactorUser();
    const device = new Device(service, user.username, 'Trusted/1.0');
    const { body } = await device
      .login({ '6digitCode': clock.code(user.secret), trustThisDevice: true })
      .expect(200);
    clock.moveSteps(2);
    return { user, device, token: (body as LoginResponse).hash2fa };
  };
  const elsewhere = (user: TwoFactorUser): Device => new Device(service, user.username, 'Other/2.0');

  it('is one that was trusted with a right code only', async () => {
    const user = await twoFactorUser();
    const device = new Device(service, user.username);
    await device.login({ '6digitCode': clock.wrongCode(user.secret), trustThisDevice: true }).expect(401);
    await device.login({ trustThisDevice: true }).expect(401);
    const { body } = await device.login({ '6digitCode': clock.code(user.secret) }).expect(200);
    expect((body as LoginResponse).hash2fa).toBe('');
    expect(await service.sql`SELECT 1 FROM trusted_devices WHERE user_id = ${user.id}`).toEqual([]);
  });

  it('passes by its token from anywhere, and gets it back', async () => {
    const { user, token } = await trusted();
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    for (let time = 0; time < 2; time++) {
      const { body } = await elsewhere(user).login({ '2faToken': token }).expect(200);
      expect((body as LoginResponse).hash2fa).toBe(token);
    }
  });

  it('passes by its look and gets a fresh token; the old one goes on, the trust is no longer', async () => {
    const { user, device, token } = await trusted();
    const lifetime = () => service.sql`SELECT id, expires_at FROM trusted_devices WHERE user_id = ${user.id}`;
    const before = await lifetime();
    const { body } = await device.login().expect(200);
    const fresh = (body as LoginResponse).hash2fa;
    expect(fresh).toMatch(/^[0-9a-f]{64}$/);
    expect(fresh).not.toBe(token);
    expect(await lifetime()).toEqual(before);
    for (const one of [token, fresh, token]) {
      const passed = await elsewhere(user).login({ '2faToken': one }).expect(200);
      expect((passed.body as LoginResponse).hash2fa).toBe(one);
    }
  });

  it('is not another device of the user, nor the same one of another user', async () => {
    const { user, token } = await trusted();
    const neighbour = await twoFactorUser();
    expect((await elsewhere(user).login().expect(401)).body).toMatchObject(CODE_INVALID);
    const sameLook = new Device(service, neighbour.username, 'Trusted/1.0');
    expect((await sameLook.login().expect(401)).body).toMatchObject(CODE_INVALID);
    expect((await sameLook.login({ '2faToken': token }).expect(401)).body).toMatchObject(TOKEN_INVALID);
  });

  it('needs the same address', async () => {
    const { user, device } = await trusted();
    await service.sql`UPDATE trusted_devices SET address = '192.0.2.1' WHERE user_id = ${user.id}`;
    expect((await device.login().expect(401)).body).toMatchObject(CODE_INVALID);
  });

  it('whose token is invalid passes with a right code, not with a wrong one', async () => {
    const user = await twoFactorUser();
    const device = elsewhere(user);
    const stale = { '2faToken': 'f'.repeat(64) };
    expect((await device.login(stale).expect(401)).body).toMatchObject(TOKEN_INVALID);
    const wrong = { ...stale, '6digitCode': clock.wrongCode(user.secret) };
    expect((await device.login(wrong).expect(401)).body).toMatchObject(CODE_INVALID);
    const { body } = await device.login({ ...stale, '6digitCode': clock.code(user.secret) }).expect(200);
    expect((body as LoginResponse).hash2fa).toBe('');
  });

  it('is trusted for 30 days and then asked for a code, which makes it the same device anew', async () => {
    const { user, device, token } = await trusted();
    const [row] = await service.sql<{ seconds: number }>(
      `SELECT extract(epoch FROM expires_at - created_at)::float8 AS seconds FROM trusted_devices WHERE user_id = $1`,
      [user.id],
    );
    expect(row?.seconds).toBe(30 * 24 * 3600);
    await letExpire(service, 'trusted_devices', { user_id: user.id });
    expect((await device.login().expect(401)).body).toMatchObject(CODE_INVALID);
    expect((await device.login({ '2faToken': token }).expect(401)).body).toMatchObject(TOKEN_INVALID);
    await device.login({ '6digitCode': clock.code(user.secret), trustThisDevice: true }).expect(200);
    expect(await service.sql`SELECT 1 FROM trusted_devices WHERE user_id = ${user.id}`).toHaveLength(1);
    await device.login().expect(200);
  });

  it('is forgotten when its user is disabled', async () => {
    const { user } = await trusted();
    const admin = await asAdmin(service);
    await admin
      .post(`/organisations/${organisationId}/users/${user.id}/actions`, { type: 'disable' })
      .expect(200);
    expect(await service.sql`SELECT 1 FROM trusted_devices WHERE user_id = ${user.id}`).toEqual([]);
  });
});

describe('PATCH …/disable2fa', () => {
  it('asks for no code any more, forgets secret and devices, and says so in a notification', async () => {
    const user = await twoFactorUser();
    const device = new Device(service, user.username);
    await device.login({ '6digitCode': clock.code(user.secret), trustThisDevice: true }).expect(200);
    const path = `/organisations/${organisationId}/users/${user.id}/disable2fa`;
    await user.client.patch(path).expect(204);
    await user.client.patch(path).expect(204);
    expect(await service.sql`SELECT 1 FROM trusted_devices WHERE user_id = ${user.id}`).toEqual([]);
    expect(
      await service.sql`SELECT notification_group, type, entity_class, entity_name, organisation_id, user_id
         FROM notifications WHERE entity_id = ${user.id} AND entity_class = 'User' AND type <> '2fa_enabled'`,
    ).toEqual([
      {
        notification_group: 'System',
        type: '2fa_disabled',
        entity_class: 'User',
        entity_name: user.username,
        organisation_id: organisationId,
        user_id: user.id,
      },
    ]);
    expect((await device.login().expect(200)).body).toMatchObject({
      hash2fa: '',
      user: { status2fa: 'disabled' },
    });
  });

  it('is refused to oneself where the organisation requires two-factor login, not to its managers', async () => {
    const required = await makeOrganisation(service, { required2fa: true });
    const user = await makeTwoFactorUser(service, clock, { organisationId: required });
    const custadmin = await makeTwoFactorUser(service, clock, {
      organisationId: required,
      roles: ['ROLE_CUSTADMIN'],
    });
    const pathOf = (id: number): string => `/organisations/${required}/users/${id}/disable2fa`;
    for (const self of [user, custadmin]) await self.client.patch(pathOf(self.id)).expect(400);
    expect(await storedSecondFactor(service, user.id)).toMatchObject({ state: 'enabled' });
    await custadmin.client.patch(pathOf(user.id)).expect(204);
    expect(await storedSecondFactor(service, user.id)).toMatchObject({ state: 'disabled' });
    const login = await new Device(service, user.username).login().expect(401);
    expect(login.body).toMatchObject(REQUIRED);
  });
});

describe('secrets', () => {
  it('stand nowhere in plain, neither in the database nor in the log, nor in later answers', async () => {
    const user = await makeUser(service, { organisationId });
    const secret = await showSecret(service, user.username);
    const device = new Device(service, user.username);
    const responses: string[] = [];
    const { body } = await device
      .activate({ '6digitCode': clock.code(secret), trustThisDevice: true })
      .expect(200);
    const { hash, hash2fa } = body as LoginResponse;
    const secrets = [secret, Buffer.from(secret).toString('hex'), hash, hash2fa, PASSWORD];
    // The next login replaces `hash2fa`.
    expect(await placesOf(service, secrets)).toEqual([]);
    for (const response of [
      await device.showSecret().expect(400),
      await device.cancel().expect(400),
      await device.activate({ '6digitCode': clock.code(secret, 1) }).expect(400),
      await device.login().expect(200),
      await anonymous(service).post('/login', { username: user.username, password: PASSWORD }).expect(401),
    ]) {
      responses.push(response.text);
    }
    expect(await placesOf(service, [user.username])).toContain(`public.users.username: ${user.username}`);
    expect(await placesOf(service, secrets)).toEqual([]);
    const told = [...service.logLines, ...responses].join('\n');
    for (const plain of secrets) expect(told).not.toContain(plain);
    expect((await storedSecondFactor(service, user.id)).secret).toMatch(/^v1\./);
  });

  it('are encrypted anew at the next login after SECRETS_KEY was rotated', async () => {
    const user = await twoFactorUser();
    const before = (await storedSecondFactor(service, user.id)).secret ?? '';
    const newKey = Buffer.alloc(32, 8).toString('base64');
    const rotated = SecretsKeyring.parse(`${newKey},${TEST_SECRETS_KEY}`);
    Object.assign(service.app.get(SecretsKeyring), rotated);
    expect(rotated.isCurrent(before)).toBe(false);
    const device = new Device(service, user.username);
    await device.login({ '6digitCode': clock.code(user.secret) }).expect(200);
    expect(rotated.isCurrent((await storedSecondFactor(service, user.id)).secret ?? '')).toBe(true);
    clock.moveSteps(1);
    await device.login({ '6digitCode': clock.code(user.secret) }).expect(200);
  });
});
