import { clientOf, type MadeUser, makeCustomer, makeUser, PASSWORD } from '../support/factories/factories';
import { makePasskey, passkeyClient, PasskeyPage, passkeysOf } from '../support/factories/passkey-factories';
import { resetPassword } from '../support/factories/recovery-factories';
import {
  Device,
  makeTwoFactorUser,
  MovableClock,
  showSecret,
} from '../support/factories/two-factor-factories';
import { pathOf } from '../support/factories/users-factories';
import { useMailServer } from '../support/faults/smtp';
import { runCli } from '../support/service/cli';
import { anonymous, ApiClient } from '../support/service/client';
import { runJobs } from '../support/service/jobs';
import { useService } from '../support/service/service';

/** rule passkeys 31, rule passkeys 32: stories of second factors. */
const mailServer = useMailServer();
const service = useService('A', () => ({ settings: { smtpUrl: mailServer.url } }));
let clock: MovableClock;
beforeAll(() => {
  clock = new MovableClock(service);
});
beforeEach(() => service.sql`DELETE FROM attempts`);

const clientIn = ({ body }: { readonly body: unknown }): ApiClient =>
  new ApiClient(service.url, (body as { hash: string }).hash);

/** The subjects of the mails to an address since the last call. */
async function subjectsTo(address: string): Promise<unknown[]> {
  await runJobs(service);
  return mailServer.mails
    .splice(0)
    .filter(({ to }) => to.includes(address))
    .map(({ headers }) => headers.get('subject'));
}

/** Sets an authenticator up by the password alone, as who has no second factor. */
async function setUp(user: Pick<MadeUser, 'username'>): Promise<{ client: ApiClient; secret: string }> {
  const secret = await showSecret(service, user.username);
  const answer = await new Device(service, user.username)
    .activate({ '6digitCode': clock.code(secret) })
    .expect(200);
  clock.moveSteps(2);
  return { client: clientIn(answer), secret };
}

it('a lost phone with a recovery code: the user logs in by it, and replaces the authenticator itself', async () => {
  const { organisationId } = await makeCustomer(service);
  const user = await makeTwoFactorUser(service, clock, { organisationId });
  const { body } = await user.client.post(`${pathOf(user)}/recoverycodes`).expect(201);
  const [code] = (body as { recoveryCodes: { codes: string[] } }).recoveryCodes.codes;
  const client = clientIn(await new Device(service, user.username).login({ '6digitCode': code }).expect(200));
  await client.patch(`${pathOf(user)}/disable2fa`).expect(204);
  const { client: again } = await setUp(user);
  await again.get('/whoami').expect(200);
});

it('a lost phone without a recovery code: no password and no reset goes around it, a manager helps', async () => {
  const { organisationId, custadmin } = await makeCustomer(service);
  const user = await makeTwoFactorUser(service, clock, { organisationId });
  await resetPassword(service, user, PASSWORD);
  await new Device(service, user.username).login().expect(401);
  await anonymous(service)
    .post('/enable2faandget2fasecret', { username: user.username, password: PASSWORD })
    .expect(400);
  await custadmin.client.patch(`${pathOf(user)}/disable2fa`).expect(204);
  await setUp(user);
});

it('a lost passkey: its user adds and deletes none by the password; a manager deletes it, and the user starts anew', async () => {
  const { plain: user, custadmin } = await makeCustomer(service);
  const lost = await makePasskey(service, user);
  const client = await clientOf(service, user.id);
  await client.post(`${passkeysOf(user)}/options`, { password: PASSWORD }).expect(403);
  await client.delete(`${passkeysOf(user)}/${lost.passkey.id}`).expect(403);
  await anonymous(service)
    .post('/enable2faandget2fasecret', { username: user.username, password: PASSWORD })
    .expect(401);
  await custadmin.client.delete(`${passkeysOf(user)}/${lost.passkey.id}`).expect(204);
  await makePasskey(service, { ...user, client });
});

it('the only manager of a customer, who has lost the factor that is demanded, is helped by the operator', async () => {
  const { organisationId, custadmin } = await makeCustomer(service);
  const page = await makePasskey(service, custadmin);
  await (
    await passkeyClient(service, page)
  )
    .patch(`/organisations/${organisationId}`, { name: 'Bakery', taxNumber: 'BE1', required2fa: true })
    .expect(204);
  await new Device(service, custadmin.username).login().expect(401);
  await anonymous(service)
    .post('/enable2faandget2fasecret', { username: custadmin.username, password: PASSWORD })
    .expect(401);
  const helped = await runCli(service.database, ['user', 'disable-2fa', custadmin.username, '--passkeys']);
  expect(helped.exitCode).toBe(0);
  const { client } = await setUp(custadmin);
  await client.get(`/organisations/${organisationId}`).expect(200);
});

it('a thief who knows the password adds a first passkey: the user is told what to do, and a reset ends it', async () => {
  const { plain: user, organisationId } = await makeCustomer(service);
  const alarm = await makeUser(service, { organisationId, roles: ['ROLE_CUSTADMIN'] });
  await service.sql(
    `INSERT INTO contacts (organisation_id, user_id, type, name, unique_key, groups)
     VALUES ($1, $2, 'email', 'alarm@of.example', 'alarm@of.example', '{System}')`,
    [organisationId, alarm.id],
  );
  await subjectsTo(user.username);
  const thief = new PasskeyPage(service);
  const client = await clientOf(service, user.id);
  const credential = thief.authenticator.create(await thief.creationOptions(user, client));
  await client.post(passkeysOf(user), { name: 'Mine', credential }).expect(201);
  await runJobs(service);
  const [told] = mailServer.mailsTo(user.username);
  expect(told?.headers.get('subject')).toBe('Nieuwe passkey');
  expect(told?.text).toContain(
    'Verwijder de passkey dan in het klantenpaneel en kies meteen een nieuw wachtwoord',
  );
  expect(told?.text).not.toMatch(/[0-9a-f]{64}/);
  expect(mailServer.mailsTo('alarm@of.example').map(({ headers }) => headers.get('subject'))).toEqual([
    'Nieuwe passkey',
  ]);
  await resetPassword(service, user, 'Opnieuw-1234');
  expect((await thief.logIn()).status).toBe(401);
});

it('an authenticator that comes and goes is told to the user, without a link', async () => {
  const { plain: user } = await makeCustomer(service);
  await subjectsTo(user.username);
  const { client } = await setUp(user);
  await client.patch(`${pathOf(user)}/disable2fa`).expect(204);
  await runJobs(service);
  const mails = mailServer.mailsTo(user.username);
  expect(mails.map(({ headers }) => headers.get('subject'))).toEqual([
    'Aanmelden in twee stappen ingeschakeld',
    'Aanmelden in twee stappen uitgeschakeld',
  ]);
  for (const { text } of mails) expect(text).not.toMatch(/[0-9a-f]{64}/);
});
