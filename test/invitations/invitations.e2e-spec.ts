import { JOB_TABLE } from '@app/platform/jobs/job-tables';
import { digestOf } from '@app/security/secrets/digest';
import { type PerVariant, VARIANTS } from '../../qa/variants';
import {
  makeCustomer,
  makeOrganisation,
  makeUser,
  nextNumber,
  PASSWORD,
} from '../support/factories/factories';
import { makeInvitation, queuedMails, registrationOf } from '../support/factories/invitations-factories';
import { makeTeam } from '../support/factories/records';
import { atOnce } from '../support/service/at-once';
import { anonymous, type ApiClient, asAdmin, failingFields } from '../support/service/client';
import { describeService } from '../support/service/service';
import { letExpire, useOneHour } from '../support/service/time';
import { statusCategory } from '../support/service/variants';

useOneHour();

interface Invitation {
  id: number;
  email: string;
}

const newAddress = () => `new${nextNumber()}@example.com`;
const bodyFor = (email: string) => ({ email, firstName: 'Anna', lastName: 'Smit' });

/** Whether `autoTeams` is a field; elsewhere it is ignored. */
const TAKES_TEAMS: PerVariant<boolean> = { A: true, B: false };

/** The status of an invitation that was used. */
const ACCEPTED: PerVariant<string> = { A: 'done', B: 'accepted' };

