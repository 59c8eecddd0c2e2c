import {
  type Customer,
  makeCustomer,
  makeOrganisation,
  makeUser,
  nextNumber,
  PASSWORD,
} from '../support/factories/factories';
import {
  type InvitationOptions,
  type MadeInvitation,
  makeInvitation,
  type QueuedMail,
  queuedMails,
  registrationOf,
} from '../support/factories/invitations-factories';
import { enable, suspend } from '../support/factories/suspensions-factories';
import { apiKeyClientOf } from '../support/factories/users-factories';
import { useMailServer } from '../support/faults/smtp';
import { SHARED_VARIANTS } from '../support/generators/sampled';
import { atOnce } from '../support/service/at-once';
import { anonymous, type ApiClient, asAdmin, failingFields } from '../support/service/client';
import { runJobs } from '../support/service/jobs';
import { describeService, useService } from '../support/service/service';

const AT_ONCE = 16;

const tokenOf = (mail: QueuedMail | undefined): string => mail?.values['link']?.split('/').at(-1) ?? '';

describeService(SHARED_VARIANTS, '…/invitations in a panel, Variant %s: invitations', (service) => {
  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });
  let customer: Customer;
  beforeEach(async () => {
    customer = await makeCustomer(service, { name: 'Bakkerij de Vries' });
  });

  const make = (options: Partial<InvitationOptions> = {}): Promise<MadeInvitation> =>
    makeInvitation(service, {
      organisationId: customer.organisationId,
      inviterId: customer.custadmin.id,
      ...options,
    });
  const resend = ({ organisationId, id }: MadeInvitation, client = customer.custadmin.client) =>
    client.post(`/organisations/${organisationId}/invitations/${id}/resend`);
  const register = (invitation: MadeInvitation, token = invitation.token) =>
    anonymous(service).post(`/registerInvitation/${token}`, registrationOf(invitation, PASSWORD));
  const show = (token: string) => anonymous(service).get(`/registerInvitation/${token}`);

  describe('POST …/invitations/{invitationId}/resend: they', () => {
    it('mail a new link, for the whole time; the one before ends', async () => {
      const made = await make({ validFor: '1 minute', firstName: 'Anna', lastName: 'Smit', language: 'en' });
      await resend(made).expect(200);
      const mails = await queuedMails(service, made.email);
      expect(mails).toHaveLength(1);
      expect(mails[0]).toMatchObject({ template: 'invitation', language: 'en' });
      expect(new Date(mails[0]?.expiresAt ?? 0).getTime()).toBeGreaterThan(Date.now() + 29 * 86_400_000);
      await register(made).expect(404);
      await register(made, tokenOf(mails[0])).expect(201);
    });

    it('open an expired one again', async () => {
      const made = await make({ validFor: '-1 day' });
      await register(made).expect(400);
      await resend(made).expect(200);
      const [mail] = await queuedMails(service, made.email);
      await register(made, tokenOf(mail)).expect(201);
    });

    it('take the place of a mail that waits', async () => {
      const made = await make();
      await resend(made).expect(200);
      await resend(made).expect(200);
      expect(await queuedMails(service, made.email)).toHaveLength(1);
    });

    it('are not, where they were used, withdrawn, or the address is a user meanwhile', async () => {
      await resend(await make({ state: 'accepted' }))
        .expect(400)
        .expect(({ body }) => expect(body).toMatchObject({ reason: 'INVITATION_ACCEPTED' }));
      await resend(await make({ state: 'deleted' })).expect(404);
      const taken = await make();
      await makeUser(service, { organisationId: 1, username: taken.email.toUpperCase() });
      const response = await resend(taken).expect(400);
      expect(failingFields(response)).toEqual(['email']);
      expect(response.body).toMatchObject({ reasons: { email: ['ALREADY_A_USER'] } });
      expect(await queuedMails(service, taken.email)).toEqual([]);
    });

    it('have whoever sends them again answer for the roles', async () => {
      const gone = await makeUser(service, {
        organisationId: customer.organisationId,
        roles: ['ROLE_CUSTADMIN'],
        enabled: false,
      });
      const made = await make({ inviterId: gone.id, autoRoles: ['ROLE_CUSTADMIN'] });
      await resend(made).expect(200);
      const [mail] = await queuedMails(service, made.email);
      const { body } = await register(made, tokenOf(mail)).expect(201);
      expect(body).toMatchObject({ user: { roles: ['ROLE_CUSTADMIN'] } });
    });

    it('give no role that who sends them again could not give: neither a CUSTADMIN nor a key', async () => {
      const ofAdmin = await make({ organisationId: 1, inviterId: 1, autoRoles: ['ROLE_ADMIN'] });
      const operator = await makeUser(service, { organisationId: 1, roles: ['ROLE_CUSTADMIN'] });
      expect(failingFields(await resend(ofAdmin, operator.client).expect(400))).toEqual(['autoRoles']);
      const key = await apiKeyClientOf(service, customer.custadmin.id);
      await resend(await make({ autoRoles: ['ROLE_CUSTADMIN'] }), key).expect(403);
      await resend(await make({ autoRoles: ['ROLE_MAIL'] }), key).expect(200);
    });

    it('leave one link that works, of 16 at once', async () => {
      for (let round = 0; round < 5; round++) {
        const made = await make();
        const responses = await atOnce(AT_ONCE, () => resend(made));
        // Five mails a day go to one address (rule users 22).
        const statuses = responses.map(({ status }) => status).sort();
        expect(statuses).toEqual([...Array<number>(5).fill(200), ...Array<number>(AT_ONCE - 5).fill(429)]);
        const mails = await queuedMails(service, made.email);
        expect(mails).toHaveLength(1);
        await show(made.token).expect(404);
        await register(made, tokenOf(mails[0])).expect(201);
      }
    });

    it('let either the registration or the new link win', async () => {
      for (let round = 0; round < 10; round++) {
        const made = await make();
        const [sent, registered] = await Promise.all([
          resend(made).then(({ status }) => status),
          register(made).then(({ status }) => status),
        ]);
        expect([
          [200, 400],
          [200, 404],
          [400, 201],
        ]).toContainEqual([sent, registered]);
        // Who has registered is welcomed.
        const mails = await queuedMails(service, made.email);
        const mail = mails.find(({ template }) => template === 'invitation');
        expect(mail === undefined).toBe(sent === 400);
        if (mail !== undefined) await register(made, tokenOf(mail)).expect(201);
      }
    });

    it('wait in the line of the customer as every invitation', async () => {
      const made = await make();
      await resend(made).expect(200);
      const [mail] = await service.sql(
        `SELECT m.customer_id = o.customer_id AS "isOfCustomer", m.queued_at FROM mails m
         JOIN organisations o ON o.id = $2 WHERE m.address = $1`,
        [made.email, customer.organisationId],
      );
      expect(mail).toEqual({ isOfCustomer: true, queued_at: null });
    });
  });

  describe('GET /registerInvitation/{token}: they', () => {
    it('are refused as the registration is', async () => {
      const orphaned = await make({ organisationId: await makeOrganisation(service) });
      await admin.delete(`/organisations/${orphaned.organisationId}`).expect(204);
      const held = await makeCustomer(service);
      const onHold = await make({ organisationId: held.organisationId, inviterId: held.custadmin.id });
      await suspend(admin, held.organisationId);
      const invitations = {
        accepted: await make({ state: 'accepted' }),
        withdrawn: await make({ state: 'deleted' }),
        expired: await make({ validFor: '-1 second' }),
        orphaned,
        onHold,
        unknown: { ...onHold, token: 'f'.repeat(64) },
        malformed: { ...onHold, token: 'f'.repeat(63) },
        shouted: { ...onHold, token: onHold.token.toUpperCase() },
        binary: { ...onHold, token: '%00' },
        broken: { ...onHold, token: '%zz' },
      };
      const told: Record<string, unknown> = {};
      for (const [name, invitation] of Object.entries(invitations)) {
        const shown = await show(invitation.token);
        const registered = await register(invitation);
        const wordsOf = ({ status, body }: { status: number; body: unknown }) =>
          `${status} ${(body as { reason: string }).reason}`;
        told[name] = wordsOf(shown);
        expect(`${name}: ${wordsOf(registered)}`).toBe(`${name}: ${wordsOf(shown)}`);
      }
      expect(told).toEqual({
        accepted: '400 INVITATION_ACCEPTED',
        withdrawn: '404 NOT_FOUND',
        expired: '400 INVITATION_EXPIRED',
        orphaned: '400 INVITATION_ORPHANED',
        onHold: '400 INVITATION_ENDED',
        unknown: '404 NOT_FOUND',
        malformed: '404 NOT_FOUND',
        shouted: '404 NOT_FOUND',
        binary: '404 NOT_FOUND',
        broken: '404 NOT_FOUND',
      });
      await enable(admin, held.organisationId);
      await show(onHold.token).expect(200);
    });
  });
});

