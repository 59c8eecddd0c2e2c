import type { Test } from 'supertest';
import { CleanUpHandler } from '@app/platform/jobs/clean-up';
import { LoginEndings, type LoginToEnd } from '@app/sign-in/login-notices/login-endings';
import { useCountryDatabase } from '../support/factories/country-database';
import { type MadeUser, makeCustomer, makeUser, PASSWORD } from '../support/factories/factories';
import { makePasskey, type PasskeyPage } from '../support/factories/passkey-factories';
import { makeContact } from '../support/factories/records';
import {
  makeTwoFactorUser,
  MovableClock,
  type TwoFactorUser,
} from '../support/factories/two-factor-factories';
import { apiKeyClientOf } from '../support/factories/users-factories';
import { type ReceivedMail, useMailServer } from '../support/faults/smtp';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import { auditRows } from '../support/service/audit';
import { anonymous, ApiClient } from '../support/service/client';
import { makeJobsDue, runJob, runJobs } from '../support/service/jobs';
import { type ServiceOptions, startTestService, useService } from '../support/service/service';
import { makeOlder, moveTestClock, useOneHour } from '../support/service/time';

useOneHour();

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:120.0) Gecko/20100101 Firefox/120.0';
const HOSTILE = 'Verify your account at https://evil.example/now/1.0 <b>';
const LINK = /https:\/\/api\.example\/account\/end-login\/([0-9a-f]{64})/;
/** `22 december 2026 om 14:05 CET` */
const TIME = /\d{1,2} \S+ \d{4} .*\d{2}:\d{2} (CES?T|UTC\+[12])/;
const DAY = 86_400;

/** Networks of their own. */
const HOME = '192.0.2.10';
const HOME_TOO = '192.0.2.99';
const CAFE = '198.51.100.7';
/** The country database of the tests knows 127.0.0.0/8 alone. */
const DUTCH = '127.9.8.7';

const mailServer = useMailServer();
const countryDatabase = useCountryDatabase('NL');
const options = (): ServiceOptions => ({
  settings: {
    smtpUrl: mailServer.url,
    trustedProxies: ['127.0.0.1'],
    publicUrl: 'https://api.example',
    geoipDb: countryDatabase,
    testClock: true,
  },
});

const tokenOf = (mail: ReceivedMail | undefined): string => {
  const token = LINK.exec(mail?.text ?? '')?.[1];
  if (token === undefined) throw new Error('No link in the mail');
  return token;
};
const renamed = (by: ApiClient, user: MadeUser, username: string) =>
  by
    .patch(`/organisations/${user.organisationId}/users/${user.id}`, {
      username,
      firstName: 'Jan',
      lastName: 'de Vries',
    })
    .expect(204);
const from = (address: string, call: Test, userAgent = FIREFOX): Test =>
  call.set('X-Forwarded-For', address).set('User-Agent', userAgent);

