import { CleanUpHandler } from '@app/platform/jobs/clean-up';
import { SecretsKeyring } from '@app/security/secrets/encryption';
import { CODE_PURPOSE } from '@app/sign-in/recovery/recovery.types';
import { type PerVariant, VARIANTS } from '../../qa/variants';
import { type MadeUser, makeCustomer, makeUser, PASSWORD } from '../support/factories/factories';
import { makeApiKey } from '../support/factories/key-factories';
import { makeContact } from '../support/factories/records';
import { makeTwoFactorUser, MovableClock } from '../support/factories/two-factor-factories';
import { type ReceivedMail, useMailServer } from '../support/faults/smtp';
import { placesOf } from '../support/generators/database-search';
import { sampled, SHARED_VARIANTS } from '../support/generators/sampled';
import { atOnce } from '../support/service/at-once';
import { anonymous, type ApiClient, asAdmin, failingFields } from '../support/service/client';
import { makeJobsDue, runJob, runJobs } from '../support/service/jobs';
import { startTestService, type TestService, useService } from '../support/service/service';
import { letExpire, makeOlder } from '../support/service/time';

const NEW_PASSWORD = 'Nieuw-Wachtw00rd';
const RESET_URL = 'https://panel.example/reset?token={token}';
/** The token is hex digits, eight of which may be decimal. */
const CODE = /(?<![\da-f])\d{8}(?![\da-f])/;
const LINK = /https:\/\/panel\.example\/reset\?token=([0-9a-f]{64})/;

const mailServer = useMailServer();

const withMail = () => ({
  settings: { smtpUrl: mailServer.url, resetUrlTemplate: RESET_URL, trustedProxies: ['127.0.0.1'] },
});

const mailsTo = (address: string): ReceivedMail[] =>
  mailServer.mails.filter(({ to }) =>
    to.some((recipient) => recipient.toLowerCase() === address.toLowerCase()),
  );

/** Asks for a recovery mail and gives what the newest one carries. */
async function recover(service: TestService, username: string): Promise<{ token: string; code: string }> {
  await anonymous(service).post('/resetting/send_email', { username }).expect(204);
  await runJobs(service);
  const text = mailsTo(username).at(-1)?.text ?? '';
  const token = LINK.exec(text)?.[1];
  const code = CODE.exec(text)?.[0];
  if (token === undefined || code === undefined) throw new Error(`No recovery mail for ${username}`);
  return { token, code };
}

const resetWith = (service: TestService, token: string, password = NEW_PASSWORD) =>
  anonymous(service).post(`/resetting/${token}`, { password });

const passwordChange = (client: ApiClient, { organisationId, id }: MadeUser) =>
  client.post(`/organisations/${organisationId}/users/${id}/changepassword`, {
    oldPassword: PASSWORD,
    password: NEW_PASSWORD,
  });

/** Breaks the rules of its variant alone: no special character; no capital. */
const WEAK_PASSWORD: PerVariant<string> = { A: 'Password1', B: 'password1' };