describeService(VARIANTS, '…/invitations in Variant %s', (service, variant) => {
  let customer: Awaited<ReturnType<typeof makeCustomer>>;
  let path: string;
  let admin: ApiClient;
  beforeAll(async () => {
    admin = await asAdmin(service);
  });
  beforeEach(async () => {
    customer = await makeCustomer(service);
    path = `/organisations/${customer.organisationId}/invitations`;
    const other = await makeCustomer(service);
    await makeInvitation(service, { organisationId: other.organisationId, inviterId: other.custadmin.id });
  });

  const invite = async (body: object, client = customer.custadmin.client): Promise<Invitation> => {
    const response = await client.post(path, body).expect(201);
    return (response.body as { invitation: Invitation }).invitation;
  };

  describe('POST …/invitations', () => {
    it('mails a link with the token in the language of the invitation, and stores only its digest', async () => {
      const email = newAddress();
      const { id } = await invite({ ...bodyFor(email), language: 'fr' });
      const mails = await queuedMails(service, email);
      expect(mails).toHaveLength(1);
      const [mail] = mails;
      expect(mail).toMatchObject({
        template: 'invitation',
        language: 'fr',
        values: { inviter: '«\u00a0Jan de Vries\u00a0»' },
      });
      expect(JSON.stringify(mail)).not.toContain('Anna');
      const { pathname } = new URL(mail?.values['link'] ?? '');
      const token = pathname.split('/').at(-1) ?? '';
      expect(pathname).toBe(`/account/invitation/${token}`);
      const [stored] = await service.sql<{ row: string; digest: Buffer; expires: Date; days: number }>(
        `SELECT i::text AS row, token_digest AS digest, expires_at AS expires,
           round(extract(epoch FROM expires_at - now()) / 86400)::integer AS days FROM invitations i WHERE id = $1`,
        [id],
      );
      expect(stored?.digest.equals(digestOf(token))).toBe(true);
      expect(stored?.row).not.toContain(token);
      expect(stored?.days).toBe(30);
      expect(mail?.expiresAt).toBe(stored?.expires.toISOString());
      const waiting = await service.sql<{ text: string }>(
        `SELECT payload::text AS text FROM ${JOB_TABLE} UNION ALL SELECT m::text FROM mails m`,
      );
      expect(waiting.some(({ text }) => text.includes(token))).toBe(false);
    });

    it('mails one address five times a day for an organisation, sent again too', async () => {
      const email = newAddress();
      const { id } = await invite(bodyFor(email));
      const resend = () => customer.custadmin.client.post(`${path}/${id}/resend`);
      for (let further = 1; further < 5; further++) await resend().expect(200);
      const refused = await resend().expect(429);
      expect(refused.body).toMatchObject({ reason: 'TOO_MANY_ATTEMPTS' });
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      // Withdrawing it and inviting again counts too, however the address is written.
      await customer.custadmin.client.delete(`${path}/${id}`).expect(204);
      await customer.custadmin.client.post(path, bodyFor(email.toUpperCase())).expect(429);
      // Not for another address, organisation or day.
      await invite(bodyFor(newAddress()));
      const other = await makeCustomer(service);
      await other.custadmin.client
        .post(`/organisations/${other.organisationId}/invitations`, bodyFor(email))
        .expect(201);
      await service.sql`UPDATE attempts SET resets_at = now()`;
      await invite(bodyFor(email));
    });

    it('mails one address ten times a day for one customer, whatever organisations it invites to', async () => {
      const email = newAddress();
      const inviteTo = async (organisationId: number, client = customer.custadmin.client): Promise<number> =>
        (await client.post(`/organisations/${organisationId}/invitations`, bodyFor(email))).status;
      const beneath = async () => makeOrganisation(service, { resellerId: customer.organisationId });
      const statuses: number[] = [];
      for (let sent = 0; sent < 12; sent++) statuses.push(await inviteTo(await beneath()));
      expect(statuses).toEqual([...Array.from({ length: 10 }, () => 201), 429, 429]);
      const below = await makeCustomer(service, { resellerId: customer.organisationId });
      expect(await inviteTo(below.organisationId, below.custadmin.client)).toBe(429);
      // Another customer, and the operator, invite on.
      const other = await makeCustomer(service);
      expect(await inviteTo(other.organisationId, other.custadmin.client)).toBe(201);
      for (let sent = 0; sent < 12; sent++) expect(await inviteTo(await beneath(), admin)).toBe(201);
    });

    it('writes the Crm notification, or with a failed creation nothing', async () => {
      const { id, email } = await invite(bodyFor(newAddress()));
      const read = () =>
        service.sql`SELECT notification_group, type, entity_class, entity_id, entity_name, user_id
           FROM notifications
           WHERE organisation_id = ${customer.organisationId}`;
      const written = {
        notification_group: 'Crm',
        type: 'new',
        entity_class: 'Invitation',
        entity_id: id,
        entity_name: 'Anna Smit',
        user_id: customer.custadmin.id,
      };
      expect(await read()).toEqual([written]);
      await customer.custadmin.client.post(path, bodyFor(email)).expect(400);
      expect(await read()).toEqual([written]);
      expect(await queuedMails(service, email)).toHaveLength(1);
    });

    it('gives ROLE_ADMIN by an admin in the operator organisation only', async () => {
      const roles = { autoRoles: 'ROLE_ADMIN' };
      await admin.post('/organisations/1/invitations', { ...bodyFor(newAddress()), ...roles }).expect(201);
      for (const client of [admin, customer.custadmin.client]) {
        const elsewhere = await client.post(path, { ...bodyFor(newAddress()), ...roles }).expect(400);
        expect(failingFields(elsewhere)).toEqual(['autoRoles']);
      }
    });

    it('refuses the address of a user, whatever its case and organisation', async () => {
      const stranger = await makeUser(service, {
        organisationId: 1,
        username: `Taken${nextNumber()}@example.com`,
      });
      const response = await customer.custadmin.client
        .post(path, bodyFor(stranger.username.toLowerCase()))
        .expect(400);
      expect(failingFields(response)).toEqual(['email']);
    });

    it('allows one open invitation for an address and organisation', async () => {
      const email = newAddress();
      await invite(bodyFor(email));
      const again = await customer.custadmin.client.post(path, bodyFor(email.toUpperCase())).expect(400);
      expect(failingFields(again)).toEqual(['email']);
      const other = await makeOrganisation(service);
      await admin.post(`/organisations/${other}/invitations`, bodyFor(email)).expect(201);
    });

    it('closes an expired invitation for the next one of the same address', async () => {
      const expired = await makeInvitation(service, {
        organisationId: customer.organisationId,
        inviterId: customer.custadmin.id,
        validFor: '-1 second',
      });
      const responses = await atOnce(16, () => customer.custadmin.client.post(path, bodyFor(expired.email)));
      expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(responses.filter(({ status }) => status === 400)).toHaveLength(15);
      await customer.custadmin.client.get(`${path}/${expired.id}`).expect(404);
    });

    it('reports at once all fields that the database refuses', async () => {
      const response = await customer.custadmin.client
        .post(path, { ...bodyFor(customer.plain.username), autoRoles: 'ROLE_ADMIN', autoTeams: '77777' })
        .expect(400);
      expect(failingFields(response)).toEqual([
        'autoRoles',
        ...(TAKES_TEAMS[variant] ? ['autoTeams'] : []),
        'email',
      ]);
    });
  });

  if (TAKES_TEAMS[variant]) {
    describe('autoTeams', () => {
      it('takes teams of the organisation, as csv or as one number', async () => {
        const teams = [
          await makeTeam(service, customer.organisationId),
          await makeTeam(service, customer.organisationId),
        ];
        for (const [autoTeams, expected] of [
          [` ${teams.join(' , ')},`, teams],
          [teams[0], [teams[0]]],
          ['', []],
        ]) {
          const { id } = await invite({ ...bodyFor(newAddress()), autoTeams });
          const [row] = await service.sql`SELECT auto_teams FROM invitations WHERE id = ${id}`;
          expect(row).toEqual({ auto_teams: expected });
        }
      });

      it('refuses teams that the organisation does not have', async () => {
        const foreign = await makeTeam(service, 1);
        for (const autoTeams of [String(foreign), '999999999999', 'x', '-1', '1.5']) {
          const response = await customer.custadmin.client
            .post(path, { ...bodyFor(newAddress()), autoTeams })
            .expect(400);
          expect(failingFields(response)).toEqual(['autoTeams']);
        }
      });
    });
  } else {
    it('does not know autoTeams', async () => {
      const team = await makeTeam(service, customer.organisationId);
      const { id } = await invite({ ...bodyFor(newAddress()), autoTeams: String(team) });
      const [row] = await service.sql`SELECT auto_teams FROM invitations WHERE id = ${id}`;
      expect(row).toEqual({ auto_teams: [] });
    });
  }

  describe('GET …/invitations', () => {
    const words = ['ok', ACCEPTED[variant], 'closed'];

    /** An open, a used and an expired invitation in this order, and a deleted one. */
    const makeOneOfEach = async () => {
      const base = { organisationId: customer.organisationId, inviterId: customer.custadmin.id };
      return {
        open: await makeInvitation(service, { ...base, firstName: 'Bea', lastName: '100%' }),
        used: await makeInvitation(service, { ...base, firstName: 'anna', state: 'accepted' }),
        expired: await makeInvitation(service, { ...base, firstName: 'Cas', validFor: '-1 second' }),
        deleted: await makeInvitation(service, { ...base, state: 'deleted' }),
      };
    };

    it('lists the invitations of the organisation, deleted ones left out', async () => {
      const { open, used, expired } = await makeOneOfEach();
      const response = await customer.custadmin.client.get(path).expect(200);
      expect(Object.keys(response.body as object)).toEqual(['invitations']);
      const { invitations } = response.body as { invitations: Record<string, unknown>[] };
      expect(invitations.map(({ id }) => id)).toEqual([open.id, used.id, expired.id]);
      expect(invitations.map(({ status }) => status)).toEqual(words);
      expect(invitations.map((invitation) => invitation['statusCategory'])).toEqual(
        ['green', 'grey', 'grey'].map((colour) => statusCategory(variant, colour).statusCategory),
      );
    });

    it('reads and checks one', async () => {
      const made = await makeOneOfEach();
      const { client } = customer.custadmin;
      for (const [index, { id }] of [made.open, made.used, made.expired].entries()) {
        const response = await client.get(`${path}/${id}`).expect(200);
        expect(response.body).toMatchObject({ invitation: { id, status: words[index] } });
        const check = await client.get(`${path}/${id}/check`).expect(200);
        expect(check.body).toEqual({ available: index === 0 });
      }
      for (const suffix of ['', '/check']) {
        await client.get(`${path}/${made.deleted.id}${suffix}`).expect(404);
      }
    });
  });

  describe('PUT …/invitations', () => {
    const stored = async (id: number) =>
      (
        await service.sql<Record<string, unknown>>(
          `SELECT email, first_name, last_name, language, auto_roles, auto_teams, inviter_id, token_digest, expires_at
           FROM invitations WHERE id = $1`,
          [id],
        )
      )[0];

    it('keeps what the body leaves out, and the token while the address stays', async () => {
      const team = await makeTeam(service, customer.organisationId);
      const made = await makeInvitation(service, {
        organisationId: customer.organisationId,
        inviterId: customer.custadmin.id,
        language: 'en',
        autoRoles: ['ROLE_APP'],
        autoTeams: [team],
      });
      const before = await stored(made.id);
      const response = await customer.custadmin.client.put(`${path}/${made.id}`, bodyFor(made.email));
      expect([response.status, response.text]).toEqual([204, '']);
      expect(await stored(made.id)).toEqual({ ...before, first_name: 'Anna', last_name: 'Smit' });
      expect(await queuedMails(service, made.email)).toEqual([]);
      await customer.custadmin.client
        .put(`${path}/${made.id}`, { ...bodyFor(made.email), language: 'fr', autoRoles: '', autoTeams: '' })
        .expect(204);
      expect(await stored(made.id)).toMatchObject({
        language: 'fr',
        auto_roles: [],
        auto_teams: TAKES_TEAMS[variant] ? [] : [team],
      });
    });

    it('mails a new token to a changed address; the old token ends, time begins anew', async () => {
      const made = await makeInvitation(service, {
        organisationId: customer.organisationId,
        inviterId: customer.custadmin.id,
        validFor: '1 minute',
      });
      const email = newAddress();
      await customer.custadmin.client.put(`${path}/${made.id}`, bodyFor(email)).expect(204);
      await admin
        .post(`/registerInvitation/${made.token}`, registrationOf({ ...made, email }, PASSWORD))
        .expect(404);
      const [mail] = await queuedMails(service, email);
      const token = mail?.values['link']?.split('/').at(-1) ?? '';
      expect(new Date(mail?.expiresAt ?? 0).getTime()).toBeGreaterThan(Date.now() + 29 * 86_400_000);
      await admin.post(`/registerInvitation/${token}`, registrationOf(made, PASSWORD)).expect(400);
      await admin
        .post(`/registerInvitation/${token}`, registrationOf({ ...made, email }, PASSWORD))
        .expect(201);
    });

    it('refuses an address that is a user, or has an open invitation', async () => {
      const { id } = await invite(bodyFor(newAddress()));
      const other = await invite(bodyFor(newAddress()));
      for (const email of [customer.plain.username, other.email]) {
        const response = await customer.custadmin.client.put(`${path}/${id}`, bodyFor(email)).expect(400);
        expect(failingFields(response)).toEqual(['email']);
      }
    });

    it('refuses a used invitation', async () => {
      const made = await makeInvitation(service, {
        organisationId: customer.organisationId,
        inviterId: customer.custadmin.id,
        state: 'accepted',
      });
      await customer.custadmin.client.put(`${path}/${made.id}`, bodyFor(newAddress())).expect(400);
    });

    it('does not let a CUSTADMIN turn the invitation of an admin to an address of its own', async () => {
      const custadmin = await makeUser(service, { organisationId: 1, roles: ['ROLE_CUSTADMIN'] });
      const response = await admin
        .post('/organisations/1/invitations', { ...bodyFor(newAddress()), autoRoles: 'ROLE_ADMIN' })
        .expect(201);
      const { id, email } = (response.body as { invitation: Invitation }).invitation;
      const taken = await custadmin.client
        .put(`/organisations/1/invitations/${id}`, bodyFor(newAddress()))
        .expect(400);
      expect(failingFields(taken)).toEqual(['autoRoles']);
      expect(await stored(id)).toMatchObject({ email, auto_roles: ['ROLE_ADMIN'] });
    });
  });

  it('DELETE …/invitations withdraws an invitation: its token ends and its address is free', async () => {
    const made = await makeInvitation(service, {
      organisationId: customer.organisationId,
      inviterId: customer.custadmin.id,
    });
    await customer.custadmin.client.delete(`${path}/${made.id}`).expect(204);
    await customer.custadmin.client.delete(`${path}/${made.id}`).expect(404);
    await admin.post(`/registerInvitation/${made.token}`, registrationOf(made, PASSWORD)).expect(404);
    await invite(bodyFor(made.email));
  });

  it('DELETE and PUT …/invitations take back a mail that waits', async () => {
    const first = newAddress();
    const second = newAddress();
    const { id } = await invite(bodyFor(first));
    expect(await queuedMails(service, first)).toHaveLength(1);
    await customer.custadmin.client.put(`${path}/${id}`, bodyFor(second)).expect(204);
    expect(await queuedMails(service, first)).toEqual([]);
    expect(await queuedMails(service, second)).toHaveLength(1);
    await customer.custadmin.client.delete(`${path}/${id}`).expect(204);
    expect(await queuedMails(service, second)).toEqual([]);
  });

  it('DELETE …/organisations takes back a mail that waits of its invitations, and no other', async () => {
    // An organisation with users that can log in cannot be deleted.
    const organisationId = await makeOrganisation(service);
    const [email, kept] = [newAddress(), newAddress()];
    await admin.post(`/organisations/${organisationId}/invitations`, bodyFor(email)).expect(201);
    await invite(bodyFor(kept));
    expect(await queuedMails(service, email)).toHaveLength(1);
    await admin.delete(`/organisations/${organisationId}`).expect(204);
    expect(await queuedMails(service, email)).toEqual([]);
    expect(await queuedMails(service, kept)).toHaveLength(1);
  });

  it('PUT …/invitations opens an expired invitation again, with a new mail and the whole time', async () => {
    const { custadmin, organisationId } = await makeCustomer(service);
    const invitation = { email: `late${organisationId}@example.nl`, firstName: 'Late', lastName: 'Comer' };
    const path = `/organisations/${organisationId}/invitations`;
    const created = await custadmin.client.post(path, invitation).expect(201);
    const { id } = (created.body as { invitation: { id: number } }).invitation;
    await letExpire(service, 'invitations', { id });
    const before = (await queuedMails(service, invitation.email)).length;
    await custadmin.client.put(`${path}/${id}`, invitation).expect(204);
    const { body } = await custadmin.client.get(`${path}/${id}`).expect(200);
    expect(body).toMatchObject({ invitation: { status: 'ok' } });
    const mails = await queuedMails(service, invitation.email);
    expect(mails.length).toBeGreaterThanOrEqual(Math.max(1, before));
    const [row] = await service.sql<{ fresh: boolean }>(
      `SELECT expires_at > now() + interval '29 days' AS fresh FROM invitations WHERE id = $1`,
      [id],
    );
    expect(row).toEqual({ fresh: true });
  });

  it('PUT …/invitations judges the address of an expired invitation as that of a new one', async () => {
    const { custadmin, plain, organisationId } = customer;
    const by = { organisationId, inviterId: custadmin.id };
    const late = await makeInvitation(service, { ...by, validFor: '-1 second' });
    const open = await makeInvitation(service, by);
    for (const { email } of [late, open])
      await makeUser(service, { organisationId: 1, username: email.toUpperCase() });
    const refused = await custadmin.client.put(`${path}/${late.id}`, bodyFor(late.email)).expect(400);
    expect(refused.body).toMatchObject({ reasons: { email: ['ALREADY_A_USER'] } });
    expect(await queuedMails(service, late.email)).toEqual([]);
    await custadmin.client.get(`${path}/${late.id}/check`).expect(200, { available: false });
    await anonymous(service)
      .post(`/registerInvitation/${late.token}`, registrationOf(late, PASSWORD))
      .expect(400);
    // One that is open stays as it was, and gets no mail.
    await custadmin.client.put(`${path}/${open.id}`, bodyFor(open.email)).expect(204);
    expect(await queuedMails(service, open.email)).toEqual([]);
    // An address that somebody holds and has not proved is free.
    const unproved = await makeInvitation(service, { ...by, validFor: '-1 second' });
    await plain.client
      .patch(`/organisations/${organisationId}/users/${plain.id}`, {
        username: unproved.email,
        firstName: 'Jan',
        lastName: 'de Vries',
      })
      .expect(204);
    await custadmin.client.put(`${path}/${unproved.id}`, bodyFor(unproved.email)).expect(204);
    await custadmin.client.get(`${path}/${unproved.id}/check`).expect(200, { available: true });
    const mails = await queuedMails(service, unproved.email);
    expect(mails.filter(({ template }) => template === 'invitation')).toHaveLength(1);
  });

  it('POST and PUT …/invitations take the place of an expired one, whose id is 404', async () => {
    const { custadmin, organisationId } = customer;
    const by = { organisationId, inviterId: custadmin.id };
    const expired = [
      await makeInvitation(service, { ...by, validFor: '-1 second' }),
      await makeInvitation(service, { ...by, validFor: '-1 second' }),
    ] as const;
    await invite(bodyFor(expired[0].email));
    const { id } = await invite(bodyFor(newAddress()));
    await custadmin.client.put(`${path}/${id}`, bodyFor(expired[1].email)).expect(204);
    for (const { id: gone, email } of expired) {
      const at = `${path}/${gone}`;
      await custadmin.client.get(at).expect(404);
      await custadmin.client.get(`${at}/check`).expect(404);
      await custadmin.client.put(at, bodyFor(email)).expect(404);
      await custadmin.client.post(`${at}/resend`).expect(404);
      await custadmin.client.delete(at).expect(404);
    }
  });

  it('PUT …/invitations: an address that changes in case alone keeps its token and mails nothing', async () => {
    const { custadmin, organisationId } = await makeCustomer(service);
    const made = await makeInvitation(service, { organisationId, inviterId: custadmin.id });
    const shouted = made.email.toUpperCase();
    await custadmin.client
      .put(`/organisations/${organisationId}/invitations/${made.id}`, {
        email: shouted,
        firstName: 'Jan',
        lastName: 'de Vries',
      })
      .expect(204);
    for (const address of [made.email, shouted]) expect(await queuedMails(service, address)).toEqual([]);
    await anonymous(service)
      .post(`/registerInvitation/${made.token}`, registrationOf({ ...made, email: shouted }, PASSWORD))
      .expect(201);
  });
});
