import { CleanUpHandler } from '@app/platform/jobs/clean-up';
import { VARIANTS } from '../../qa/variants';
import { type MadeUser, makeCustomer, PASSWORD } from '../support/factories/factories';
import { makePasskey, PasskeyPage, passkeysOf } from '../support/factories/passkey-factories';
import { resetPassword } from '../support/factories/recovery-factories';
import { useMailServer } from '../support/faults/smtp';
import { auditRows } from '../support/service/audit';
import { anonymous, ApiClient, asAdmin, failingFields } from '../support/service/client';
import { runJob, runJobs } from '../support/service/jobs';
import { PASSKEYS, startTestService, useService } from '../support/service/service';
import { letExpire, makeOlder } from '../support/service/time';

const mailServer = useMailServer();
const service = useService('A', () => ({ settings: { smtpUrl: mailServer.url } }));

const makePlain = async (): Promise<MadeUser> => (await makeCustomer(service)).plain;
const logInByPassword = ({ username }: MadeUser) =>
  anonymous(service).post('/login', { username, password: PASSWORD });
const clientIn = ({ body }: { readonly body: unknown }): ApiClient =>
  new ApiClient(service.url, (body as { hash: string }).hash);
const giveAuthenticator = ({ id }: MadeUser) =>
  service.sql`UPDATE users SET second_factor = 'enabled', totp_secret = 'x' WHERE id = ${id}`;
const demand = ({ client, organisationId }: MadeUser, required2fa = true) =>
  client.put(`/organisations/${organisationId}`, { name: 'N', taxNumber: 'T', required2fa });

describe('POST …/passkeys/options and /login/passkey/options', () => {
  it('of a new passkey name the user by its id, and the passkeys that are there', async () => {
    const user = await makePlain();
    const page = await makePasskey(service, user);
    expect(await page.creationOptions(user, clientIn(await page.logIn()))).toMatchObject({
      user: { id: Buffer.from(`account:${user.id}`).toString('base64url') },
      excludeCredentials: [{ id: page.authenticator.credentialId.toString('base64url') }],
    });
  });

  it('of a login have a challenge, whose digest is stored until it is old', async () => {
    const options = await new PasskeyPage(service).requestOptions();
    const open = () =>
      service.sql<{ row: string }>(`SELECT c::text AS row FROM passkey_challenges c WHERE user_id IS NULL`);
    expect(await open()).toHaveLength(1);
    expect(JSON.stringify(await open())).not.toContain(options.challenge);
    await runJob(service, CleanUpHandler);
    expect(await open()).toHaveLength(1);
    await letExpire(service, 'passkey_challenges', {});
    await runJob(service, CleanUpHandler);
    expect(await open()).toEqual([]);
  });
});