describe.each(VARIANTS)('POST /resetting/send_email and POST /resetting/{token} in Variant %s', (variant) => {
  const service = useService(variant, withMail);

  it.each([
    ['nl', 'Uw wachtwoord opnieuw instellen', 'Beste Jan de Vries,'],
    ['en', 'Reset your password', 'Dear Jan de Vries,'],
    ['fr', 'Réinitialiser votre mot de passe', 'Bonjour Jan de Vries,'],
  ])('mails link and code in the language of the user: %s', async (language, subject, greeting) => {
    const { plain } = await makeCustomer(service, { name: 'Bakkerij Smit' });
    await service.sql`UPDATE users SET language = ${language} WHERE id = ${plain.id}`;
    const { token, code } = await recover(service, plain.username.toUpperCase()).catch(() =>
      recover(service, plain.username),
    );
    const mail = mailsTo(plain.username).at(-1);
    expect(mail?.from).toBe('no-reply@localhost.localdomain');
    expect(mail?.headers.get('subject')).toBe(subject);
    for (const body of [mail?.text, mail?.html]) {
      expect(body).toContain(greeting);
      expect(body).toMatch(new RegExp(`${plain.username} \\(organisati(?:on|e) Bakkerij Smit\\)`));
      expect(body).toContain(code);
      expect(body).toContain(token);
    }
  });

  it('answers the same for known, unknown, disabled and deleted users, and mails the known alone', async () => {
    const { plain, custadmin } = await makeCustomer(service);
    const deleted = await makeUser(service, { organisationId: plain.organisationId });
    const nameless = await makeUser(service, {
      organisationId: plain.organisationId,
      username: `login${plain.id}`,
    });
    await service.sql`UPDATE users SET enabled = false WHERE id = ${plain.id}`;
    await service.sql`UPDATE users SET deleted_at = now() WHERE id = ${deleted.id}`;
    const before = mailServer.mails.length;
    for (const { username } of [plain, deleted, nameless, { username: 'nobody@example.com' }]) {
      const response = await anonymous(service).post('/resetting/send_email', { username }).expect(204);
      expect(response.text).toBe('');
    }
    await runJobs(service);
    expect(mailServer.mails).toHaveLength(before);
    await recover(service, custadmin.username);
    expect(mailServer.mails).toHaveLength(before + 1);
  });

  it('sets the password once and ends logins and trusted devices, but no API key', async () => {
    const { plain, custadmin } = await makeCustomer(service);
    const key = await makeApiKey(service, plain.id);
    for (const { id } of [plain, custadmin]) {
      await service.sql(
        `INSERT INTO trusted_devices (user_id, digest, user_agent, address, expires_at)
         VALUES ($1::integer, sha256($1::text::bytea), 'agent', '127.0.0.1', now() + interval '1 day')`,
        [id],
      );
    }
    const { token } = await recover(service, plain.username);
    const response = await resetWith(service, token).expect(200);
    expect(Object.keys(response.body as object)).toEqual(['user']);
    expect(response.body.user).toMatchObject({ id: plain.id, username: plain.username });
    expect(response.body.user).not.toHaveProperty('status2fa');
    await plain.client.get('/whoami').expect(401);
    await key.client.get('/whoami').expect(200);
    await custadmin.client.get('/whoami').expect(200);
    const devices = await service.sql`SELECT user_id AS id FROM trusted_devices
         WHERE user_id = ANY (${[plain.id, custadmin.id]})`;
    expect(devices).toEqual([{ id: custadmin.id }]);
    const notifications = await service.sql(
      `SELECT notification_group AS group, type, entity_id AS id FROM notifications WHERE organisation_id = $1`,
      [plain.organisationId],
    );
    expect(notifications).toEqual([{ group: 'System', type: 'password_changed', id: plain.id }]);
    await anonymous(service).post('/login', { username: plain.username, password: PASSWORD }).expect(401);
    await anonymous(service).post('/login', { username: plain.username, password: NEW_PASSWORD }).expect(200);

    const again = await resetWith(service, token).expect(400);
    expect(again.body).toMatchObject({ code: 400, message: 'request expired' });
  });

  it('leaves older links open until one is used, and then ends all', async () => {
    const { plain } = await makeCustomer(service);
    const older = await recover(service, plain.username);
    const newer = await recover(service, plain.username);
    await resetWith(service, older.token).expect(200);
    await resetWith(service, newer.token).expect(400);
  });

  it('answers 404 to tokens that never were, whatever the body, and 400 to bad passwords and expired tokens', async () => {
    const { plain } = await makeCustomer(service);
    for (const odd of [
      'x',
      '%00',
      '%ff',
      'a'.repeat(64),
      'a'.repeat(5000),
      '..%2f',
      "'%20OR%201",
      '%F0%9F%92%A9',
    ]) {
      await resetWith(service, odd).expect(404);
      await anonymous(service).post(`/resetting/${odd}`, {}).expect(404);
    }
    const { token } = await recover(service, plain.username);
    const weak = await resetWith(service, token, WEAK_PASSWORD[variant]).expect(400);
    expect(failingFields(weak)).toEqual(['password']);
    await letExpire(service, 'recovery_requests', { user_id: plain.id });
    const expired = await resetWith(service, token).expect(400);
    expect(expired.body.message).toBe('request expired');
  });

  // What follows is one code in all variants.
  if (!SHARED_VARIANTS.includes(variant)) return;

  it('ends open links when password, user name or state change', async () => {
    const admin = await asAdmin(service);
    const { organisationId } = await makeCustomer(service);
    const path = (user: MadeUser): string => `/organisations/${organisationId}/users/${user.id}`;
    const names = { firstName: 'Jan', lastName: 'de Vries' };
    const changes: [string, number, (user: MadeUser) => PromiseLike<unknown>][] = [
      ['password', 400, (user) => passwordChange(user.client, user).expect(200)],
      [
        'user name',
        400,
        (user) => admin.patch(path(user), { username: `new-${user.username}`, ...names }).expect(204),
      ],
      ['disabled', 400, (user) => admin.post(`${path(user)}/actions`, { type: 'disable' }).expect(200)],
      ['deleted', 404, (user) => admin.delete(path(user)).expect(204)],
    ];
    for (const [, status, change] of changes) {
      const user = await makeUser(service, { organisationId });
      const { token } = await recover(service, user.username);
      await change(user);
      await resetWith(service, token).expect(status);
    }
    const user = await makeUser(service, { organisationId });
    const { token } = await recover(service, user.username);
    await admin.patch(path(user), { username: user.username, firstName: 'Piet', lastName: 'x' }).expect(204);
    await resetWith(service, token).expect(200);
  });

  it('goes to the oldest e-mail contact that has stood for 72 hours where the name is no address', async () => {
    const { organisationId } = await makeCustomer(service);
    const user = await makeUser(service, { organisationId, username: `login.${variant}.${organisationId}` });
    const owned = { organisationId, userId: user.id };
    await makeContact(service, { organisationId, name: `organisation${organisationId}@example.com` });
    const changed = await makeContact(service, { ...owned, name: `changed${user.id}@example.com` });
    const older = await makeContact(service, { ...owned, name: `older${user.id}@example.com` });
    const newer = await makeContact(service, { ...owned, name: `newer${user.id}@example.com` });
    const age = (id: number, hours: number) =>
      makeOlder(service, 'contacts', { id }, `${hours} hours`, ['created_at']);
    await age(changed, 1000);
    const path = `/organisations/${organisationId}/users/${user.id}/contacts/${changed}`;
    await user.client.put(path, { type: 'email', name: `thief${user.id}@example.com` }).expect(204);
    await age(older, 71);
    await age(newer, 70);
    const ask = async (): Promise<string[]> => {
      const before = mailServer.mails.length;
      await anonymous(service).post('/resetting/send_email', { username: user.username }).expect(204);
      await runJobs(service);
      return mailServer.mails
        .slice(before)
        .filter(({ text }) => LINK.test(text))
        .flatMap(({ to }) => to);
    };
    // The address from before the change stays for as long as the news of it may wait to be read.
    expect(await ask()).toEqual([`changed${user.id}@example.com`]);
    await makeOlder(service, 'former_contacts', { user_id: user.id }, '72 hours');
    expect(await ask()).toEqual([]);
    await age(newer, 3);
    expect(await ask()).toEqual([`newer${user.id}@example.com`]);
    await age(older, 3);
    expect(await ask()).toEqual([`older${user.id}@example.com`]);
    const text = mailsTo(`older${user.id}@example.com`).at(-1)?.text ?? '';
    await resetWith(service, LINK.exec(text)?.[1] ?? '').expect(200);
    await anonymous(service).post('/login', { username: user.username, password: NEW_PASSWORD }).expect(200);
  });

  it('goes to a removed contact for 72 hours where the name is no address, if that had stood for 72 hours', async () => {
    const { organisationId } = await makeCustomer(service);
    const user = await makeUser(service, { organisationId, username: `kept.${variant}.${organisationId}` });
    const path = `/organisations/${organisationId}/users/${user.id}/contacts`;
    const own = `owner${user.id}@example.com`;
    const contact = await makeContact(service, { organisationId, userId: user.id, name: own });
    await makeOlder(service, 'contacts', { id: contact }, '73 hours');
    const add = async (name: string): Promise<number> => {
      const { body } = await user.client.post(path, { type: 'email', name }).expect(201);
      return (body as { contact: { id: number } }).contact.id;
    };
    const isMailed = async (address: string): Promise<boolean> => {
      const before = mailServer.mails.length;
      await anonymous(service).post('/resetting/send_email', { username: user.username }).expect(204);
      await runJobs(service);
      const mails = mailServer.mails.slice(before).filter(({ text }) => LINK.test(text));
      expect(mails.length).toBeLessThanOrEqual(1);
      return mails.some(({ to }) => to.includes(address));
    };
    // One that comes and goes at once never had the mail, and has none now.
    const quick = `quick${user.id}@example.com`;
    await user.client.delete(`${path}/${await add(quick)}`).expect(204);
    const thief = `thief${user.id}@example.com`;
    const taken = await add(thief);
    await user.client.delete(`${path}/${contact}`).expect(204);
    await makeOlder(service, 'contacts', { id: taken }, '72 hours');
    expect(await isMailed(own)).toBe(true);
    await makeOlder(service, 'former_contacts', { user_id: user.id }, '72 hours');
    expect(await isMailed(thief)).toBe(true);
    await runJob(service, CleanUpHandler);
    expect(await service.sql`SELECT FROM former_contacts WHERE user_id = ${user.id}`).toEqual([]);
  });

  it('sends one mail of several that wait, and none when the password changed meanwhile', async () => {
    const { plain } = await makeCustomer(service);
    const ask = async (): Promise<void> => {
      await anonymous(service).post('/resetting/send_email', { username: plain.username }).expect(204);
      await runJobs(service);
    };
    // The changed password is told to the same address.
    const resetMails = () =>
      mailsTo(plain.username).filter(({ headers }) => headers.get('subject')?.includes('opnieuw instellen'));
    const serveAgain = async (): Promise<void> => {
      mailServer.refuse(false);
      await makeJobsDue(service);
      await runJobs(service);
    };
    mailServer.refuse(true);
    try {
      await ask();
      await ask();
      await serveAgain();
      expect(resetMails()).toHaveLength(1);
      mailServer.refuse(true);
      await ask();
      await passwordChange(plain.client, plain).expect(200);
      await serveAgain();
      expect(resetMails()).toHaveLength(1);
    } finally {
      mailServer.refuse(false);
    }
  });

  it('tells both addresses of a new user name, once, in the language of the user', async () => {
    const admin = await asAdmin(service);
    const { plain } = await makeCustomer(service);
    const path = `/organisations/${plain.organisationId}/users/${plain.id}`;
    const names = { firstName: 'Jan', lastName: 'de Vries' };
    await admin.patch(path, { username: plain.username, ...names }).expect(204);
    await admin.patch(path, { username: plain.username.toUpperCase(), ...names }).expect(204);
    await runJobs(service);
    expect(mailsTo(plain.username)).toHaveLength(0);
    const old = plain.username.toUpperCase();
    await admin.patch(path, { username: `moved-${plain.username}`, ...names }).expect(204);
    await runJobs(service);
    expect(mailsTo(`moved-${plain.username}`).map(({ headers }) => headers.get('subject'))).toEqual([
      'Gebruikersnaam gewijzigd',
    ]);
    expect(mailsTo(old).map(({ headers }) => headers.get('subject'))).toEqual([
      'Uw gebruikersnaam is gewijzigd',
    ]);
    await admin.patch(path, { username: 'admin@operator.example', ...names }).expect(400);
    await runJobs(service);
    expect(mailsTo(`moved-${plain.username}`)).toHaveLength(1);
  });

  it('lets one of 16 resets with one token through, each time', async () => {
    const { organisationId } = await makeCustomer(service);
    for (let round = 0; round < sampled(20); round++) {
      const user = await makeUser(service, { organisationId });
      const { token } = await recover(service, user.username);
      const responses = await atOnce(16, () => resetWith(service, token));
      const statuses = responses.map(({ status }) => status).sort();
      expect(statuses).toEqual([200, ...Array.from({ length: 15 }, () => 400)]);
    }
  });

  it('lets one of the links reset that are asked for 16 times at once', async () => {
    const { plain } = await makeCustomer(service);
    await atOnce(16, () =>
      anonymous(service).post('/resetting/send_email', { username: plain.username }).expect(204),
    );
    await Promise.all([runJobs(service), runJobs(service), runJobs(service)]);
    const rows =
      await service.sql`SELECT count(*)::integer AS all, count(*) FILTER (WHERE ended_at IS NULL)::integer AS open
       FROM recovery_requests WHERE user_id = ${plain.id}`;
    expect(rows).toEqual([{ all: 16, open: 16 }]);
    const tokens = mailsTo(plain.username).map(({ text }) => LINK.exec(text)?.[1] ?? '');
    // A mail that still waited when the next request came was replaced by the next one's.
    expect(tokens.length).toBeGreaterThan(0);
    const statuses: number[] = [];
    for (const token of tokens) statuses.push((await resetWith(service, token)).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 400)).toHaveLength(tokens.length - 1);
  });

  it('stops mailing a user after 20 mails in an hour, without a word', async () => {
    const { plain, custadmin } = await makeCustomer(service);
    for (let asked = 0; asked < 22; asked++) {
      await anonymous(service).post('/resetting/send_email', { username: plain.username }).expect(204);
      await runJobs(service);
    }
    expect(mailsTo(plain.username)).toHaveLength(20);
    await recover(service, custadmin.username);
  });

  it('mails a user who asks from a known network whatever strangers have used up, 20 in an hour too', async () => {
    const { plain } = await makeCustomer(service);
    const ask = async (address: string): Promise<number> => {
      await anonymous(service)
        .post('/resetting/send_email', { username: plain.username })
        .set('X-Forwarded-For', address)
        .expect(204);
      await runJobs(service);
      return mailsTo(plain.username).length;
    };
    await service.sql`INSERT INTO known_networks (user_id, network) VALUES (${plain.id}, '198.51.100.0/24')`;
    for (let asked = 0; asked < 21; asked++) await ask('203.0.113.7');
    expect(mailsTo(plain.username)).toHaveLength(20);
    expect(await ask('198.51.100.9')).toBe(21);
    for (let asked = 0; asked < 20; asked++) await ask('198.51.100.10');
    expect(mailsTo(plain.username)).toHaveLength(40);
    expect(await ask('203.0.113.8')).toBe(40);
  });

  it('leaves no token, code or link in database or log', async () => {
    const { plain, custadmin } = await makeCustomer(service);
    await anonymous(service).post('/resetting/send_email', { username: plain.username }).expect(204);
    mailServer.refuse(true);
    await runJobs(service);
    mailServer.refuse(false);
    const waiting = await service.sql<{ row: string }>(
      `SELECT m::text AS row FROM mails m WHERE encrypted IS NOT NULL`,
    );
    expect(waiting).toHaveLength(1);
    await makeJobsDue(service);
    await runJobs(service);
    const text = mailsTo(plain.username).at(-1)?.text ?? '';
    const [token = '', code = ''] = [LINK.exec(text)?.[1], CODE.exec(text)?.[0]];
    expect([token, code].map(({ length }) => length)).toEqual([64, 8]);
    await resetWith(service, token).expect(200);
    await resetWith(service, token).expect(400);
    await recover(service, custadmin.username);

    const forms = [token, code, NEW_PASSWORD].flatMap((secret) =>
      (['utf8', 'hex', 'base64'] as const).map((encoding) => Buffer.from(secret).toString(encoding)),
    );
    expect(await placesOf(service, [plain.username])).toContain(`public.users.username: ${plain.username}`);
    expect(await placesOf(service, forms)).toEqual([]);
    const written = [...waiting.map(({ row }) => row), ...service.logLines].join('\n');
    for (const form of forms) expect(written).not.toContain(form);
    expect(service.logLines.length).toBeGreaterThan(0);
    expect(service.logLines.filter((line) => line.includes('panel.example/reset'))).toEqual([]);
  });
});

