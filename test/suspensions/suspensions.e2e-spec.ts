import { type MadeUser, makeCustomer, makeUser, nextNumber, PASSWORD } from '../support/factories/factories';
import { makeInvitation, registrationOf } from '../support/factories/invitations-factories';
import { enable, suspend } from '../support/factories/suspensions-factories';
import { makeTwoFactorUser, MovableClock } from '../support/factories/two-factor-factories';
import { apiKeyClientOf, pathOf } from '../support/factories/users-factories';
import { useMailServer } from '../support/faults/smtp';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import { anonymous, type ApiClient, asAdmin } from '../support/service/client';
import { runJobs } from '../support/service/jobs';
import { useService } from '../support/service/service';

const LINK = /https:\/\/panel\.example\/reset\?token=([0-9a-f]{64})/;
const CODE = /(?<![\da-f])\d{8}(?![\da-f])/;
const NEW_PASSWORD = 'Nieuw-Wachtw00rd';

const mailServer = useMailServer();

describe.each(SHARED_VARIANTS)('POST …/actions disables an organisation, in Variant %s: it', (variant) => {
  let organisationId: number;
  let custadmin: MadeUser;
  let plain: MadeUser;
  let bystander: MadeUser;

  const service = useService(variant, () => ({
    settings: { smtpUrl: mailServer.url, resetUrlTemplate: 'https://panel.example/reset?token={token}' },
  }));
  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });
  beforeAll(async () => {
    bystander = (await makeCustomer(service)).plain;
  });
  beforeEach(async () => {
    ({ organisationId, custadmin, plain } = await makeCustomer(service));
  });

  const whoami = async (client: ApiClient): Promise<number> => (await client.get('/whoami')).status;
  const login = ({ username }: { username: string }, password = PASSWORD) =>
    anonymous(service).post('/login', { username, password });
  const usersOf = (id: number) => service.sql`SELECT * FROM users WHERE organisation_id = ${id} ORDER BY id`;

  /** The last mail of recovery to an address. */
  async function askForRecovery({ username }: { username: string }): Promise<string> {
    await anonymous(service).post('/resetting/send_email', { username }).expect(204);
    await runJobs(service);
    return mailServer.mailsTo(username).at(-1)?.text ?? '';
  }
  const resetWith = (text: string) =>
    anonymous(service).post(`/resetting/${LINK.exec(text)?.[1] ?? 'none'}`, { password: NEW_PASSWORD });

  it('refuses logins and API keys from the next request on, as those of a disabled user', async () => {
    const disabled = await makeUser(service, { organisationId: bystander.organisationId, enabled: false });
    const key = await apiKeyClientOf(service, plain.id);
    for (const client of [custadmin.client, plain.client, key]) expect(await whoami(client)).toBe(200);

    await suspend(admin, organisationId);
    const told = async (client: ApiClient) => {
      const { status, body } = await client.get('/whoami');
      return { status, ...(body as object), requestId: '' };
    };
    const asDisabled = await told(disabled.client);
    expect(asDisabled).toMatchObject({ status: 401, reason: 'UNAUTHORISED' });
    for (const client of [custadmin.client, plain.client, key])
      expect(await told(client)).toEqual(asDisabled);
    await plain.client.post('/login').expect(401);
    expect(await whoami(bystander.client)).toBe(200);

    await enable(admin, organisationId);
    for (const client of [custadmin.client, plain.client, key]) expect(await whoami(client)).toBe(200);
  });

  it('refuses the right password as that of a disabled user, and lets it in afterwards', async () => {
    await suspend(admin, organisationId);
    const right = await login(plain).expect(401);
    const wrong = await login(plain, 'Wrong-Passw0rd').expect(401);
    expect(right.body).toEqual({ ...(wrong.body as object), requestId: expect.any(String) as string });
    expect(right.body).toMatchObject({ reason: 'BAD_CREDENTIALS' });
    await enable(admin, organisationId);
    await login(plain).expect(200);
  });

  it('leaves its users as they were, disabled ones included', async () => {
    const resting = await makeUser(service, { organisationId, enabled: false });
    const before = await usersOf(organisationId);
    await suspend(admin, organisationId);
    expect(await usersOf(organisationId)).toEqual(before);
    await enable(admin, organisationId);
    expect(await usersOf(organisationId)).toEqual(before);
    await login(resting).expect(401);
    const { body } = await admin.get(pathOf(plain)).expect(200);
    expect(body).toMatchObject({ user: { status: 'ok' } });
  });

  it('gets no recovery mail, and its open links rest', async () => {
    const open = await askForRecovery(plain);
    const mails = mailServer.mailsTo(plain.username).length;
    await suspend(admin, organisationId);
    await askForRecovery(plain);
    await askForRecovery(custadmin);
    expect(mailServer.mailsTo(plain.username)).toHaveLength(mails);
    expect(mailServer.mailsTo(custadmin.username)).toEqual([]);
    await resetWith(open)
      .expect(400)
      .expect(({ body }) => expect(body).toMatchObject({ reason: 'REQUEST_EXPIRED' }));

    await enable(admin, organisationId);
    await resetWith(open).expect(200);
    await login(plain, NEW_PASSWORD).expect(200);
  });

  it('gives no name back to a user, until it is enabled', async () => {
    const renamed = { username: `renamed${nextNumber()}@example.com`, firstName: 'Jan', lastName: 'Bos' };
    await plain.client.patch(pathOf(plain), renamed).expect(204);
    await anonymous(service).post('/resetting/send_email', { username: plain.username }).expect(204);
    await runJobs(service);
    const mail = mailServer.mailsTo(plain.username).find(({ text }) => LINK.test(text))?.text ?? '';
    await suspend(admin, organisationId);
    await resetWith(mail)
      .expect(400)
      .expect(({ body }) => expect(body).toMatchObject({ reason: 'REQUEST_EXPIRED' }));
    await enable(admin, organisationId);
    await resetWith(mail).expect(200);
    await login(plain, NEW_PASSWORD).expect(200);
  });

  it('lets nobody register, with the token or without', async () => {
    const invitation = await makeInvitation(service, { organisationId, inviterId: custadmin.id });
    const register = () =>
      anonymous(service).post(
        `/registerInvitation/${invitation.token}`,
        registrationOf(invitation, PASSWORD),
      );
    await suspend(admin, organisationId);
    const { body } = await register().expect(400);
    expect(body).toMatchObject({ reason: 'INVITATION_ENDED' });
    await enable(admin, organisationId);
    await register().expect(201);
  });

  it('lets an inviter of it hand out no roles elsewhere', async () => {
    const customer = await makeCustomer(service, { resellerId: organisationId });
    const invitation = await makeInvitation(service, {
      organisationId: customer.organisationId,
      inviterId: custadmin.id,
      autoRoles: ['ROLE_CUSTADMIN'],
    });
    await suspend(admin, organisationId);
    const { body } = await anonymous(service)
      .post(`/registerInvitation/${invitation.token}`, registrationOf(invitation, PASSWORD))
      .expect(201);
    expect(body).toMatchObject({ user: { roles: [] } });
  });

  it('is read and managed by those above it', async () => {
    const reseller = await makeCustomer(service);
    const customer = await makeCustomer(service, { resellerId: reseller.organisationId });
    await suspend(admin, customer.organisationId);
    const manager = reseller.custadmin.client;
    const path = `/organisations/${customer.organisationId}`;
    await manager.get(path).expect(200);
    await manager.patch(path, { name: 'Renamed', taxNumber: 'NL1', city: 'Utrecht' }).expect(204);
    await manager.post(`${pathOf(customer.plain)}/actions`, { type: 'disable' }).expect(200);
    await manager
      .post(`${path}/invitations`, { email: `new${nextNumber()}@example.com`, firstName: 'A', lastName: 'B' })
      .expect(201);
  });

  // Variant B has neither.
  if (variant === 'A') {
    it('refuses a right confirmation code', async () => {
      await anonymous(service).post('/resetting/send_email', { username: plain.username }).expect(204);
      await runJobs(service);
      const confirmationCode = CODE.exec(mailServer.mailsTo(plain.username).at(-1)?.text ?? '')?.[0];
      const enter = () =>
        anonymous(service).post('/softlogin', { username: plain.username, confirmationCode });
      await suspend(admin, organisationId);
      await enter().expect(401);
      await enable(admin, organisationId);
      await enter().expect(200);
    });

    it('tells nothing of the second factor, and begins none', async () => {
      const { username } = await makeTwoFactorUser(service, new MovableClock(service), { organisationId });
      await suspend(admin, organisationId);
      for (const [path, body] of [
        ['/login', { username, password: PASSWORD }],
        ['/enable2faandget2fasecret', { username: plain.username, password: PASSWORD }],
      ] as const) {
        const { body: answer } = await anonymous(service).post(path, body).expect(401);
        expect(answer).toMatchObject({ reason: 'BAD_CREDENTIALS' });
      }
    });
  }
});