describe('GET, PUT and DELETE …/passkeys: a passkey', () => {
  it('is added, renamed, used and removed by its user, who is told of the first and the last', async () => {
    const user = await makePlain();
    const page = await makePasskey(service, user);
    const path = `${passkeysOf(user)}/${page.passkey.id}`;
    expect(page.passkey).toMatchObject({ backedUp: true });
    await user.client.put(path, { name: 'Old phone' }).expect(204);
    const client = clientIn(await page.logIn({ backedUp: false }));
    expect((await client.get(path).expect(200)).body).toMatchObject({ passkey: { backedUp: false } });
    await client.delete(path).expect(204);
    await client.delete(path).expect(404);
    expect((await page.logIn()).status).toBe(401);
    await client.get('/whoami').expect(200);
    await runJobs(service);
    const mails = mailServer.mailsTo(user.username);
    expect(mails.map(({ headers }) => headers.get('subject'))).toEqual([
      'Nieuwe passkey',
      'Passkey verwijderd',
    ]);
    expect(mails.map(({ text }) => /passkey “(.+)” (?:toegevoegd|van uw account)/.exec(text)?.[1])).toEqual([
      'Phone',
      'Old phone',
    ]);
    // No link undoes it: the mail says what to do.
    expect(mails[0]?.text).toContain('Verwijder de passkey dan in het klantenpaneel');
    // Whoever removed it because of a thief needs to know.
    expect(mails.map(({ text }) => text.includes('Aanmeldingen die ermee zijn gedaan'))).toEqual([
      false,
      true,
    ]);
  });

  it('takes no other name that changes direction', async () => {
    const user = await makePlain();
    const page = await makePasskey(service, user);
    const renamed = user.client.put(`${passkeysOf(user)}/${page.passkey.id}`, { name: 'a\u202eb' });
    expect(failingFields(await renamed.expect(400))).toEqual(['name']);
  });

  it('is audited without its keys, and so is the login with it', async () => {
    const user = await makePlain();
    const page = await makePasskey(service, user);
    await page.logIn();
    const rows = await auditRows(service, `organisation_id = $1 AND table_name = 'passkeys'`, [
      user.organisationId,
    ]);
    expect(rows.map(({ action, after }) => [action, Object.keys(after ?? {}).sort()])).toEqual([
      ['insert', ['created_at', 'id', 'name', 'user_id']],
    ]);
    const logins = await auditRows(service, `actor_credential_kind = 'passkey' AND actor_user_id = $1`, [
      user.id,
    ]);
    expect(logins).toMatchObject([
      { action: 'insert', table_name: 'logins', actor_credential_id: page.passkey.id },
    ]);
  });

  it('ends at a reset of the password if it was added in the 7 days before, which the user is told', async () => {
    const user = await makePlain();
    const page = await makePasskey(service, user);
    const young = await makePasskey(service, { ...user, client: clientIn(await page.logIn()) });
    await makeOlder(service, 'passkeys', { id: page.passkey.id }, '7 days');
    await makeOlder(service, 'passkeys', { id: young.passkey.id }, '6 days 23 hours 59 minutes');
    await runJobs(service);
    mailServer.mails.length = 0;
    await resetPassword(service, user, 'Nieuw-Wachtw00rd');
    await user.client.get('/whoami').expect(401);
    expect((await page.logIn()).status).toBe(200);
    expect((await young.logIn()).status).toBe(401);
    const rows = await auditRows(
      service,
      `table_name = 'passkeys' AND action = 'delete' AND record_id = $1`,
      [young.passkey.id],
    );
    expect(rows).toMatchObject([{ actor_user_id: user.id, actor_credential_kind: 'reset_token' }]);
    await runJobs(service);
    const mails = mailServer.mailsTo(user.username);
    expect(mails.map(({ headers }) => headers.get('subject')).sort()).toEqual([
      'Passkey verwijderd bij het nieuwe wachtwoord: hij was nog geen week oud',
      'Wachtwoord gewijzigd',
    ]);
  });
});

describe('POST /login/passkey: as both factors a passkey', () => {
  it('logs in without a code where two-factor login is on, asked for or demanded, and touches no trusted device', async () => {
    const { plain, custadmin } = await makeCustomer(service);
    const page = await makePasskey(service, plain);
    await service.sql`UPDATE users SET second_factor = 'requested' WHERE id = ${plain.id}`;
    expect((await page.logIn()).status).toBe(200);
    await giveAuthenticator(plain);
    expect((await page.logIn()).body).toMatchObject({ hash2fa: '' });
    expect((await logInByPassword(plain).expect(401)).body).toMatchObject({ reason: 'CODE_INVALID' });
    await service.sql`UPDATE users SET second_factor = 'disabled', totp_secret = NULL WHERE id = ${plain.id}`;
    await demand(custadmin).expect(204);
    expect((await page.logIn()).status).toBe(200);
    expect((await logInByPassword(plain).expect(401)).body).toMatchObject({
      reason: 'SECOND_FACTOR_REQUIRED',
    });
    expect(await service.sql`SELECT 1 FROM trusted_devices WHERE user_id = ${plain.id}`).toEqual([]);
  });

  it('is not got around by a password that sets an authenticator up, where a second factor is demanded', async () => {
    const { plain, custadmin } = await makeCustomer(service);
    const page = await makePasskey(service, plain);
    const setUp = () =>
      anonymous(service).post('/enable2faandget2fasecret', { username: plain.username, password: PASSWORD });
    await demand(custadmin).expect(204);
    expect((await setUp().expect(401)).body).toMatchObject({ reason: 'SECOND_FACTOR_REQUIRED' });
    expect(await service.sql`SELECT second_factor FROM users WHERE id = ${plain.id}`).toEqual([
      { second_factor: 'disabled' },
    ]);
    // Whoever asks for it first: the password alone is not enough.
    const user = `/organisations/${plain.organisationId}/users/${plain.id}`;
    const client = clientIn(await page.logIn());
    await client.patch(`${user}/enable2fa`).expect(204);
    await custadmin.client.patch(`${user}/enable2fa`).expect(204);
    await setUp().expect(401);
    await setUp()
      .set('Authorization', client.hash ?? '')
      .expect(200);
  });

  it('keeps its logins when the organisation demands a second factor; those by a password alone end', async () => {
    const { plain, custadmin } = await makeCustomer(service);
    const page = await makePasskey(service, plain);
    const byPassword = clientIn(await logInByPassword(plain));
    const byPasskey = clientIn(await page.logIn());
    await demand(custadmin).expect(204);
    await byPassword.get('/whoami').expect(401);
    await byPasskey.get('/whoami').expect(200);
  });

  it('lets its user switch a demanded authenticator off, and is itself kept as the last one by all but managers', async () => {
    const { plain, custadmin } = await makeCustomer(service);
    const first = await makePasskey(service, plain);
    const proven = { ...plain, client: clientIn(await first.logIn()) };
    const second = await makePasskey(service, proven);
    await giveAuthenticator(plain);
    await demand(custadmin).expect(204);
    const user = `/organisations/${plain.organisationId}/users/${plain.id}`;
    await plain.client.patch(`${user}/disable2fa`).expect(204);
    await proven.client.delete(`${passkeysOf(plain)}/${first.passkey.id}`).expect(204);
    const last = `${passkeysOf(plain)}/${second.passkey.id}`;
    // The login of the passkey that is gone has passed none any more.
    await proven.client.delete(last).expect(403);
    const refused = await clientIn(await second.logIn())
      .delete(last)
      .expect(400);
    expect(refused.body).toMatchObject({ reason: 'SECOND_FACTOR_DEMANDED' });
    expect((await second.logIn()).status).toBe(200);
    await giveAuthenticator(plain);
    await custadmin.client.delete(last).expect(204);
    expect((await plain.client.patch(`${user}/disable2fa`).expect(400)).body).toMatchObject({
      reason: 'SECOND_FACTOR_DEMANDED',
    });
  });
});