describe('POST /softlogin in Variant A', () => {
  const service = useService('A', withMail);

  const softLogin = (username: string, confirmationCode: string, more = {}) =>
    anonymous(service).post('/softlogin', { username, confirmationCode, ...more });
  const other = (code: string): string => String((Number(code) + 1) % 1e8).padStart(8, '0');

  it('refuses wrong codes, those of others, old ones and unknown names', async () => {
    const { plain, custadmin } = await makeCustomer(service);
    const { code } = await recover(service, plain.username);
    await softLogin(custadmin.username, code).expect(401);
    await softLogin(plain.username, other(code)).expect(401);
    await softLogin('nobody@example.com', code).expect(404);
    await letExpire(service, 'recovery_requests', { user_id: plain.id }, 'code_expires_at');
    await softLogin(plain.username, code).expect(401);
  });

  it.each(['0123 4567', '0123-4567', ' ٠١٢٣٤٥٦٧ ', 1_234_567])(
    'takes 01234567 written as %j, once',
    async (written) => {
      const { plain } = await makeCustomer(service);
      await recover(service, plain.username);
      const digest = service.app.get(SecretsKeyring).hmac(CODE_PURPOSE, `${plain.id}:01234567`);
      await service.sql`UPDATE recovery_requests SET code_digest = ${digest} WHERE user_id = ${plain.id}`;
      await anonymous(service)
        .post('/softlogin', { username: plain.username, confirmationCode: '1234567' })
        .expect(401);
      const sent = { username: plain.username, confirmationCode: written };
      await anonymous(service).post('/softlogin', sent).expect(200);
      await anonymous(service).post('/softlogin', sent).expect(401);
    },
  );

  it('takes five tries of a code, counted before they are compared', async () => {
    const { plain } = await makeCustomer(service);
    const { code } = await recover(service, plain.username);
    const wrong = await Promise.all(Array.from({ length: 5 }, () => softLogin(plain.username, other(code))));
    expect(wrong.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
    await softLogin(plain.username, code).expect(401);
    const next = await recover(service, plain.username);
    await softLogin(plain.username, next.code).expect(200);
  });

  it('takes the five newest codes, each once', async () => {
    const { plain } = await makeCustomer(service);
    const codes: string[] = [];
    for (let asked = 0; asked < 6; asked++) codes.push((await recover(service, plain.username)).code);
    const [oldest = '', second = '', third = ''] = codes;
    await softLogin(plain.username, oldest).expect(401);
    await softLogin(plain.username, second).expect(200);
    await softLogin(plain.username, second).expect(401);
    await softLogin(plain.username, oldest).expect(401);
    await softLogin(plain.username, third).expect(200);
  });

  it('counts a wrong code as a try of each code', async () => {
    const { plain } = await makeCustomer(service);
    const codes: string[] = [];
    for (let asked = 0; asked < 3; asked++) codes.push((await recover(service, plain.username)).code);
    for (let guess = 0; guess < 5; guess++) await softLogin(plain.username, 'x').expect(401);
    for (const code of codes) await softLogin(plain.username, code).expect(401);
  });

  it('limits guesses for one name over all of its codes', async () => {
    const { plain } = await makeCustomer(service);
    const statuses: number[] = [];
    for (let guess = 0; guess < 11; guess++) statuses.push((await softLogin(plain.username, 'x')).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
    const { code } = await recover(service, plain.username);
    const response = await softLogin(plain.username, code).expect(429);
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('lets one of 16 logins with one code through, each time', async () => {
    const { organisationId } = await makeCustomer(service);
    for (let round = 0; round < sampled(20); round++) {
      const user = await makeUser(service, { organisationId });
      const { code } = await recover(service, user.username);
      const responses = await atOnce(16, () => softLogin(user.username, code));
      const statuses = responses.map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      expect(statuses.filter((status) => ![200, 401, 429].includes(status))).toEqual([]);
      const [logins] = await service.sql`SELECT count(*)::integer FROM logins WHERE user_id = ${user.id}`;
      expect(logins).toEqual({ count: 2 });
    }
  });

  it('ends codes with a reset and with a disabled user', async () => {
    const { plain, custadmin } = await makeCustomer(service);
    const { code, token } = await recover(service, plain.username);
    await resetWith(service, token).expect(200);
    await softLogin(plain.username, code).expect(401);
    const disabled = await recover(service, custadmin.username);
    await service.sql`UPDATE users SET enabled = false WHERE id = ${custadmin.id}`;
    await softLogin(custadmin.username, disabled.code).expect(401);
  });

  it('asks for the second factor of the account, and leaves the code good for it', async () => {
    const clock = new MovableClock(service);
    const { organisationId } = await makeCustomer(service);
    const user = await makeTwoFactorUser(service, clock, { organisationId });
    const { code } = await recover(service, user.username);
    const wrongFactors = [
      { fields: {}, message: '6digitCode is invalid' },
      { fields: { '6digitCode': clock.wrongCode(user.secret) }, message: '6digitCode is invalid' },
      { fields: { '2faToken': 'f'.repeat(64) }, message: '2FA token is invalid' },
    ];
    const guess = await softLogin(user.username, other(code), {
      '6digitCode': clock.code(user.secret),
    }).expect(401);
    expect(guess.body.message).toBe('Bad credentials');
    for (const { fields, message } of wrongFactors) {
      const response = await softLogin(user.username, code, fields).expect(401);
      expect(response.body.message).toBe(message);
    }
    const response = await softLogin(user.username, code, { '6digitCode': clock.code(user.secret) }).expect(
      200,
    );
    expect(response.body.user).toMatchObject({ id: user.id, status2fa: 'enabled' });
    expect(response.body.hash2fa).toBe('');
  });

  it('refuses who needs a second factor and has none', async () => {
    const { plain } = await makeCustomer(service, { required2fa: true });
    const { code } = await recover(service, plain.username);
    const response = await softLogin(plain.username, code).expect(401);
    expect(response.body.message).toBe('2FA is required');
  });

  it('hides unknown names where the operator asks for it', async () => {
    await using hiding = await startTestService('A', {
      settings: { hideUnknownUsernames: true },
      database: service.database,
    });
    await anonymous(hiding)
      .post('/softlogin', { username: 'nobody@example.com', confirmationCode: '12345678' })
      .expect(401);
  });
});