describe('the mail of an invitation', () => {
  const mailServer = useMailServer();
  const service = useService('A', () => ({ settings: { smtpUrl: mailServer.url } }));

  it.each([
    ['nl', '“Bakkerij d. e Vries”', 'uitgenodigd door “Anna Smit”', 'is geldig tot'],
    ['en', '“Bakkerij d. e Vries”', 'You were invited by “Anna Smit”', 'is valid until'],
    [
      'fr',
      '«\u00a0Bakkerij d. e Vries\u00a0»',
      'été envoyée par «\u00a0Anna Smit\u00a0»',
      'est valable jusqu’au',
    ],
  ])('names in %s the organisation, who invites and until when', async (language, ...words) => {
    const organisationId = await makeOrganisation(service, { name: 'Bakkerij d.e Vries' });
    const { client } = await makeUser(service, {
      organisationId,
      roles: ['ROLE_CUSTADMIN'],
      firstName: 'Anna',
      lastName: 'Smit',
    });
    const email = `invited${nextNumber()}@example.com`;
    const body = { email, firstName: 'Jan', lastName: 'Bos', language };
    await client.post(`/organisations/${organisationId}/invitations`, body).expect(201);
    await runJobs(service);
    const [row] = await service.sql<{ day: string; time: string }>(
      `SELECT to_char(expires_at AT TIME ZONE 'Europe/Brussels', 'FMDD') AS day,
         to_char(expires_at AT TIME ZONE 'Europe/Brussels', 'HH24:MI') AS time FROM invitations WHERE email = $1`,
      [email],
    );
    const mail = mailServer.mails.at(-1);
    const text = (mail?.text ?? '').replaceAll('\r\n', '\n');
    // The greeting has no typed name.
    for (const part of [mail?.headers.get('subject'), text.split('\n')[0]])
      expect(part).not.toMatch(/Vries|Jan/);
    for (const word of words) expect(text).toContain(word);
    expect(text).toMatch(
      new RegExp(`${words[2]} ${row?.day}(?:er)? \\p{L}+ \\d{4} \\S+ ${row?.time} (CES?T|UTC)`, 'u'),
    );
  });
});
