import { generateKeyPairSync } from 'node:crypto';
import type { CreationOptions, Deviations } from '../../qa/authenticator';
import { type MadeUser, makeCustomer } from '../support/factories/factories';
import { makePasskey, passkeyClient, PasskeyPage, passkeysOf } from '../support/factories/passkey-factories';
import { enable, suspend } from '../support/factories/suspensions-factories';
import { useMailServer } from '../support/faults/smtp';
import { anonymous, asAdmin, failingFields } from '../support/service/client';
import { runJobs } from '../support/service/jobs';
import { useService } from '../support/service/service';
import { letTimePass } from '../support/service/time';

const REFUSED = { code: 401, message: 'Bad credentials', reason: 'BAD_CREDENTIALS' };

const mailServer = useMailServer();
const service = useService('A', () => ({
  settings: { smtpUrl: mailServer.url, trustedProxies: ['127.0.0.1'] },
}));

const makePlain = async (): Promise<MadeUser> => (await makeCustomer(service)).plain;
const someKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const storedOf = ({ id }: MadeUser) => service.sql`SELECT id FROM passkeys WHERE user_id = ${id}`;
const loginsOf = ({ id }: MadeUser) =>
  service.sql`SELECT id FROM logins WHERE user_id = ${id} AND passkey_id IS NOT NULL`;

beforeEach(() => service.sql`DELETE FROM attempts`);

const WRONG_ANYWHERE: readonly [string, Deviations][] = [
  ['a page of another origin', { origin: 'https://panel.example.evil.example' }],
  ['a page of the same site that is not listed', { origin: 'https://other.panel.example' }],
  ['another domain', { rpId: 'evil.example' }],
  ['a challenge that nobody gave', { challenge: 'ab'.repeat(32) }],
  ['a user who was not verified', { userVerified: false }],
  ['a user who was not there', { userPresent: false }],
  ['another ceremony', { type: 'payment.get' }],
  ['a page that another one frames', { crossOrigin: true }],
  ['a page that says in a text whether another one frames it', { crossOrigin: 'false' }],
  ['a page that says what frames it', { topOrigin: 'https://evil.example' }],
  ['a frame of the same site', { crossOrigin: true, topOrigin: 'https://evil.example' }],
];

describe('POST …/passkeys: a registration', () => {
  it.each<[string, Deviations]>([
    ...WRONG_ANYWHERE,
    ['a key that needs to be told its user', { residentKey: false }],
    ['a point off its curve', { offCurve: true }],
  ])('is refused for %s: 400 on credential, and nothing is stored', async (_, deviations) => {
    const user = await makePlain();
    const page = new PasskeyPage(service);
    const response = await page.register(user, deviations);
    expect(response.status).toBe(400);
    expect(failingFields(response)).toEqual(['credential']);
    expect(await storedOf(user)).toEqual([]);
    expect((await page.register(user)).status).toBe(201);
  });

  it.each(['packed', 'tpm', 'android-key', 'apple', 'fido-u2f', 'android-safetynet'])(
    'is refused with a certificate of %s before anybody looks at the certificate',
    async (format) => {
      const user = await makePlain();
      const statement = new Map([['x5c', [Buffer.from('certificate')]]]);
      const response = await new PasskeyPage(service).register(user, { attestation: { format, statement } });
      expect(failingFields(response)).toEqual(['credential']);
      expect(
        JSON.parse(service.logLines.findLast((line) => line.includes('passkey refused')) ?? ''),
      ).toMatchObject({ requestId: response.headers['x-request-id'], why: 'Attestation was not asked for' });
    },
  );

  it('takes its challenge once, one of the last five of the user', async () => {
    const user = await makePlain();
    const page = new PasskeyPage(service);
    const add = async (options: CreationOptions) => {
      const credential = new PasskeyPage(service).authenticator.create(options);
      const { status, body } = await user.client.post(passkeysOf(user), { name: 'Phone', credential });
      return status === 201 ? 'added' : (body as { reasons: { credential: string[] } }).reasons.credential;
    };
    const first = await page.creationOptions(user);
    const second = await page.creationOptions(user);
    for (let more = 0; more < 4; more++) await page.creationOptions(user);
    expect(await add(first)).toEqual(['INVALID_PASSKEY']);
    expect(await add(second)).toBe('added');
    expect(await add(second)).toEqual(['INVALID_PASSKEY']);
    expect(await add(await page.creationOptions(await makePlain()))).toEqual(['INVALID_PASSKEY']);
    const { challenge } = await page.requestOptions();
    expect(await add({ ...second, challenge })).toEqual(['INVALID_PASSKEY']);
    expect(await storedOf(user)).toHaveLength(1);
  });

  it('takes its challenge within five minutes', async () => {
    const user = await makePlain();
    const page = new PasskeyPage(service);
    const credential = page.authenticator.create(await page.creationOptions(user));
    await letTimePass(service, '5 minutes');
    const late = await user.client.post(passkeysOf(user), { name: 'Phone', credential }).expect(400);
    expect(late.body).toMatchObject({ reasons: { credential: ['INVALID_PASSKEY'] } });
    expect(await storedOf(user)).toEqual([]);
  });

  it('is refused for a passkey that somebody has', async () => {
    const user = await makePlain();
    const other = await makePlain();
    const page = await makePasskey(service, user);
    const response = await page.register(other);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ reasons: { credential: ['ALREADY_TAKEN'] } });
    expect(await storedOf(other)).toEqual([]);
  });

  it.each<[unknown]>([
    [{}],
    [{ id: 'a', rawId: 'a', type: 'public-key', response: { clientDataJSON: '!', attestationObject: '!' } }],
  ])('is refused for the credential %j', async (credential) => {
    const user = await makePlain();
    const response = await user.client.post(passkeysOf(user), { name: 'Phone', credential });
    expect(response.status).toBe(400);
    expect(failingFields(response)).toEqual(['credential']);
  });
});