it('has all links of the process that got the login, whichever process sends the mail', async () => {
  const support = { panelUrl: 'https://panel.example', supportUrl: 'https://help.example' };
  await using service = await startTestService('A', { settings: { ...options().settings, ...support } });
  await using worker = await startTestService('A', {
    database: service.database,
    settings: {
      ...options().settings,
      publicUrl: 'http://localhost:3010',
      panelUrl: 'http://localhost:8080',
    },
  });
  const { plain } = await makeCustomer(service);
  await service.sql`UPDATE users SET language = 'en' WHERE id = ${plain.id}`;
  for (const address of [HOME, CAFE]) {
    const call = anonymous(service).post('/login', { username: plain.username, password: PASSWORD });
    await from(address, call).expect(200);
  }
  await runJobs(worker);
  const [mail] = mailServer.mailsTo(plain.username);
  const links = (text = ''): string[] => [...new Set(text.match(/https?:\/\/[^\s"<]+/g))];
  const wanted = [
    expect.stringMatching(LINK),
    'https://api.example/account/password',
    'https://help.example',
  ];
  expect(links(mail?.text)).toEqual(wanted);
  expect(links(mail?.html)).toEqual(wanted);
});

describe.each(SHARED_VARIANTS)('POST /login from somewhere new in Variant %s', (variant) => {
  const service = useService(variant, options);
  beforeEach(() => service.sql`DELETE FROM attempts`);

  const endings = (): LoginEndings => service.app.get(LoginEndings, { strict: false });

  const logIn = async ({ username }: MadeUser, address: string, userAgent = FIREFOX): Promise<ApiClient> => {
    const call = anonymous(service).post('/login', { username, password: PASSWORD });
    const { body } = await from(address, call, userAgent).expect(200);
    return new ApiClient(service.url, (body as { hash: string }).hash);
  };

  /** The mails about logins so far. */
  const noticesTo = async (address: string): Promise<ReceivedMail[]> => {
    await runJobs(service);
    return mailServer.mailsTo(address).filter(({ text }) => text.includes('end-login'));
  };

  /** A user who has logged in before, at home. */
  async function makeKnown(language = 'en'): Promise<MadeUser> {
    const { plain } = await makeCustomer(service);
    await service.sql`UPDATE users SET language = ${language} WHERE id = ${plain.id}`;
    await logIn(plain, HOME);
    return plain;
  }

  /** A login with the token of its mail. */
  async function logInElsewhere(
    user: MadeUser,
    address = CAFE,
  ): Promise<{ client: ApiClient; token: string }> {
    const client = await logIn(user, address);
    return { client, token: tokenOf((await noticesTo(user.username)).at(-1)) };
  }

  const letPass = (seconds: number): Promise<void> => moveTestClock(service, seconds);

  it.each([
    [
      'en',
      'A new login to your account',
      ['Country: Netherlands', 'System: Windows 10', 'Browser: Firefox 120.0', 'valid for 72 hours'],
    ],
    [
      'nl',
      'Nieuwe aanmelding bij uw account',
      ['Land: Nederland', 'Systeem: Windows 10', 'Browser: Firefox 120.0', '72 uur geldig'],
    ],
    [
      'fr',
      'Nouvelle connexion à votre compte',
      ['Pays : Pays-Bas', 'Système : Windows 10', 'Navigateur : Firefox 120.0', 'valable 72 heures'],
    ],
  ])('is mailed to the name of the user with all that is known, in %s', async (language, subject, lines) => {
    const user = await makeKnown(language);
    await logIn(user, DUTCH);
    const mails = await noticesTo(user.username);
    expect(mails.map(({ headers }) => headers.get('subject'))).toEqual([subject]);
    const text = mails[0]?.text ?? '';
    expect(text).toMatch(LINK);
    expect(text).toMatch(TIME);
    for (const line of [...lines, DUTCH, user.username, 'Jan']) expect(text).toContain(line);
    expect(await noticesTo(user.username)).toHaveLength(1);
  });

  it('is told once for a network, and not for the first login', async () => {
    const user = await makeKnown();
    await logIn(user, HOME_TOO);
    expect(await noticesTo(user.username)).toEqual([]);
    await logIn(user, CAFE);
    await logIn(user, '198.51.100.200');
    await logIn(user, HOME);
    expect(await noticesTo(user.username)).toHaveLength(1);
    await logIn(user, '2001:db8::1');
    await logIn(user, '2001:db8::ffff:1');
    expect(await noticesTo(user.username)).toHaveLength(2);
  });

  it('is told again after 30 days without a login from there, whatever was cleaned up', async () => {
    const user = await makeKnown();
    await logIn(user, CAFE);
    expect(await noticesTo(user.username)).toHaveLength(1);
    await letPass(29 * DAY);
    await runJob(service, CleanUpHandler);
    await logIn(user, CAFE);
    expect(await noticesTo(user.username)).toHaveLength(1);
    // It was used two days ago: only the home network is new again.
    await letPass(2 * DAY);
    await logIn(user, CAFE);
    expect(await noticesTo(user.username)).toHaveLength(1);
    await logIn(user, HOME);
    expect(await noticesTo(user.username)).toHaveLength(2);
    await letPass(31 * DAY);
    await runJob(service, CleanUpHandler);
    const [rows] = await service.sql<{ known: number; notices: number }>`
      SELECT (SELECT count(*)::integer FROM known_networks WHERE user_id = ${user.id}) AS known,
        (SELECT count(*)::integer FROM login_notices WHERE user_id = ${user.id}) AS notices`;
    expect(rows).toEqual({ known: 0, notices: 0 });
    await logIn(user, HOME);
    expect(await noticesTo(user.username)).toHaveLength(3);
  });

  it('has no words of the client in its mail', async () => {
    const user = await makeKnown();
    await logIn(user, CAFE, HOSTILE);
    const [mail] = await noticesTo(user.username);
    expect(mail?.text).not.toContain('Browser:');
    expect(mail?.raw).not.toMatch(/evil|Verify/);
    const [stored] = await service.sql<{ row: string }>`
      SELECT n::text AS row FROM login_notices n WHERE user_id = ${user.id}`;
    expect(stored?.row).not.toMatch(/evil|Verify/);
  });

  it('goes to the oldest contact of 72 hours where the name is no address, and to nobody without one', async () => {
    const { organisationId } = await makeKnown();
    const user = await makeUser(service, { organisationId, username: `name-${variant}` });
    await logIn(user, HOME);
    const young = `young-${variant}@example.com`;
    const younger = `younger-${variant}@example.com`;
    await makeContact(service, { organisationId, userId: user.id, name: young });
    await logIn(user, CAFE);
    expect(await noticesTo(young)).toEqual([]);
    await makeOlder(service, 'contacts', { user_id: user.id }, '73 hours');
    await makeContact(service, { organisationId, userId: user.id, name: younger });
    await logIn(user, '203.0.113.1');
    expect(await noticesTo(young)).toHaveLength(1);
    expect(await noticesTo(younger)).toEqual([]);
  });

  it('is told to the name of that moment, though whoever logged in changes it at once', async () => {
    const user = await makeKnown();
    const thief = await logIn(user, CAFE);
    const renamed = `thief-${user.id}@example.com`;
    await thief
      .patch(`/organisations/${user.organisationId}/users/${user.id}`, {
        username: renamed,
        firstName: 'Jan',
        lastName: 'de Vries',
      })
      .expect(204);
    expect(await noticesTo(user.username)).toHaveLength(1);
    expect(await noticesTo(renamed)).toEqual([]);
  });

  it('is none with an API key or a support login', async () => {
    const user = await makeKnown();
    const staff = await makeUser(service, { organisationId: 1, roles: ['ROLE_ADMIN'] });
    await service.sql`UPDATE users SET second_factor = 'enabled', totp_secret = 'x' WHERE id = ${staff.id}`;
    const path = `/organisations/${user.organisationId}/users/${user.id}/supportlogins`;
    const { body } = await from(CAFE, staff.client.post(path, { reason: 'Question 1' })).expect(201);
    const { hash } = (body as { supportLogin: { hash: string } }).supportLogin;
    for (const client of [new ApiClient(service.url, hash), await apiKeyClientOf(service, user.id)])
      await from(CAFE, client.get('/whoami')).expect(200);
    expect(await noticesTo(user.username)).toEqual([]);
    await logIn(user, CAFE);
    expect(await noticesTo(user.username)).toHaveLength(1);
  });

  it('is mailed for a login on a network that only wrong passwords came from before', async () => {
    const user = await makeKnown();
    const { username } = user;
    const wrong = anonymous(service).post('/login', { username, password: 'Wrong-Passw0rd' });
    await from(CAFE, wrong).expect(401);
    expect(await noticesTo(username)).toEqual([]);
    await logIn(user, CAFE);
    expect(await noticesTo(username)).toHaveLength(1);
  });

  it('is mailed whatever the number of networks: the mail has a link that ends the login', async () => {
    const user = await makeKnown();
    for (let network = 0; network < 25; network++) await logIn(user, `10.9.${network}.1`);
    expect(await noticesTo(user.username)).toHaveLength(25);
    // The known networks of a user are 20: the first are new again, but told already.
    await letPass(2 * DAY);
    for (let network = 0; network < 5; network++) await logIn(user, `10.9.${network}.1`);
    expect(await noticesTo(user.username)).toHaveLength(25);
  });

  it('goes to the former mailbox of a user who renamed itself, with its link', async () => {
    const user = await makeKnown();
    const stranger = `stranger${user.id}@${variant.toLowerCase()}.example`;
    await renamed(user.client, user, stranger);
    await logIn({ ...user, username: stranger }, CAFE);
    expect(await noticesTo(user.username)).toHaveLength(1);
    expect(await noticesTo(stranger)).toEqual([]);
  });

  it('holds no chosen text at an unverified address, which gets sixty mails of notifications from one customer in an hour', async () => {
    const user = await makeKnown();
    const stranger = `given${user.id}@${variant.toLowerCase()}.example`;
    const manager = await makeUser(service, {
      organisationId: user.organisationId,
      roles: ['ROLE_CUSTADMIN'],
    });
    await renamed(manager.client, user, stranger);
    const notices = () =>
      mailServer
        .mailsTo(stranger)
        .filter(({ headers }) => headers.get('subject') === 'A new login to your account');
    const logInFrom = async (networks: readonly number[]) => {
      for (const network of networks) await logIn({ ...user, username: stranger }, `10.8.${network}.1`);
      await noticesTo(stranger);
    };
    await logInFrom([0, 1, 2, 3, 4, 5, 6]);
    expect(notices()).toHaveLength(7);
    for (const { text } of notices()) expect(text).not.toContain('Jan');
    await service.sql`UPDATE attempts SET used = 59 WHERE used = 7`;
    await logInFrom([7, 8, 9]);
    expect(notices()).toHaveLength(8);
  });

  it('succeeds whatever becomes of the mail', async () => {
    const user = await makeKnown();
    mailServer.refuse(true);
    try {
      const client = await logIn(user, CAFE);
      await client.get('/whoami').expect(200);
      expect(await noticesTo(user.username)).toEqual([]);
    } finally {
      mailServer.refuse(false);
    }
    await makeJobsDue(service);
    expect(await noticesTo(user.username)).toHaveLength(1);
  });

  describe('the link of its mail', () => {
    it('says which login it is, and ends that one alone, once', async () => {
      const user = await makeKnown();
      const other = await logIn(user, HOME);
      const { client, token } = await logInElsewhere(user, DUTCH);
      const found = await endings().find(token);
      expect(found).toEqual({
        language: 'en',
        username: user.username,
        at: expect.any(Date) as Date,
        address: DUTCH,
        organisationId: user.organisationId,
        country: 'Netherlands',
        system: 'Windows 10',
        browser: 'Firefox 120.0',
        state: 'open',
      } satisfies LoginToEnd);
      expect(Math.abs((found?.at.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
      await client.get('/whoami').expect(200);
      expect(await endings().end(token)).toBe(true);
      await client.get('/whoami').expect(401);
      for (const going of [other, user.client]) await going.get('/whoami').expect(200);
      expect(await endings().find(token)).toMatchObject({ state: 'ended' });
      expect(await endings().end(token)).toBe(false);
      const rows = await auditRows(
        service,
        `table_name = 'logins' AND action = 'delete' AND actor_user_id = $1`,
        [user.id],
      );
      expect(rows).toMatchObject([{ actor_credential_kind: 'login_notice', record_id: expect.any(Number) }]);
      expect(JSON.stringify(await service.sql`SELECT n::text FROM login_notices n`)).not.toContain(token);
    });

    it('holds for 72 hours', async () => {
      const user = await makeKnown();
      const { client, token } = await logInElsewhere(user);
      await letPass(72 * 3600 - 60);
      expect(await endings().find(token)).toMatchObject({ state: 'open' });
      await letPass(120);
      expect(await endings().find(token)).toMatchObject({ state: 'expired' });
      expect(await endings().end(token)).toBe(false);
      await client.get('/whoami').expect(200);
    });

    it('says that a login has ended in another way', async () => {
      const user = await makeKnown();
      const { client, token } = await logInElsewhere(user);
      await client.post('/logout').expect(204);
      expect(await endings().end(token)).toBe(false);
      expect(await endings().find(token)).toMatchObject({ state: 'ended', address: CAFE });
    });

    it.each(['', 'x', 'f'.repeat(64), `${'f'.repeat(64)}\0`])('is unknown as %j', async (token) => {
      expect(await endings().find(token)).toBeUndefined();
      expect(await endings().end(token)).toBe(false);
    });
  });
});

describe('POST /login, /softlogin and /login/passkey from somewhere new', () => {
  const service = useService('A', options);
  let clock: MovableClock;
  beforeAll(() => {
    clock = new MovableClock(service);
  });
  beforeEach(() => service.sql`DELETE FROM attempts`);

  const noticesTo = async (address: string): Promise<ReceivedMail[]> => {
    await runJobs(service);
    return mailServer.mailsTo(address).filter(({ text }) => text.includes('end-login'));
  };

  const makeWithCode = async (): Promise<TwoFactorUser> => {
    const { organisationId } = await makeCustomer(service);
    return makeTwoFactorUser(service, clock, { organisationId });
  };

  const logIn = async (
    { username, secret }: TwoFactorUser,
    address: string,
    fields: object = {},
    userAgent = FIREFOX,
  ): Promise<{ client: ApiClient; deviceToken: string }> => {
    clock.moveSteps(2);
    const code = '2faToken' in fields || 'known' in fields ? {} : { '6digitCode': clock.code(secret) };
    const call = anonymous(service).post('/login', { username, password: PASSWORD, ...code, ...fields });
    const { body } = await from(address, call, userAgent).expect(200);
    const { hash, hash2fa } = body as { hash: string; hash2fa: string };
    return { client: new ApiClient(service.url, hash), deviceToken: hash2fa };
  };

  it('is mailed after a right code, and not on a trusted device, by its token or its address', async () => {
    const user = await makeWithCode();
    expect(await noticesTo(user.username)).toEqual([]);
    const { deviceToken } = await logIn(user, CAFE, { trustThisDevice: true });
    expect(await noticesTo(user.username)).toHaveLength(1);
    const again = await logIn(user, '203.0.113.1', { '2faToken': deviceToken });
    expect(again.deviceToken).toBe(deviceToken);
    expect(await noticesTo(user.username)).toHaveLength(1);
    await service.sql`DELETE FROM known_networks WHERE user_id = ${user.id}`;
    await service.sql`DELETE FROM login_notices WHERE user_id = ${user.id}`;
    // Recognised by address and user agent: no code.
    await logIn(user, CAFE, { known: true });
    expect(await noticesTo(user.username)).toHaveLength(1);
    await service.sql`DELETE FROM known_networks WHERE user_id = ${user.id}`;
    await logIn(user, CAFE, {}, 'Another/1.0');
    expect(await noticesTo(user.username)).toHaveLength(2);
  });

  it('loses the trust that it asked for with the link of its mail, and no other', async () => {
    const user = await makeWithCode();
    const home = await logIn(user, '127.0.0.1', { trustThisDevice: true });
    const cafe = await logIn(user, CAFE, { trustThisDevice: true });
    const token = tokenOf((await noticesTo(user.username)).at(-1));
    expect(await service.app.get(LoginEndings, { strict: false }).end(token)).toBe(true);
    await cafe.client.get('/whoami').expect(401);
    await home.client.get('/whoami').expect(200);
    const { username } = user;
    const withToken = (deviceToken: string) =>
      anonymous(service).post('/login', { username, password: PASSWORD, '2faToken': deviceToken });
    await withToken(cafe.deviceToken).expect(401);
    await withToken(home.deviceToken).expect(200);
  });

  it('is mailed when two-factor login is switched on from there, which logs in', async () => {
    const { plain: user } = await makeCustomer(service);
    const { username } = user;
    await from(HOME, anonymous(service).post('/login', { username, password: PASSWORD })).expect(200);
    const shown = await anonymous(service)
      .post('/enable2faandget2fasecret', { username, password: PASSWORD })
      .expect(200);
    const code = clock.code((shown.body as { secret: string }).secret);
    const activate = anonymous(service).post('/activate2fa', {
      username,
      password: PASSWORD,
      '6digitCode': code,
      trustThisDevice: true,
    });
    await from(CAFE, activate).expect(200);
    expect(await noticesTo(username)).toHaveLength(1);
  });

  it('is mailed after a softlogin, which makes its network known', async () => {
    const { plain: user } = await makeCustomer(service);
    const { username } = user;
    await from(HOME, anonymous(service).post('/login', { username, password: PASSWORD })).expect(200);
    const softLogin = async (address: string): Promise<void> => {
      await anonymous(service).post('/resetting/send_email', { username }).expect(204);
      await runJobs(service);
      const confirmationCode = /(?<![\da-f])\d{8}(?![\da-f])/.exec(
        mailServer.mailsTo(username).at(-1)?.text ?? '',
      )?.[0];
      const call = anonymous(service).post('/softlogin', { username, confirmationCode });
      await from(address, call).expect(200);
    };
    await softLogin(HOME);
    expect(await noticesTo(username)).toEqual([]);
    await softLogin(CAFE);
    expect(await noticesTo(username)).toHaveLength(1);
    await from(CAFE, anonymous(service).post('/login', { username, password: PASSWORD })).expect(200);
    expect(await noticesTo(username)).toHaveLength(1);
  });

  it('is mailed after a login with a passkey', async () => {
    const { plain: user } = await makeCustomer(service);
    const page: PasskeyPage = await makePasskey(service, user);
    const passkeyLogin = async (address: string): Promise<void> => {
      const credential = page.authenticator.get(await page.requestOptions());
      await from(address, anonymous(service).post('/login/passkey', { credential })).expect(200);
    };
    await passkeyLogin(HOME);
    expect(await noticesTo(user.username)).toEqual([]);
    await passkeyLogin(CAFE);
    await passkeyLogin(CAFE);
    expect(await noticesTo(user.username)).toHaveLength(1);
  });
});