it.each([false, true])(
  'the options take the password, and the code of an authenticator (STEP_UP: %s)',
  async (stepUp) => {
    await using asking = stepUp ? await startTestService('A', { settings: { stepUp } }) : undefined;
    const careful = asking ?? service;
    const { plain } = await makeCustomer(careful);
    const ask = (body?: object) => plain.client.post(`${passkeysOf(plain)}/options`, body);
    expect(failingFields(await ask().expect(400))).toEqual(['password']);
    await ask({ password: 'wrong' }).expect(401);
    const { body } = await ask({ password: PASSWORD }).expect(200);
    const credential = new PasskeyPage(careful).authenticator.create(body as never);
    await plain.client.post(passkeysOf(plain), { name: 'Phone', credential }).expect(201);
    await careful.sql`DELETE FROM passkeys WHERE user_id = ${plain.id}`;
    await careful.sql`UPDATE users SET second_factor = 'enabled', totp_secret = 'x' WHERE id = ${plain.id}`;
    expect(failingFields(await ask({ password: PASSWORD }).expect(400))).toEqual(['6digitCode']);
  },
);

const ROUTES = ['/login/passkey/options', '/login/passkey', '/organisations/1/users/1/passkeys/options'];

it.each(VARIANTS.map((variant) => [variant, variant === 'A' ? undefined : PASSKEYS] as const))(
  'Variant %s with the settings %j knows nothing of them; their user logs in as before',
  async (variant, passkeys) => {
    const { plain } = await makeCustomer(service);
    await makePasskey(service, plain);
    await using other = await startTestService(variant, {
      database: service.database,
      settings: { passkeys },
    });
    const admin = await asAdmin(other);
    for (const path of ROUTES) {
      const unknown = await admin.post(path, {});
      const none = await admin.post('/no/such/path', {});
      expect({ ...(unknown.body as object), requestId: '' }).toEqual({
        ...(none.body as object),
        requestId: '',
      });
      expect(unknown.status).toBe(404);
    }
    expect(await (await fetch(`${other.url}/docs/openapi.json`)).text()).not.toContain('/passkey');
    await anonymous(other).post('/login', { username: plain.username, password: PASSWORD }).expect(200);
    await admin.delete(`/organisations/${plain.organisationId}/users/${plain.id}`).expect(204);
    expect(await service.sql`SELECT 1 FROM passkeys WHERE user_id = ${plain.id}`).toEqual([]);
  },
);