describe('POST /login/passkey: a login', () => {
  it.each<[string, Deviations]>([
    ...WRONG_ANYWHERE,
    ['a signature of another key', { privateKey: someKey }],
    ['the handle of another user', { userHandle: Buffer.from('account:1').toString('base64url') }],
    ['no handle', { userHandle: '' }],
  ])('is refused for %s, and counts for its passkey', async (_, deviations) => {
    const user = await makePlain();
    const page = await makePasskey(service, user);
    const response = await page.logIn(deviations);
    expect(response.body).toMatchObject(REFUSED);
    expect(await loginsOf(user)).toEqual([]);
    const counts = await service.sql<{ used: number }>`SELECT used FROM attempts`;
    // Without an open challenge nobody can know which passkey was meant.
    expect(counts).toEqual('challenge' in deviations ? [] : [{ used: 1 }]);
    expect((await page.logIn()).status).toBe(200);
  });

  it('is refused where a page of this service frames nothing and yet names what frames it, unlike a registration', async () => {
    const user = await makePlain();
    const page = new PasskeyPage(service);
    const own: Deviations = { topOrigin: page.authenticator.origin };
    expect((await page.register(user, own)).status).toBe(201);
    expect((await page.logIn(own)).body).toMatchObject(REFUSED);
    expect((await page.logIn()).status).toBe(200);
  });

  it('is refused for an unknown passkey, and for a challenge that is used, old, or of a registration', async () => {
    const user = await makePlain();
    const page = await makePasskey(service, user);
    const { authenticator } = page;
    const post = (credential: object) => anonymous(service).post('/login/passkey', { credential });
    expect((await new PasskeyPage(service).logIn()).body).toMatchObject(REFUSED);

    const used = authenticator.get(await page.requestOptions());
    await post(used).expect(200);
    await post(used).expect(401);
    const options = await page.requestOptions();
    await post(authenticator.get(options, { privateKey: someKey })).expect(401);
    await post(authenticator.get(options)).expect(401);

    const late = await page.requestOptions();
    await letTimePass(service, '5 minutes');
    await post(authenticator.get(late)).expect(401);
    const { challenge, rp } = await page.creationOptions(user, await passkeyClient(service, page));
    await post(authenticator.get({ challenge, rpId: rp.id })).expect(401);
    expect(await loginsOf(user)).toHaveLength(2);
  });

  it('is refused with 429 after ten wrong ones with its passkey in 15 minutes; a right one passes any lock', async () => {
    const page = await makePasskey(service, await makePlain());
    const other = await makePasskey(service, await makePlain());
    const from = async (address: string, deviations: Deviations = {}, by = page) =>
      anonymous(service)
        .post('/login/passkey', {
          credential: by.authenticator.get(await by.requestOptions(), deviations),
        })
        .set('X-Forwarded-For', address);
    const wrong: Deviations = { userVerified: false };
    for (let time = 0; time < 10; time++) expect((await from(`192.0.${time}.7`, wrong)).status).toBe(401);
    const refused = await from('192.0.2.7', wrong);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(800);
    expect((await from('198.51.100.1', wrong)).status).toBe(429);
    for (const address of ['192.0.2.7', '198.51.100.1']) expect((await from(address)).status).toBe(200);
    expect((await from('192.0.2.7', wrong, other)).status).toBe(401);
    expect((await from('192.0.2.7', {}, other)).status).toBe(200);
    await letTimePass(service, '15 minutes');
    expect((await from('192.0.2.7', wrong)).status).toBe(401);
  });

  it('that names no passkey, or no open challenge, locks nothing, however often', async () => {
    const user = await makePlain();
    const page = await makePasskey(service, user);
    const junk = page.authenticator.get({ challenge: 'ab'.repeat(32), rpId: 'panel.example' });
    const used = page.authenticator.get(await page.requestOptions());
    await anonymous(service).post('/login/passkey', { credential: used }).expect(200);
    const late = page.authenticator.get(await page.requestOptions());
    await letTimePass(service, '5 minutes');
    for (let time = 0; time < 11; time++) {
      for (const credential of [junk, used, late]) {
        await anonymous(service).post('/login/passkey', { credential }).expect(401);
      }
      expect((await new PasskeyPage(service).logIn()).status).toBe(401);
    }
    expect(await service.sql`SELECT 1 FROM attempts`).toEqual([]);
    expect((await page.logIn()).status).toBe(200);
  });

  it('takes a counter that goes on, or that stays 0; one that goes back or stays is refused, and told', async () => {
    const user = await makePlain();
    const page = await makePasskey(service, user);
    expect((await page.logIn({ counter: 0 })).status).toBe(200);
    expect((await page.logIn({ counter: 0 })).status).toBe(200);
    expect((await page.logIn({ counter: 4_000_000_000 })).status).toBe(200);
    for (const counter of [4_000_000_000, 3_999_999_999, 0]) {
      expect((await page.logIn({ counter })).body).toMatchObject(REFUSED);
    }
    expect(await loginsOf(user)).toHaveLength(3);
    await runJobs(service);
    const told = mailServer.mails
      .filter(({ to }) => to.includes(user.username))
      .map(({ headers }) => headers.get('subject'));
    expect(told.sort()).toEqual([
      ...Array<string>(3).fill('Aanmelden met passkey geweigerd: er is mogelijk een kopie in gebruik'),
      'Nieuwe passkey',
    ]);
    expect((await page.logIn({ counter: 4_000_000_001 })).status).toBe(200);
  });

  it('with a copy is refused and told, however many wrong ones came before it', async () => {
    const user = await makePlain();
    const page = await makePasskey(service, user);
    expect((await page.logIn({ counter: 7 })).status).toBe(200);
    for (let time = 0; time < 10; time++)
      expect((await page.logIn({ userVerified: false })).status).toBe(401);
    expect((await page.logIn({ userVerified: false })).status).toBe(429);
    expect((await page.logIn({ counter: 7 })).body).toMatchObject(REFUSED);
    await runJobs(service);
    expect(
      mailServer.mailsTo(user.username).filter(({ headers }) => headers.get('subject')?.includes('kopie')),
    ).toHaveLength(1);
    for (let time = 0; time < 9; time++) expect((await page.logIn({ counter: 7 })).status).toBe(401);
    expect((await page.logIn({ counter: 7 })).status).toBe(429);
    expect((await page.logIn({ counter: 8 })).status).toBe(200);
  });

  it.each([true, false])(
    'is refused where the passkey was registered with the flag BE %s',
    async (backupEligible) => {
      const user = await makePlain();
      const page = new PasskeyPage(service);
      const as = (eligible: boolean): Deviations => ({ backupEligible: eligible, backedUp: false });
      expect((await page.register(user, as(backupEligible))).status).toBe(201);
      expect((await page.logIn(as(!backupEligible))).body).toMatchObject(REFUSED);
      expect(await loginsOf(user)).toEqual([]);
      expect((await page.logIn(as(backupEligible))).status).toBe(200);
    },
  );

  it('of a disabled, suspended or deleted user is refused as with a password, and does not count', async () => {
    const { plain, organisationId, custadmin } = await makeCustomer(service);
    const page = await makePasskey(service, plain);
    await service.sql`UPDATE users SET enabled = false WHERE id = ${plain.id}`;
    expect((await page.logIn()).body).toMatchObject(REFUSED);
    await service.sql`UPDATE users SET enabled = true WHERE id = ${plain.id}`;
    const admin = await asAdmin(service);
    await suspend(admin, organisationId);
    expect((await page.logIn()).body).toMatchObject(REFUSED);
    await enable(admin, organisationId);
    expect(await service.sql`SELECT used FROM attempts`).toEqual([]);
    expect((await page.logIn()).status).toBe(200);
    await custadmin.client.delete(`/organisations/${organisationId}/users/${plain.id}`).expect(204);
    expect((await page.logIn()).body).toMatchObject(REFUSED);
    expect(await storedOf(plain)).toEqual([]);
  });
});
